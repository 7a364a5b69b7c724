"""Verdicts on a layout, one for each witness."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.objects.layouts import TOLD, LayoutPlan
from abiprobe.harness.observers.objects.witnesses import Answers, observations
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Unspecified
from abiprobe.results.verdicts.judge import judge_layout
from abiprobe.results.verdicts.locations import MemberAt
from abiprobe.results.verdicts.readings import judge_reading
from abiprobe.results.verdicts.record import Judgement, Outcome, Shown, Verdict, unobserved
from abiprobe.results.verdicts.values import Alignment, AlignmentOf, Size
from abiprobe.results.verdicts.witnesses import WitnessObservation, judge_debug_info, judge_told, judge_values


def judged_layout(
    plan: LayoutPlan, answers: Answers, witnesses: tuple[ProbeKind, ...]
) -> tuple[Verdict, ...]:
    """The verdicts on one layout, one for each witness."""
    return tuple(judge_witness(plan, answers, kind) for kind in witnesses)


def judge_witness(plan: LayoutPlan, answers: Answers, kind: ProbeKind) -> Verdict:
    """The verdict on what one witness of a layout says; running code that died deviates."""
    said = answers[kind]
    shown = observations(answers)
    if isinstance(said, Failed) and said.outcome is Outcome.DIED:
        words = f"the program died: {said.words}"
        return Verdict(plan.probe, kind, Judgement.DEVIATES, said.outcome, plan.predicted.clause, words)
    if isinstance(said, Failed):
        return unobserved(plan.probe, kind, said.outcome, said.words)
    if plan.silence is not None:
        return judge_silent(plan, plan.silence, kind, shown)
    match kind:
        case ProbeKind.LAYOUT:
            assert said.align is not None, "an object always tells the alignment"
            aligned = [
                (one, said.alignments[one.what]) for one in plan.alignments if one.what in said.alignments
            ]
            told = plan.said_by(kind)
            return judge_layout(plan.probe, told, said.size, said.align, said.places, aligned)
        case ProbeKind.DEBUG_INFO | ProbeKind.VALUES if plan.told:
            return judge_told(plan.probe, kind, plan.said_by(kind), said)
        case ProbeKind.DEBUG_INFO:
            return judge_debug_info(plan.probe, plan.predicted, shown)
        case ProbeKind.VALUES:
            return judge_values(plan.probe, plan.predicted, shown)
        case _:
            raise AssertionError("a call is no witness of a layout")


def judge_silent(
    plan: LayoutPlan,
    silence: Unspecified,
    kind: ProbeKind,
    observations: Mapping[ProbeKind, WitnessObservation],
) -> Verdict:
    """The verdict on a witness of a layout that the text leaves open: whose reading the object follows, and what it shows.

    What running code has in another place than the object contradicts itself.
    """
    verdict = Verdict(plan.probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, silence.clause, silence.why)
    said, running = observations[kind], observations.get(ProbeKind.VALUES)
    if kind is not ProbeKind.LAYOUT or said.align is None:
        return verdict
    if plan.readings:
        verdict = judge_reading(plan.probe, silence, plan.readings, (said.size, said.align, said.places))
    members = {one.what for one in plan.alignments if one.type is None}
    return msgspec.structs.replace(verdict, shown=tuple(shown_by(said, running, members)))


def shown_by(
    said: WitnessObservation, running: WitnessObservation | None = None, members: Collection[str] = ()
) -> Iterator[Shown]:
    """Yield an object's layout for comparison with others: places before the sizes that follow from them.

    Where `running` code has a member elsewhere, that is where it is taken from. The alignments named in `members` are those of
    members, and others those of their types.
    """
    used = {} if running is None else running.places
    places = list(said.places.items())
    for path, place in places if len(places) <= 2 * TOLD else (*places[:TOLD], *places[-TOLD:]):
        elsewhere = (member_at(used[path]),) if used.get(path, place) != place else ()
        yield Shown(path, (member_at(place),), elsewhere)
    yield Shown("sizeof", (Size(said.size),))
    yield Shown("_Alignof", () if said.align is None else (Alignment(said.align),))
    preferred = list(said.preferred.items())
    for path, align in preferred if len(preferred) <= 2 * TOLD else (*preferred[:TOLD], *preferred[-TOLD:]):
        yield Shown(f"__alignof__ of the type of {path}", (Alignment(align, AlignmentOf.PREFERRED),))
    for what, align in said.alignments.items():
        of = AlignmentOf.MEMBER if what in members else AlignmentOf.MEMBER_TYPE
        yield Shown(what, (Alignment(align, of),))


def member_at(place: tuple[int, int]) -> MemberAt:
    """Return the place of a member, by its bit offset and its width in bits; an object may not show its bits at all."""
    at, width = place
    if at < 0:
        return MemberAt(None)
    return MemberAt(at, width) if at % 8 or width % 8 else MemberAt(at)
