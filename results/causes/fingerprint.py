"""Fingerprints: a key under which deviations are taken to be the same before their cause is known.

One probe may show several: an argument in a wrong place and, apart from that, bits above another one. What follows
from another deviation of the same probe is left out: a program that dies because its argument is elsewhere, a size
that follows from a misplaced member, a witness that repeats what the object file says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import takewhile

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict


class Symptom(Enum):
    """The symptom of a deviation."""

    LAYOUT = "layout"
    """a size, an alignment, the place of a member or a word of a virtual table is not the predicted one"""
    MISPLACED = "misplaced"
    """an argument or result is not where the text puts it, or the program that looks for it elsewhere dies"""
    ABOVE = "bits above"
    """a value is right, and bits above it are not, or are relied on"""
    KEPT = "not kept"
    """a register, the stack pointer or a value of the caller's own that a call should have left alone"""
    UNMARKED = "unmarked"
    """the symbol of a function lacks a mark that functions of its convention must have"""
    NAMES = "names"
    """the vector variants of a function, or their names, are not those that its pragmas ask for, or an entity of C++ has another name"""
    DEBUG_INFO = "debug info"
    """the DWARF contradicts the constants of the same compiler"""
    VALUES = "values"
    """running code contradicts the text or the constants of the same compiler"""
    DIFFERS = "differs"
    """subjects do not go together where no text decides"""
    SELF_INCONSISTENT = "contradicts itself"
    """a caller and a callee of one subject do not go together where no text decides"""
    CRASHED = "crashed"
    """the compiler died"""
    TIMED_OUT = "timed out"
    """the compiler did not come to an end"""
    REFUSED = "refused"
    """the compiler rejected a program that it should take"""


class Fingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """A symptom for a target with the clause that is broken or leaves a question open, or for a tool's failure the words that name it."""

    target: str
    symptom: Symptom
    clause: str
    words: str = ""


TOOL = {
    Outcome.CRASHED: Symptom.CRASHED,
    Outcome.TIMED_OUT: Symptom.TIMED_OUT,
    Outcome.REFUSED: Symptom.REFUSED,
}
OPEN = frozenset({Symptom.DIFFERS, Symptom.SELF_INCONSISTENT})
"""Symptoms where no text decides."""
CRASHES = frozenset(TOOL.values())
"""Symptoms of tools, as opposed to compiled programs."""
WHOLE = {
    ProbeKind.LAYOUT: Symptom.LAYOUT,
    ProbeKind.DEBUG_INFO: Symptom.DEBUG_INFO,
    ProbeKind.VALUES: Symptom.VALUES,
    ProbeKind.PRESERVATION: Symptom.KEPT,
    ProbeKind.SYMBOL: Symptom.UNMARKED,
    ProbeKind.VARIANTS: Symptom.NAMES,
    ProbeKind.NAME: Symptom.NAMES,
    ProbeKind.TABLES: Symptom.LAYOUT,
}
"""The kinds of probe that are judged as a whole, by the clause of their first difference."""


NAMED = frozenset({ProbeKind.CALLER, ProbeKind.CALLEE})
"""The kinds of probe that ask for named arguments."""
CAUSES = {
    Symptom.VALUES: frozenset({Symptom.LAYOUT}),
    Symptom.KEPT: frozenset({Symptom.MISPLACED}),
}
"""The symptoms of the same probe that bring a symptom about: who takes a value from elsewhere may well not come back in order."""


def fingerprints(target: str, verdicts: Iterable[Verdict]) -> tuple[Fingerprint, ...]:
    """Return the fingerprints of one subject's verdicts on one probe, most significant first.

    What is known by quirks brings nothing about that is not known by them, too.
    """
    verdicts = tuple(verdicts)
    rest = tuple(verdict for verdict in verdicts if not verdict.quirks)
    found = _together(target, rest)
    if len(rest) < len(verdicts):
        found |= dict.fromkeys(_together(target, [verdict for verdict in verdicts if verdict.quirks]))
    order = list(Symptom)
    return tuple(sorted(found, key=lambda item: order.index(item.symptom)))


