"""Calls of a binding's functions: what the compiler of its language makes of them, held against the header's prototypes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.harness.bindings.binding import Binding, BoundFunction, Left
from abiprobe.harness.bindings.facts import Wrong
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.options import by_isa
from abiprobe.harness.subjects.subject import AtLevel, Subject
from abiprobe.oracles.language.lang import Enum, Prototype, strip
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.verdicts.record import Judgement, Verdict


class Called(msgspec.Struct):
    """The calls of a header's functions: those that agree, those that do not, what the binding lacks, and what cannot be asked."""

    agreeing: set[str] = set()
    wrong: list[Wrong] = []
    lacks: list[str] = []
    left: list[Left] = []


def calls(
    functions: Sequence[Prototype],
    binding: Binding,
    target: Target,
    asked: tuple[Subject, Subject],
    levels: Sequence[str],
) -> Called:
    """Ask for the calls of all functions that a binding has; `asked` are the binding's subject, and its compiler by itself."""
    found = Called()
    able: list[Prototype] = []
    for function in functions:
        bound = binding.functions.get(function.name)
        if bound is None:
            found.lacks.append(function.name)
        elif shapes := list(other_shapes(function, bound)):
            found.wrong += (one for one in shapes if one not in found.wrong)
        else:
            able.append(function)
    subject, plain = asked
    deviating: list[Prototype] = []
    for function, verdicts in put(able, target, subject, levels):
        bound = binding.functions[function.name]
        if any(one.verdict is Judgement.DEVIATES for one in verdicts):
            deviating.append(function)
        elif any(one.verdict is Judgement.AGREES for one in verdicts):
            found.agreeing.add(function.name)
        else:
            why = next((one.detail for one in verdicts if one.detail), "nothing was observed")
            found.left.append(Left(bound.line, function.name, why))
    # What the compiler does wrong with the header's own types is no fault of the binding.
    own = {
        function: {one.detail for one in verdicts if one.verdict is Judgement.DEVIATES}
        for function, verdicts in put(deviating, target, plain, levels)
    }
    for function, verdicts in put(deviating, target, subject, levels) if deviating else ():
        bound = binding.functions[function.name]
        news = [
            one
            for one in verdicts
            if one.verdict is Judgement.DEVIATES and one.detail not in own.get(function, ())
        ]
        if not news:
            found.left.append(Left(bound.line, function.name, f"{plain} by itself departs from the text"))
        for one in news[:1]:
            found.wrong.append(Wrong(function.name, bound.line, one.detail, "", one.clause))
    found.agreeing -= {one.what for one in found.wrong} | {one.name for one in found.left}
    return found


def put(
    functions: Sequence[Prototype], target: Target, subject: Subject, levels: Sequence[str]
) -> Iterable[tuple[Prototype, list[Verdict]]]:
    """Put functions to a subject, with the verdicts about its calls of each."""
    verdicts: dict[str, list[Verdict]] = {}
    questions = {probe(one).id: one for one in functions}
    for number, batch in enumerate(by_isa(functions)):
        at = tuple(AtLevel(subject, level) for level in levels)
        for done in run_job(Job(target, number, Sort.PROTOTYPES, batch, at, pairs=Pairs.NONE)):
            for one in done.verdicts:
                if one.kind is not ProbeKind.CALLEE and not is_of_sign(one, questions[one.probe]):
                    verdicts.setdefault(one.probe, []).append(one)
    return [(function, verdicts.get(name, [])) for name, function in questions.items()]


def is_of_sign(verdict: Verdict, function: Prototype) -> bool:
    """Return whether a deviation is but the sign of an enumeration's integer, which no enumerator shows."""
    of_enum = isinstance(strip(function.result), Enum) if function.result is not None else False
    return of_enum and verdict.kind is ProbeKind.RESULT and all(one.above for one in verdict.differences)


def other_shapes(function: Prototype, bound: BoundFunction) -> Iterable[Wrong]:
    """Yield in what else than types a declaration differs: the number of parameters, whether there are others, or a result."""
    named = len(function.params)
    if named != bound.parameters:
        yield Wrong(function.name, bound.line, f"{bound.parameters} parameters", str(named))
    if function.variadic != bound.variadic:
        yield Wrong(
            function.name,
            bound.line,
            *("variadic", "not") if bound.variadic else ("not variadic", "variadic"),
        )
    if (function.result is not None) != bound.returns:
        yield Wrong(
            function.name,
            bound.line,
            *("returns a value", "none") if bound.returns else ("returns nothing", "a value"),
        )
