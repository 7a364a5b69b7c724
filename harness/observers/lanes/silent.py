"""Functions about whose variants the document is silent: what is asked of them all the same, and what compilers make.

Each gives its variants names; the variants of those that make functions are called as a compiler family reads the
document, and it is kept whether their lanes go with that. Two compilers are held against each other by both. So it is
with variants that the document names and whose places it leaves open, and with what C with vector types passes to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.lanes.cases import Case
from abiprobe.harness.observers.lanes.comparing import LaneObservation, judge_lanes
from abiprobe.harness.observers.lanes.observe import ObservedFunction
from abiprobe.harness.observers.lanes.plan import KINDS, VectorPlan, renamed
from abiprobe.harness.observers.lanes.recording import RecordedVariants
from abiprobe.harness.observers.lanes.typed import Typed
from abiprobe.harness.observers.lanes.witness import TypedRun
from abiprobe.oracles.abis.vfabi import NotAVectorNameError, VectorModel, parse_name
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.abis.vfabi.variant import Variant, VariantPlaces, Variants
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Unspecified
from abiprobe.results.coverage.differing import follows
from abiprobe.results.verdicts.readings import NONE
from abiprobe.results.verdicts.record import Judgement, Outcome, Shown, Verdict, unobserved
from abiprobe.results.verdicts.values import Words
from abiprobe.results.verdicts.wording import where_text

NO_VARIANT = "none"
AS_READ = "where gcc reads them to be"
READER = "gcc"
LANES_OF = "lanes of"
PASSED_TO = "lanes that C with vector types passes to"
DEAD = "the program dies"


def plan_silent(
    asked: Probe, silence: Unspecified, readings: Mapping[str, AbiModel]
) -> VectorPlan | tuple[Verdict, ...]:
    """A plan for a function whose variants the text leaves open; where no family reads it, the verdict that settles it."""
    function = renamed(asked)
    answers = {
        name: model.variants(function) for name, model in readings.items() if isinstance(model, VectorModel)
    }
    known = {name: found for name, found in answers.items() if isinstance(found, Variants)}
    if not known:
        return settled(asked.id, silence)
    first = next(iter(known.values()))
    plan = VectorPlan(asked.id, asked.question, function, first, silence)  # type: ignore[arg-type]  # a prototype
    expected = {name: tuple(shown_names(plan, frozenset(found.symbols))) for name, found in known.items()}
    return msgspec.structs.replace(plan, readings=expected)


def settled(probe: str, silence: Unspecified) -> tuple[Verdict, ...]:
    """Return the verdicts on a function that cannot be tested."""
    return tuple(
        Verdict(probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, silence.clause, silence.why)
        for kind in KINDS
    )


def shown_names(plan: VectorPlan, symbols: frozenset[str]) -> Iterator[Shown]:
    """The variants of each instruction set, with a mask and without, by their names."""
    by_kind: dict[tuple[Isa, bool], list[str]] = {}
    for symbol in sorted(symbols):
        try:
            name = parse_name(symbol)
        except NotAVectorNameError:
            continue
        by_kind.setdefault((name.isa, name.masked), []).append(plan.asked_name(symbol))
    for isa in Isa:
        for masked in (False, True):
            found = by_kind.get((isa, masked), [])
            what, names = f"{isa.title} {'masked' if masked else 'unmasked'}", " ".join(found)
            yield Shown(what, (Words(names or NO_VARIANT),))


def shown_lanes(
    plan: VectorPlan, calls: Iterable[tuple[Case | Typed, LaneObservation | Failed]], what: str = LANES_OF
) -> Iterator[Shown]:
    """Yield whether each variant that was called has its lanes where they are supposed to be, in each call."""
    by_name: dict[str, str] = {}
    for case, seen in calls:
        found = where_lanes_are(plan, case, seen)
        name = f"{what} {plan.asked_name(case.variant.symbol)}"
        if found and by_name.get(name, AS_READ) == AS_READ:
            by_name[name] = found
    for name, found in by_name.items():
        yield Shown(name, (Words(found),))


def where_lanes_are(plan: VectorPlan, case: Case | Typed, seen: LaneObservation | Failed) -> str:
    """Describe the lanes in one call; empty if it was not observed."""
    if isinstance(seen, Failed):
        return DEAD if seen.outcome is Outcome.DIED else ""
    names = [param.name for param in plan.function.params]
    differences = judge_lanes(case.variant, case.places, case.given, seen, names)
    elsewhere = (f"{one.what} elsewhere than in {where_text(one.place)}" for one in differences)
    return "; ".join(elsewhere) or AS_READ


def judged_silent(plan: VectorPlan, made: ObservedFunction | Failed) -> tuple[Verdict, ...]:
    """The verdicts on an open function: whose reading the subject follows, and what it shows."""
    assert plan.silence is not None, "only open functions are judged so"
    if isinstance(made, Failed):
        return tuple(unobserved(plan.probe, kind, made.outcome, made.words) for kind in KINDS)
    names = tuple(shown_names(plan, made.names))
    lanes = () if made.lanes is None else tuple(shown_lanes(plan, made.lanes.copied))
    followed = [name for name, expected in plan.readings.items() if follows(names, expected)]
    first, *others = settled(plan.probe, plan.silence)
    return (
        msgspec.structs.replace(first, reading=" and ".join(followed) or NONE, shown=(*names, *lanes)),
        *others,
    )


def read_variants(asked: Probe, answer: Variants, readings: Mapping[str, AbiModel]) -> tuple[Variant, ...]:
    """The variants whose places alone the text leaves open, with the places that gcc reads them to have."""
    wanted = {one.symbol for one in answer.variants if isinstance(one.places, Unspecified)}
    model = readings.get(READER)
    if not wanted or not isinstance(model, VectorModel):
        return ()
    found = model.variants(renamed(asked))
    every = found.variants if isinstance(found, Variants) else ()
    return tuple(one for one in every if one.symbol in wanted and isinstance(one.places, VariantPlaces))


def judged_read(plan: VectorPlan, seen: RecordedVariants) -> Iterator[Verdict]:
    """Yield verdicts on the variants whose places alone the text leaves open."""
    lanes = seen.made.lanes if isinstance(seen.made, ObservedFunction) else None
    shown = [
        *shown_lanes(
            plan, () if lanes is None else (one for one in lanes.copied if plan.is_read(one[0].variant))
        ),
        *shown_lanes(plan, read_calls(plan, seen.typed), PASSED_TO),
    ]
    silence = next(
        (one.places for one in plan.variants.variants if isinstance(one.places, Unspecified)), None
    )
    if silence is None or not shown:
        return
    reading = READER if all(one.at == (Words(AS_READ),) for one in shown) else NONE
    settled = Verdict(
        plan.probe, ProbeKind.OPEN, Judgement.UNSPECIFIED, Outcome.OBSERVED, silence.clause, silence.why
    )
    yield msgspec.structs.replace(settled, reading=reading, shown=tuple(shown))


def read_calls(
    plan: VectorPlan, typed: TypedRun | Failed | None
) -> Iterator[tuple[Typed, LaneObservation | Failed]]:
    """The calls of such variants by C with vector types."""
    for one, answer in typed.calls if isinstance(typed, TypedRun) else ():
        if plan.is_read(one.variant):
            yield one, answer


def silent_places(plan: VectorPlan) -> Unspecified | None:
    """Return the silence about the places of all variants; `None` if it decides those of one."""
    places = [one.places for one in plan.variants.variants]
    found = [one for one in places if isinstance(one, Unspecified)]
    return found[0] if found and len(found) == len(places) else None


def unspecified_lanes(plan: VectorPlan, silence: Unspecified) -> Verdict:
    """The verdict on the lanes of a function whose variants have names, and no places."""
    words = silence.why
    return Verdict(
        plan.probe, ProbeKind.LANES, Judgement.UNSPECIFIED, Outcome.OBSERVED, silence.clause, words
    )