def by_quirks(target: str, verdicts: Iterable[Verdict]) -> dict[Fingerprint, tuple[str, ...]]:
    """Return the fingerprints that only verdicts show which are known by quirks, with the names of these.

    The quirk to which a fingerprint is put down comes first: one of a verdict that the fewest explain.
    """
    verdicts = tuple(verdicts)
    marked = sorted((verdict for verdict in verdicts if verdict.quirks), key=lambda one: len(one.quirks))
    found: dict[Fingerprint, tuple[str, ...]] = {}
    new = _together(target, [verdict for verdict in verdicts if not verdict.quirks]) if marked else {}
    for verdict in marked:
        for item in _together(target, marked):
            if item not in new and item in _of(target, verdict, frozenset()):
                found[item] = tuple(dict.fromkeys((*found.get(item, ()), *verdict.quirks)))
    return found


def _together(target: str, verdicts: Sequence[Verdict]) -> dict[Fingerprint, None]:
    """The fingerprints of verdicts, without those that others of them bring about."""
    moved = sides_moved(verdicts)
    found = dict.fromkeys(item for verdict in verdicts for item in _of(target, verdict, moved))
    shown = {item.symptom for item in found}
    return {item: None for item in found if not shown & CAUSES.get(item.symptom, frozenset())}


def sides_moved(verdicts: Iterable[Verdict]) -> frozenset[str]:
    """The sides of a call on which a named argument is misplaced, which moves the unnamed arguments after it."""
    return frozenset(
        item.side
        for verdict in verdicts
        if verdict.kind in NAMED
        for item in verdict.differences
        if not item.above
    )


def _of(target: str, verdict: Verdict, moved: frozenset[str]) -> Iterator[Fingerprint]:
    # Which of a pair departs from the text is told by what each shows alone.
    if verdict.kind is ProbeKind.PAIR:
        return
    if verdict.outcome in TOOL:
        yield Fingerprint(target, TOOL[verdict.outcome], "", signature(verdict.detail))
    elif verdict.verdict is Judgement.DIFFERS:
        yield Fingerprint(
            target, Symptom.SELF_INCONSISTENT if verdict.shown else Symptom.DIFFERS, verdict.clause
        )
    elif verdict.verdict is not Judgement.DEVIATES:
        return
    elif verdict.kind in WHOLE:
        yield Fingerprint(target, WHOLE[verdict.kind], verdict.clause)
    elif not verdict.differences:
        yield Fingerprint(target, Symptom.MISPLACED, verdict.clause)
    else:
        yield from _of_call(target, verdict, moved if verdict.kind is ProbeKind.VARIADIC else frozenset())


def _of_call(target: str, verdict: Verdict, moved: frozenset[str]) -> Iterator[Fingerprint]:
    """Yield only the first misplaced value of each side, which displaces all later ones, and what stands before it.

    On the sides `moved` that value comes before all values of this verdict.
    """
    for side in verdict.sides:
        first = verdict.misplaced.get(side)
        if first is not None and side not in moved:
            yield Fingerprint(target, Symptom.MISPLACED, first.clause)
        own = (item for item in verdict.differences if item.side == side)
        for item in takewhile(lambda item: item.above, own):
            yield Fingerprint(target, Symptom.ABOVE, item.clause)


