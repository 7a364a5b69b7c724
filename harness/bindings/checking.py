"""Hold a binding against its header, target by target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.bindings.binding import Left
from abiprobe.harness.bindings.calls import calls
from abiprobe.harness.bindings.classes import in_c, titled
from abiprobe.harness.bindings.comparing import Compared
from abiprobe.harness.bindings.d import compared_by_d
from abiprobe.harness.bindings.facts import Fact, OfMember, Wrong
from abiprobe.harness.bindings.header import Header, read_header
from abiprobe.harness.bindings.python_binding import LIBRARIES, compared_by_python
from abiprobe.harness.bindings.rust import answered
from abiprobe.harness.bindings.swift import compared_by_swift
from abiprobe.harness.bindings.zig import compared_by_zig
from abiprobe.harness.input import Classes, ReadOptions
from abiprobe.harness.input.declared import declared_in_files, reading_of
from abiprobe.harness.input.unit import CXX_SUFFIXES
from abiprobe.harness.subjects.find import build
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.model import Target

ZIG, D, SWIFT = "zig-lang", "ldc2", "swift"


class OnTarget(msgspec.Struct, frozen=True):
    """The answers of a binding on a target: the numbers of facts and of functions that are as the header has them, and what is not.

    `lacks` are declarations of the header that the binding has not, `left` those that cannot be compared; without a compiler
    for the target `why` says so.
    """

    target: str
    facts: int = 0
    calls: int = 0
    wrong: tuple[Wrong, ...] = ()
    lacks: tuple[str, ...] = ()
    left: tuple[Left, ...] = ()
    why: str = ""


def held(
    files: Sequence[str],
    binding: str,
    targets: Sequence[Target],
    asked: tuple[Subject, Sequence[str]],
    how: ReadOptions,
) -> list[OnTarget]:
    """Hold a binding against a header on each target, as a subject at some levels says it.

    Raises `Problem` for a file that is not C, and for a binding that cannot be read.
    """
    try:
        text = Path(binding).read_bytes()
    except OSError as error:
        raise Problem(f"{binding}: {error.strerror}") from error
    if len(files) != 1 or files[0] == "-":
        raise Problem(
            "a binding is of one header", "name one file, which includes the others, and --included"
        )
    cxx = Path(files[0]).suffix in CXX_SUFFIXES or any("++" in one for one in how.options)
    how = msgspec.structs.replace(how, interface=True, classes=Classes.ALONE if cxx else Classes.NONE)
    if cxx and asked[0].family.name in {*LIBRARIES, ZIG, D, SWIFT}:
        raise Problem(f"{files[0]} is C++, and {asked[0]} has no C++", "a binding in Rust can be of C++")
    reading = reading_of(files, how, None)
    found = []
    for target in counted(targets, "targets", len(targets)):
        header = read_header(declared_in_files(files, target, reading), files[0], how)
        found.append(on_target(binding, text, header, asked, how.options))
    return found


def on_target(
    binding: str,
    text: bytes,
    header: Header,
    asked: tuple[Subject, Sequence[str]],
    options: Sequence[str],
) -> OnTarget:
    """Hold a binding against a header on one target."""
    subject, _ = asked
    spelling = header.target.spelling
    said = said_by(binding, text, header, asked, options)
    if said is None:
        return OnTarget(spelling, why=f"{subject} is not here, or does not build for it")
    agreeing = [fact for fact, observed in said.answers if fact.answer(observed) == fact.expected]
    missing = dict.fromkeys((*said.facts.lacks, *said.calls.lacks))
    dropped = [one for one in said.left if one.name in {name.rpartition(" ")[2] for name in missing}]
    lost = {one.name for one in dropped}
    skipped = (Left(0, one.name, one.reason) for one in header.declared.skipped)
    return OnTarget(
        spelling,
        len(agreeing),
        len(said.calls.agreeing),
        tuple(dict.fromkeys((*said.facts.wrong, *said.calls.wrong, *departures(said.answers)))),
        tuple(name for name in missing if name.rpartition(" ")[2] not in lost),
        (*said.facts.left, *said.calls.left, *dropped, *skipped),
    )


def said_by(
    binding: str,
    text: bytes,
    header: Header,
    asked: tuple[Subject, Sequence[str]],
    options: Sequence[str],
) -> Compared | None:
    """The answers of a subject; `None` where it does not build for the target, or is not there."""
    subject, _ = asked
    if subject.family.name in LIBRARIES:
        # A Python is of one target.
        built = build(subject, header.target, "O0")
        if built is None:
            return None
        return compared_by_python(binding, text, header, built.words[:1], subject.family.name)
    with temporary() as scratch:
        if subject.family.name == ZIG:
            return compared_by_zig(binding, text, header, subject, Path(scratch))
        if subject.family.name == D:
            return compared_by_d(binding, text, header, subject, Path(scratch))
        if subject.family.name == SWIFT:
            return compared_by_swift(binding, text, header, (subject, options), Path(scratch))
        return by_rustc(binding, text, header, asked, Path(scratch))


def by_rustc(
    binding: str, text: bytes, header: Header, asked: tuple[Subject, Sequence[str]], scratch: Path
) -> Compared | None:
    """The answers of rustc, which makes the calls; `None` where it does not build for the target."""
    compiler, levels = asked
    done = answered(binding, text, header, compiler, levels[0], scratch)
    if done is None:
        return None
    symbols, subjects = header.declared.symbols, (done.subject, compiler)
    of_cxx = in_c(symbols, header.target, done.binding)
    functions = (*header.declared.functions, *of_cxx.functions)
    called = calls(functions, done.binding, header.target, subjects, levels)
    said = titled(called, symbols, done.binding)
    said.wrong += of_cxx.wrong
    said.left += of_cxx.left
    return Compared(done.facts, list(done.answers), said, list(done.binding.left))


def departures(answers: Iterable[tuple[Fact, int | bytes]]) -> Iterator[Wrong]:
    """Yield the facts that are otherwise; of the members of a record that are elsewhere the first, which moves the others."""
    moved: set[str] = set()
    for fact, observed in answers:
        answer = fact.answer(observed)
        if answer == fact.expected:
            continue
        if isinstance(fact.asked, OfMember) and not fact.asked.size:
            if fact.asked.type.path in moved:
                continue
            moved.add(fact.asked.type.path)
        yield Wrong(fact.what, fact.line, fact.said(answer), fact.said(fact.expected), fact.clause)
