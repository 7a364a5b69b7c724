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
from abiprobe.harness.bindings.facts import Fact, OfMember, Wrong
from abiprobe.harness.bindings.header import read_header
from abiprobe.harness.bindings.rust import answered
from abiprobe.harness.input import ReadOptions
from abiprobe.harness.input.declared import Declared, declared_in_files, reading_of
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.model import Target

SUFFIX = ".rs"


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
    compiler: Subject,
    levels: Sequence[str],
    how: ReadOptions,
) -> list[OnTarget]:
    """Hold a binding against a header on each target; raises `Problem` for a file that is not C, and for a binding that cannot be read."""
    if Path(binding).suffix != SUFFIX:
        raise Problem(
            f"{binding} is in no language of which bindings are read", f"Rust is: a file called *{SUFFIX}"
        )
    try:
        text = Path(binding).read_bytes()
    except OSError as error:
        raise Problem(f"{binding}: {error.strerror}") from error
    if len(files) != 1 or files[0] == "-":
        raise Problem(
            "a binding is of one header", "name one file, which includes the others, and --included"
        )
    reading = reading_of(files, msgspec.structs.replace(how, interface=True), None)
    return [
        on_target(files[0], binding, text, declared_in_files(files, target, reading), (compiler, levels), how)
        for target in counted(targets, "targets", len(targets))
    ]


def on_target(
    file: str,
    binding: str,
    text: bytes,
    declared: Declared,
    asked: tuple[Subject, Sequence[str]],
    how: ReadOptions,
) -> OnTarget:
    """Hold a binding against a header on one target."""
    compiler, levels = asked
    header = read_header(declared, file, how)
    spelling = declared.target.spelling
    with temporary() as scratch:
        done = answered(binding, text, header, compiler, levels[0], Path(scratch))
    if done is None:
        return OnTarget(spelling, why=f"{compiler} is not here, or does not build for it")
    asked_calls = calls(declared.functions, done.binding, declared.target, (done.subject, compiler), levels)
    wrong = [*done.facts.wrong, *asked_calls.wrong]
    agreeing = [fact for fact, observed in done.answers if fact.answer(observed) == fact.expected]
    wrong += departures(done.answers)
    missing = dict.fromkeys((*done.facts.lacks, *asked_calls.lacks))
    dropped = [one for one in done.binding.left if one.name in {name.rpartition(" ")[2] for name in missing}]
    lost = {one.name for one in dropped}
    skipped = (Left(0, one.name, one.reason) for one in declared.skipped)
    return OnTarget(
        spelling,
        len(agreeing),
        len(asked_calls.agreeing),
        tuple(dict.fromkeys(wrong)),
        tuple(name for name in missing if name.rpartition(" ")[2] not in lost),
        (*done.facts.left, *asked_calls.left, *dropped, *skipped),
    )


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
