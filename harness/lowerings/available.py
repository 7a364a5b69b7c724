"""Availability of a compiler's lowerings: they must work, and lower something somewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.lowerings.compilers import compiler_at
from abiprobe.harness.lowerings.lowering import LoweringCompiler
from abiprobe.harness.lowerings.place import TRIPLES, Place, compiler_to_ir
from abiprobe.harness.subjects.families.clang import CLANG
from abiprobe.harness.subjects.find import discover, version_failure
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.registry import TARGETS

NAME_TWO = "name two: --cc clang-24,clang-24+llvmabi"


def by_default(places: Sequence[Place]) -> tuple[Subject, ...]:
    """The newest installed clang, and each of its other lowerings that it has; nothing if it has none."""
    newest = next((one for one in discover(tuple(TARGETS.values())) if one.family is CLANG), None)
    return () if newest is None else all_of(newest, places)


def all_of(subject: Subject, places: Sequence[Place]) -> tuple[Subject, ...]:
    """The usual lowering of a compiler and each of its other ones, of those that work at one of some places."""
    ways = ("", *subject.family.lowerings)
    every = (msgspec.structs.replace(subject, lowering=way) for way in ways)
    return tuple(one for one in every if not why_not(one, places))


def named(text: str, places: Sequence[Place]) -> tuple[Subject, ...]:
    """The comma-separated lowerings; raises `Problem` for one that is not installed, or does not work.

    A compiler named alone stands for its usual lowering and its other ones, one of these for itself and the usual one.
    """
    found = tuple(compiler_to_ir(part.strip()) for part in text.split(",") if part.strip())
    if not found:
        raise Problem("no lowering is named", NAME_TWO)
    if len(found) > 1 or found[0].lowering:
        usual = () if len(found) > 1 else (msgspec.structs.replace(found[0], lowering=""),)
        return working((*usual, *found), places)
    (alone,) = working(found, places)
    every = all_of(alone, places)
    if len(every) < 2:
        raise Problem(f"{alone.spelling!r} has no other lowering to compare with", NAME_TWO)
    return every


def working(found: Sequence[Subject], places: Sequence[Place]) -> tuple[Subject, ...]:
    """These lowerings; raises `Problem` for one that is not installed, or does not work."""
    for subject in dict.fromkeys(found):
        why = why_not(subject, places)
        if "unknown target" in why:
            require_known(places, subject)
        if why:
            raise Problem(f"{subject.spelling!r} {why}", "see: abiprobe list toolchains")
    return tuple(found)


def require_known(places: Sequence[Place], subject: Subject) -> None:
    """Raise `Problem` for a triple that a user named and that the compiler of a lowering does not know."""
    for place in places:
        is_own = place.target is None and place.name not in TRIPLES and place.command(subject) is not None
        words = why_nothing(subject, place, ()) if is_own else ""
        if "unknown target" in words:
            raise Problem(
                f"{place.name!r} is no target, and {subject} knows no such triple",
                "see: abiprobe list targets",
            )


def why_not(subject: Subject, places: Sequence[Place]) -> str:
    """Return the reason why a lowering cannot be compared at any of some places, in its own words; empty if it can."""
    commands = {place: command for place in places if (command := place.command(subject)) is not None}
    if not commands:
        return "is not installed, or builds for none of these targets"
    if words := version_failure(next(iter(commands.values()))):
        return f"does not tell its version: {words}"
    proof = subject.family.lowerings[subject.lowering].proof if subject.lowering else ()
    reason = ""
    for place in commands:
        why = why_nothing(subject, place, proof)
        if not why:
            return ""
        reason = reason or why
    return reason


def why_nothing(subject: Subject, place: Place, proof: tuple[str, ...]) -> str:
    """Return the reason why nothing is lowered for a place, or why a lowering would answer that was not asked for."""
    with temporary() as folder:
        compiler = compiler_at(place, subject, Path(folder))
        if compiler is None:
            return f"does not build for {place.name}"
        words = compiler.simplest() or (proved(compiler, proof) if proof else "")
    return f"lowers nothing for {place.name}: {words}" if words else ""


def proved(compiler: LoweringCompiler, proof: tuple[str, ...]) -> str:
    """The words of a compiler that takes the option for a lowering that it does not have."""
    return msgspec.structs.replace(compiler, to_ir=proof).simplest()
