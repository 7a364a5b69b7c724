"""The outcome of the complete suites of a run in words: the theorem, what it assumes, and what it does not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.quirks.quirk import BOTH
from abiprobe.oracles.registry import UnknownTargetError, find_target
from abiprobe.results.coverage.complete import Conformance, conformance
from abiprobe.results.journal.journal import Run
from abiprobe.results.verdicts.quantity import quantity

THEOREM = (
    "A compiler that answers these signatures as the model does, and has {states} than the model in a mode, answers"
    " all signatures of its classes so, however long (Vasilevskii 1973, Chow 1978)."
)
ASSUMED = (
    "Assumed: the types of a class are passed alike (each was asked by itself, and a second suite, for a state less, draws them anew), every call"
    " begins in the same state, and the compiler is deterministic. It holds for these levels and options."
)
LEFT_OUT = (
    "Not covered: types that are not among those of the classes, what the text leaves open, layouts inside a class, values,"
    " and machine state that is not observed."
)


def short_lines(found: Sequence[Conformance]) -> Iterator[str]:
    """Yield a line for each subject at a level: how far it conforms, or what is in the way."""
    for asked in dict.fromkeys((one.target, one.subject, one.level) for one in found):
        modes = [one for one in found if (one.target, one.subject, one.level) == asked]
        target, subject, level = asked
        yield f"{target} {subject} -{level}: {'; '.join(parts(modes))}"


def parts(modes: Sequence[Conformance]) -> Iterator[str]:
    """Yield what the modes of one subject came to, those that conform first."""
    good = [one for one in modes if one.conforms and not one.records]
    if good:
        count, lacking = sum(one.agreeing for one in good), sum(one.lacking for one in good)
        without = f", without {lacking:,} that need a type that it lacks" if lacking else ""
        named = ", ".join(one.mode for one in good)
        yield f"conforms up to {hidden(good[0].extra)} in {named} ({counted(count, 'signature')}{without})"
    for one in modes:
        if one.explained and one.is_proved:
            yield f"{one.mode}: conforms up to {hidden(one.extra)} in {of_what(one)}, but for quirks of one side, or of some levels ({quirks(one)})"
        elif one.explained:
            yield by_quirks(one)
        elif not one.conforms:
            yield in_the_way(one)
        elif one.records:
            but = f", but for {one.lacking:,} that need a type that it lacks" if one.lacking else ""
            yield f"all {one.agreeing:,} {one.mode} agree{but}"


def by_quirks(one: Conformance) -> str:
    """Return what a mode came to that departs from the text by known quirks only, and which target has them in its model."""
    rest = f"; {asked} has them" if (asked := dialect(one)) else ""
    return f"{one.mode}: of {of_what(one)} {one.known:,} deviate, by known quirks only ({quirks(one)}{rest})"


def quirks(one: Conformance) -> str:
    """Return the quirks behind what deviates, each with the number of signatures."""
    return "; ".join(f"{name}: {count:,}" for name, count in one.quirks.items())


def dialect(one: Conformance) -> str:
    """Return the dialect of a subject, where a text was asked and one of the quirks is part of the dialect; else nothing."""
    shown = (QUIRKS[name] for name in one.quirks if name in QUIRKS)
    if "@" in one.target or not any(quirk.sides == BOTH and not quirk.levels for quirk in shown):
        return ""
    try:
        return find_target(f"{one.target}@{one.subject.split()[0]}").spelling
    except UnknownTargetError:
        return ""


def of_what(one: Conformance) -> str:
    """Return the number of records or signatures that were asked, in words."""
    return counted(one.signatures, "record" if one.records else "signature")


def in_the_way(one: Conformance) -> str:
    """Return what a mode came to that does not conform."""
    counts = (
        (one.deviating, "deviate"),
        (one.known, "deviate by known quirks"),
        (one.uncompared, "were not compared"),
        (one.unasked, "were not asked"),
    )
    words = ", ".join(f"{count:,} {came}" for count, came in counts if count)
    return f"{one.mode}: of {of_what(one)} {words or 'none was compared'}"


def counted(number: int, what: str) -> str:
    """Return a number, its thousands apart, with its noun."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def hidden(extra: int) -> str:
    """Return a number of hidden states in words."""
    return quantity(extra, "hidden state")


def whole(run: Run) -> tuple[str, ...]:
    """Return all that is to be said of the complete suites of a run; nothing where it has none."""
    found = conformance(run)
    return (*short_lines(found), *size_lines(found), *statement(found))


def statement(found: Sequence[Conformance]) -> tuple[str, ...]:
    """Return what the suites prove, what they assume and leave out; nothing where there are none."""
    suites = [one for one in found if not one.records]
    if not suites:
        return ()
    extra = max(one.extra for one in suites)
    states = f"at most {quantity(extra, 'more state')}" if extra else "no more states"
    return THEOREM.format(states=states), ASSUMED, LEFT_OUT


def size_lines(found: Sequence[Conformance]) -> Iterator[str]:
    """Yield the size of each suite: of the model's automaton, and of the signatures that it makes; and how many records there are."""
    seen = {(one.target, one.mode): one for one in found}
    for one in seen.values():
        if one.records:
            yield (
                f"{one.target} {one.mode}: {one.signatures:,}, every record of up to {quantity(one.records, 'member')} of ten forms, in"
                f" {one.classes} classes, and what lies one step beyond these; of unions that differ in the order of members only, and not to the model, one"
            )
        else:
            yield (
                f"{one.target} {one.mode}: {one.states} states, {one.classes} classes of results and arguments,"
                f" {counted(one.signatures, 'signature')}"
            )
