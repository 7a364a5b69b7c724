"""Reading what users write on the command line; every mistake is a `Problem`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.suggestions import hint
from abiprobe.oracles.language.question import WITNESSES, ProbeKind
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import TARGETS, UnknownTargetError, find_target

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}
DEFAULT_TARGETS = ("riscv64-lp64d", "x86_64-sysv", "aarch64-aapcs64")
"""The targets of a run where no target is named."""
EVERY = "all"
"""Names all targets that have a model."""
LEVELS = ("O0", "O1", "O2", "O3", "Os", "Og", "Oz", "Ofast")


def run_targets(named: Sequence[str]) -> tuple[Target, ...]:
    """The targets of a run: those that are named, for `all` every one that has a model, or the default ones."""
    if EVERY in named:
        return tuple(target for target in TARGETS.values() if target.modelled)
    return tuple(dict.fromkeys(map(named_target, named or DEFAULT_TARGETS)))


def named_targets(text: str) -> tuple[Target, ...]:
    """Comma-separated targets; `all` as for `run_targets`."""
    names = [part.strip() for part in text.split(",") if part.strip()]
    if not names:
        raise Problem("no target is named", f"known are {', '.join(TARGETS)}")
    return run_targets(names)


def named_target(text: str) -> Target:
    """A target or one of its dialects."""
    try:
        return find_target(text)
    except UnknownTargetError as error:
        raise Problem(
            f"unknown target {text!r}",
            hint(text, error.known, "see: abiprobe list targets", DEFAULT_TARGETS),
        ) from error


def level_names(text: str) -> tuple[str, ...]:
    """Comma-separated optimisation levels, with or without the dash."""
    found = tuple(dict.fromkeys(part.strip().removeprefix("-") for part in text.split(",") if part.strip()))
    for level in found:
        if level not in LEVELS:
            raise Problem(f"unknown optimisation level {level!r}", f"known are {', '.join(LEVELS)}")
    if not found:
        raise Problem("no optimisation level is named", "for example --opt O0,O2")
    return found


def witness_names(text: str) -> tuple[ProbeKind, ...]:
    """Comma-separated witnesses of layouts, in their fixed order."""
    named = {part.strip() for part in text.split(",") if part.strip()}
    unknown = sorted(named - set(WITNESSES))
    if unknown or not named:
        known = f"known are {', '.join(WITNESSES)}"
        raise Problem(f"unknown witness {unknown[0]!r}" if unknown else "no witness is named", known)
    return tuple(kind for name, kind in WITNESSES.items() if name in named)


def only_names(given: Iterable[str]) -> tuple[str, ...]:
    """The clauses, traits and targets of every `--only`, each once."""
    return tuple(dict.fromkeys(part.strip() for text in given for part in text.split(",") if part.strip()))


def whole_number(text: str, what: str, least: int) -> int:
    """A whole number of at least `least`."""
    try:
        value = int(text)
    except ValueError as error:
        raise Problem(f"{what} {text!r} is not a whole number") from error
    if value < least:
        raise Problem(f"{what} {value} is too small", f"at least {least}")
    return value


def workers(jobs: object) -> int:
    """Return the number of worker processes: the requested one, or one for each core."""
    return len(os.sched_getaffinity(0)) if jobs is None else whole_number(str(jobs), "the number of jobs", 1)


def duration(text: str) -> float:
    """Seconds from `90`, `90s`, `10m`, `2h`."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip())
    if match is None:
        raise Problem(f"cannot read the budget {text!r}", "write it like 90s, 10m or 2h")
    return float(match[1]) * UNITS[match[2]]


def shard(text: str) -> tuple[int, int]:
    """`k/n` with 1 <= k <= n."""
    match = re.fullmatch(r"(\d+)/(\d+)", text.strip())
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise Problem(f"cannot read the shard {text!r}", "write it like 1/3")
    return int(match[1]), int(match[2])