def blamed_value(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> str:
    """The parameter, `result` or member in which a fingerprint shows, or an empty string."""
    above = fingerprint.symptom is Symptom.ABOVE
    own = (verdict for verdict in verdicts if verdict.kind is not ProbeKind.PAIR)
    shown = (item for verdict in own for item in verdict.differences)
    return next(
        (item.what for item in shown if item.clause == fingerprint.clause and item.above == above), ""
    )


DIED = "the compiler died"
SIGNALS = {
    "132": "SIGILL",
    "134": "SIGABRT",
    "136": "SIGFPE",
    "137": "SIGKILL",
    "139": "SIGSEGV",
    "Illegal instruction": "SIGILL",
    "Aborted": "SIGABRT",
    "Floating point exception": "SIGFPE",
    "Killed": "SIGKILL",
    "Segmentation fault": "SIGSEGV",
}
"""Signals by the exit codes and the words in which a driver reports that its front end died."""


def died(signal: str) -> str:
    """The words for a front end that died without any of its own, by a signal if that is known."""
    return f"{DIED} ({signal})" if signal else DIED


FLEETING: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    # The driver's own words about a front end that died without any, whatever the driver is called.
    (
        re.compile(
            r"^.*\b(?:frontend command failed(?: with exit code| due to signal)?(?: (\w+))?"
            r"|unable to execute command: (\w+(?: \w+)*)).*$"
        ),
        lambda found: died(SIGNALS.get(found[1] or found[2] or "", "")),
    ),
    (re.compile(r"^.*\b(?:error in backend|LLVM ERROR): "), "error in backend: "),
    # Of code that cannot be selected, the operation and its type; nodes, chains and operands are those of the question.
    (re.compile(r"\b(Cannot select: )(?:(?:0x\S*|t\d+): )?(\w+)(?:,\w+)* = ([\w:]+).*$"), r"\1\2 = \3"),
    (re.compile(r"\bt\d+: "), ""),
    (re.compile(r"\$[a-z]+\d+\w*"), "$register"),
    (re.compile(r"0x[0-9a-fA-F]+"), "0x"),
    (re.compile(r"\bunit\d+\b"), "unit"),
    (re.compile(r"[\w./+-]*/([\w.+-]+)"), r"\1"),
    (re.compile(r"\b([\w-]+?)-[0-9a-f]{6,}(?=\.)"), r"\1"),
    # gcc's sources were renamed from .c to .cc in version 12.
    (re.compile(r"\b(\w[\w-]*)\.c(?:c|pp)?:\d+(?::\d+)?(?!\S*: )"), r"\1.cc"),
    (re.compile(r"^[\w-]+(?:\.\w+(?:\(\d+\))?(?::\d+)*|\(\d+\)): "), ""),
    # The driver's name: clang, clang-22, zig.
    (re.compile(r"^[\w.+-]+: (?=(?:fatal |internal compiler )?error: )"), ""),
    (re.compile(r"['\u2018][^'\u2019]{0,80}['\u2019]"), "'_'"),
    # A declaration or the name of a type, as nvcc quotes it.
    (re.compile(r'"[^"]{0,400}\([^"]{0,400}\)"|"(?:const )?\w+"'), "'_'"),
    (re.compile(r"\b([A-Za-z]\w*?)_\d+\b"), r"\1"),
    (re.compile(r"\b\d+\b"), "N"),
)
LONGEST_MESSAGE = 200
SILENT = re.compile(
    rf"{DIED}(?: \((?!SIGFPE)\w+\))?|SIG(?!FPE)[A-Z]+\d*|exit status N|it (?:did not come to an end|printed without end|wrote no object file)"
)
"""Words that name no place in the tool: two failures that have them in common may have nothing else in common.

A division by zero is a place: tools have few of them.
"""


def signature(words: str) -> str:
    """Normalise a tool's message: drop what varies between probes, versions and drivers.

    That is addresses, folders, lines, names, numbers, and what the program that speaks is called.
    """
    text = words[: 4 * LONGEST_MESSAGE]
    for pattern, instead in FLEETING:
        text = pattern.sub(instead, text)
    return " ".join(text.split())[:LONGEST_MESSAGE]


def is_telling(words: str) -> bool:
    """Return whether a tool's message identifies the failure."""
    return bool(words) and SILENT.fullmatch(words) is None
