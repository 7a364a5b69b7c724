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


def by_default(places: Sequence[Place]) -> tuple[str, ...]:
    """The newest installed clang, and each of its other lowerings that it has; nothing if it has none."""
    newest = next((one for one in discover(tuple(TARGETS)) if one.family is CLANG), None)
    return () if newest is None else all_of(newest, places)


def all_of(subject: Subject, places: Sequence[Place]) -> tuple[str, ...]:
    """The usual lowering of a compiler and each of its other ones, of those that work at one of some places."""
    ways = ("", *subject.family.lowerings)
    names = (msgspec.structs.replace(subject, lowering=way).spelling for way in ways)
    return tuple(name for name in names if not why_not(name, places))


def named(text: str, places: Sequence[Place]) -> tuple[str, ...]:
    """The comma-separated lowerings; raises `Problem` for one that is not installed, or does not work.

    A compiler named alone stands for its usual lowering and its other ones, one of these for itself and the usual one.
    """
    found = tuple(compiler_to_ir(part.strip()) for part in text.split(",") if part.strip())
    if not found:
        raise Problem("no lowering is named", NAME_TWO)
    if len(found) > 1 or found[0].lowering:
        usual = () if len(found) > 1 else (msgspec.structs.replace(found[0], lowering=""),)
        return working([one.spelling for one in (*usual, *found)], places)
    (alone,) = working([found[0].spelling], places)
    names = all_of(found[0], places)
    if len(names) < 2:
        raise Problem(f"{alone!r} has no other lowering to compare with", NAME_TWO)
    return names


def working(found: Sequence[str], places: Sequence[Place]) -> tuple[str, ...]:
    """These lowerings; raises `Problem` for one that is not installed, or does not work."""
    for name in dict.fromkeys(found):
        why = why_not(name, places)
        if "unknown target" in why:
            require_known(places, name)
        if why:
            raise Problem(f"{name!r} {why}", "see: abiprobe list toolchains")
    return tuple(found)


def require_known(places: Sequence[Place], name: str) -> None:
    """Raise `Problem` for a triple that a user named and that the compiler of a lowering does not know."""
    for place in places:
        own = "" if place.target or place.name in TRIPLES or place.command(name) is None else name
        words = why_nothing(own, place, ()) if own else ""
        if "unknown target" in words:
            raise Problem(
                f"{place.name!r} is no target, and {name} knows no such triple", "see: abiprobe list targets"
            )


def why_not(name: str, places: Sequence[Place]) -> str:
    """Return the reason why a lowering cannot be compared at any of some places, in its own words; empty if it can."""
    subject = compiler_to_ir(name)
    commands = {place: command for place in places if (command := place.command(name)) is not None}
    if not commands:
        return "is not installed, or builds for none of these targets"
    if words := version_failure(next(iter(commands.values()))):
        return f"does not tell its version: {words}"
    proof = subject.family.lowerings[subject.lowering].proof if subject.lowering else ()
    reason = ""
    for place in commands:
        why = why_nothing(name, place, proof)
        if not why:
            return ""
        reason = reason or why
    return reason


def why_nothing(name: str, place: Place, proof: tuple[str, ...]) -> str:
    """Return the reason why nothing is lowered for a place, or why a lowering would answer that was not asked for."""
    with temporary() as folder:
        compiler = compiler_at(place, name, Path(folder))
        if compiler is None:
            return f"does not build for {place.name}"
        words = compiler.simplest() or (proved(compiler, proof) if proof else "")
    return f"lowers nothing for {place.name}: {words}" if words else ""


def proved(compiler: LoweringCompiler, proof: tuple[str, ...]) -> str:
    """The words of a compiler that takes the option for a lowering that it does not have."""
    return msgspec.structs.replace(compiler, to_ir=proof).simplest()
