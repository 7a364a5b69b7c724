"""Which lowerings of a compiler can be compared: that they work at all, and lower something somewhere."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.lowerings.compilers import compiler_at
from abiprobe.harness.observers.lowerings.lowering import Compiler
from abiprobe.harness.observers.lowerings.place import TRIPLES, Place, compiler_to_ir
from abiprobe.harness.subjects.families.clang import CLANG
from abiprobe.harness.subjects.find import discover, version_failure
from abiprobe.oracles.registry import TARGETS


def by_default(places: Sequence[Place]) -> tuple[str, ...]:
    """The newest installed clang, and each of its other lowerings that it has; nothing if it has none."""
    newest = next((one for one in discover(tuple(TARGETS)) if one.family is CLANG), None)
    if newest is None:
        return ()
    names = (newest.spelling, *(f"{newest.spelling}+{lowering}" for lowering in CLANG.lowerings))
    return tuple(name for name in names if not why_not(name, places))


def named(text: str, places: Sequence[Place]) -> tuple[str, ...]:
    """The comma-separated lowerings, at least two; raises `Problem` for one that is not installed, or does not work."""
    found = tuple(compiler_to_ir(part.strip()).spelling for part in text.split(",") if part.strip())
    if len(found) < 2:
        raise Problem("one lowering cannot be compared", "name two: --cc clang-24,clang-24+llvmabi")
    for name in dict.fromkeys(found):
        why = why_not(name, places)
        if "unknown target" in why:
            require_known(places, name)
        if why:
            raise Problem(f"{name!r} {why}", "see: abiprobe list toolchains")
    return found


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
    """Why a lowering cannot be compared at any of some places, in its own words; empty if it can."""
    subject = compiler_to_ir(name)
    commands = {place: command for place in places if (command := place.command(name)) is not None}
    if not commands:
        return "is not installed, or builds for none of these targets"
    if words := version_failure(next(iter(commands.values()))):
        return f"does not tell its version: {words}"
    proof = subject.family.lowerings[subject.lowering].proof if subject.lowering else ()
    told = ""
    for place in commands:
        why = why_nothing(name, place, proof)
        if not why:
            return ""
        told = told or why
    return told


def why_nothing(name: str, place: Place, proof: tuple[str, ...]) -> str:
    """Why nothing is lowered for a place, or why another lowering than that asked for would answer."""
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        compiler = compiler_at(place, name, Path(folder))
        if compiler is None:
            return f"does not build for {place.name}"
        words = compiler.simplest() or (proved(compiler, proof) if proof else "")
    return f"lowers nothing for {place.name}: {words}" if words else ""


def proved(compiler: Compiler, proof: tuple[str, ...]) -> str:
    """The words of a compiler that takes the option for a lowering that it does not have."""
    return msgspec.structs.replace(compiler, to_ir=proof).simplest()
