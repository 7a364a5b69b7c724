"""Baselines of a file's declarations: comparison with one, or writing one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.cache import replace
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.declared import Declared, asked_at
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import find_target
from abiprobe.results.history.baseline.change import Effect, InterfaceChange, summary
from abiprobe.results.history.baseline.compare import changes
from abiprobe.results.history.baseline.facts import Baseline, BaselineError, decoded, encoded
from abiprobe.results.history.baseline.keep import baseline


class Baselines(msgspec.Struct, frozen=True):
    """The file that the declarations are compared with, and the one to which their baseline is written, if any."""

    compared: Path | None = None
    written: Path | None = None

    @property
    def wanted(self) -> bool:
        """Return whether a baseline is compared or written."""
        return self != NO_BASELINES


NO_BASELINES = Baselines()
AGAIN = "write it again, of the earlier declarations, with --write-baseline"


class Comparison(msgspec.Struct, frozen=True):
    """The changes since a baseline was kept, on the targets that were compared."""

    path: Path
    targets: tuple[str, ...]
    changed: tuple[InterfaceChange, ...]


def read_baseline(path: Path | None, targets: Sequence[str]) -> Baseline | None:
    """Read a baseline of these targets, if there is one; raises `Problem` for any other file."""
    if path is None:
        return None
    try:
        found = decoded(path.read_bytes())
    except OSError as error:
        raise Problem(
            f"{path} cannot be read ({error.strerror})", "write it with --write-baseline"
        ) from error
    except BaselineError as error:
        raise Problem(f"{path} is {error}", AGAIN) from error
    missing = [target for target in targets if target not in found.targets]
    if missing:
        raise Problem(f"{path} has nothing about {', '.join(missing)}", AGAIN)
    return found


def compared(kept: Baseline | None, declared: Sequence[Declared], files: Baselines) -> Comparison | None:
    """Return the changes since a baseline was kept, if one is given; write the present one if that is asked for.

    The declarations are as they were read for each target, with their interfaces.
    """
    if not files.wanted:
        return None
    now = baseline(
        ((item.target.spelling, item.target.model(), item.interfaces) for item in declared), asked_there
    )
    if files.written is not None:
        try:
            replace(files.written, encoded(now))
        except OSError as error:
            raise Problem(f"{files.written} cannot be written ({error.strerror})") from error
    if kept is None or files.compared is None:
        return None
    return Comparison(files.compared, tuple(now.targets), changes(kept, now))


def asked_there(target: str, function: Prototype) -> tuple[AbiModel, Prototype]:
    """The model that is asked about a function, and the function as it is declared for that."""
    there, moved = asked_at(find_target(target), function)
    return there.model(), moved


def change_lines(found: Comparison | None) -> Iterator[str]:
    """Yield what has changed since the baseline, if there is one: the changes of the same targets together."""
    if found is None:
        return
    yield ""
    yield f"since {found.path}, on {', '.join(found.targets)}: {summary(found.changed)}"
    for targets in dict.fromkeys(one.targets for one in found.changed):
        if set(targets) != set(found.targets):
            yield f"  on {', '.join(targets)}:"
        indent = "    " if set(targets) != set(found.targets) else "  "
        yield from (f"{indent}{one.line}" for one in found.changed if one.targets == targets)


def of_target(target: str, found: Comparison | None) -> dict[str, Any]:
    """Return the changes on one target as plain values; empty without a baseline.

    A target where only functions of another are asked about has what has changed on that.
    """
    if found is None:
        return {}
    changed = (one for one in found.changed if target in one.targets or target not in found.targets)
    return {"changed": [msgspec.to_builtins(one) | {"breaks": one.breaks} for one in changed]}


def status_with(found: Comparison | None, otherwise: int) -> int:
    """The exit status: 1 where something breaks, 3 where something was not compared and nothing else is to be told."""
    if found is None:
        return otherwise
    if any(one.breaks for one in found.changed):
        return 1
    unknown = any(one.effect is Effect.UNKNOWN for one in found.changed)
    return otherwise or (3 if unknown else 0)
