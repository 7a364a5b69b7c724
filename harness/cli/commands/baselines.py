"""What the declarations of a file have to do with a baseline: compared with one, or written as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.cache import replace
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.declared import Declared
from abiprobe.oracles.registry import find_model
from abiprobe.results.baseline import Baseline, BaselineError, Change, baseline, changes, decoded, encoded


class Baselines(msgspec.Struct, frozen=True):
    """The file that the declarations are compared with, and the one to which their baseline is written, if any."""

    compared: Path | None = None
    written: Path | None = None


NO_BASELINES = Baselines()


def read_baseline(path: Path, targets: Sequence[str]) -> Baseline:
    """Read a baseline of these targets; raises `Problem` for any other file."""
    try:
        found = decoded(path.read_bytes())
    except OSError as error:
        raise Problem(
            f"{path} cannot be read ({error.strerror})", "write it with --write-baseline"
        ) from error
    except BaselineError as error:
        raise Problem(f"{path} is {error}") from error
    missing = [target for target in targets if target not in found.targets]
    if missing:
        raise Problem(
            f"{path} has nothing about {', '.join(missing)}", "write it again with --write-baseline"
        )
    return found


def changes_since(
    kept: Baseline | None, declared: Sequence[Declared], written: Path | None
) -> tuple[Change, ...]:
    """What has changed since a baseline was kept; the present one is written to `written`."""
    if kept is None and written is None:
        return ()
    now = baseline((item.target, find_model(item.target), item.records, item.functions) for item in declared)
    if written is not None:
        try:
            replace(written, encoded(now))
        except OSError as error:
            raise Problem(f"{written} cannot be written ({error.strerror})") from error
    return () if kept is None else tuple(changes(kept, now))


def change_lines(path: Path | None, changed: Sequence[Change]) -> Iterator[str]:
    """Yield what has changed since the baseline, if there is one."""
    if path is None:
        return
    yield ""
    yield f"since {path}: {'no change' if not changed else ''}".rstrip()
    yield from (f"  {one.line}" for one in changed)


def of_target(item: Declared, changed: Sequence[Change]) -> list[Any]:
    """What has changed on one target, as plain values."""
    return [msgspec.to_builtins(one) | {"breaks": one.breaks} for one in changed if one.target == item.target]
