"""What wrong models are held against: programs and layouts that compilers made once, so that a trial needs no compiler.

The caller and the callee of a prototype are compiled without any say of a model in where values travel. So the linked
images serve every model: each loads and looks where it says, and what the compiled code does answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.workbench import Bench, bench
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.image.judging import judged_call
from abiprobe.harness.observers.image.observe import CallAttempt, ObservedCall, image_of, observe_calls
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.objects.constants import observe_layouts
from abiprobe.harness.observers.objects.judging import judged_layout
from abiprobe.harness.observers.objects.layouts import LayoutPlan, ObservedLayout
from abiprobe.harness.observers.prediction import prepare
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.features import lacking
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.harness.subjects.options import subject_options
from abiprobe.oracles.language.question import ProbeKind, Question, probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.results.verdicts.record import Judgement, Verdict
from abiprobe.results.verdicts.witnesses import WitnessObservation
from laboratory.lies import Lie, lies, uncounted

BATCH = 400
"""Questions of one unit."""


@dataclass(frozen=True)
class Image:
    """A linked program that answers about `plans`, in this order."""

    plans: tuple[CallPlan, ...]
    path: Path


@dataclass(frozen=True)
class Recording:
    """What one subject made for one target, and the probes on which it is right by the model under its `options`, or wrong.

    A wrong model must find fault with what is right to be noticed, or none with what is wrong.
    """

    target: str
    subject: str
    options: LayoutOptions
    bench: Bench
    images: tuple[Image, ...]
    layouts: tuple[tuple[LayoutPlan, ObservedLayout], ...]
    agreeing: frozenset[str]
    deviating: frozenset[str] = frozenset()
    lies: tuple[Lie, ...] = ()

    @property
    def probes(self) -> int:
        """How many probes there are to be wrong about."""
        return len(self.agreeing) + len(self.deviating)


def record(target: str, subject: str, level: str, questions: Sequence[Question], folder: Path) -> Recording:
    """Put questions to a subject and keep what it made in `folder`; raises `Problem` for one that is not installed."""
    parsed = parse_subject(subject)
    options = subject_options(parsed)
    built = build(parsed, find_target(target), level)
    if built is None:
        raise Problem(f"{subject} is not installed for {target}")
    folder.mkdir(parents=True)
    workbench = bench(find_target(target), options.vectors)
    attempt = CallAttempt(workbench, built, folder, Limits())
    lacks = lacking(built, identity(built.command))
    prepared = prepare(find_model(target, options), map(probe, questions))
    able = [plan for plan in prepared.plans if not prepared.needs[plan.probe] & lacks]
    calls = [plan for plan in able if isinstance(plan, CallPlan)]
    layouts = [plan for plan in able if isinstance(plan, LayoutPlan) and plan.silence is None]
    agreeing: set[str] = set()
    deviating: set[str] = set()
    texts: list[tuple[Sequence[CallPlan], str | None]] = [(part, None) for part in batches(calls)]
    if not parsed.options and "@" not in target:
        texts += uncounted(find_model(target))
    for part, text in texts:
        for call, answers in observe_calls(attempt, part, text):
            if isinstance(answers, ObservedCall):
                found = judged_call(call, answers, workbench.machine.files)
                agreeing |= {call.probe} if is_right(found) else set()
                deviating |= {call.probe} if is_wrong(found) else set()
    images = tuple(image(attempt, unit.plans, unit.paths, unit.table) for unit in attempt.units)
    seen = []
    for record_part in layout_batches(layouts):
        for plan, shown in observe_layouts(attempt, record_part):
            if not isinstance(shown, Failed):
                found = told(plan, shown)
                agreeing |= {plan.probe} if is_right(found) else set()
                deviating |= {plan.probe} if is_wrong(found) else set()
                seen.append((plan, shown))
    told_lies = () if "@" in target or parsed.options else tuple(lies(attempt, find_model(target)))
    return Recording(
        target,
        subject,
        options,
        workbench,
        images,
        tuple(seen),
        frozenset(agreeing),
        frozenset(deviating),
        told_lies,
    )


def told(plan: LayoutPlan, seen: ObservedLayout) -> tuple[Verdict, ...]:
    """The verdict on a recorded layout."""
    shown = WitnessObservation(seen.size, seen.align, seen.places, seen.preferred, seen.alignments)
    return judged_layout(plan, {ProbeKind.LAYOUT: shown}, (ProbeKind.LAYOUT,))


def is_right(verdicts: Sequence[Verdict]) -> bool:
    """Return whether something was compared and nothing deviates."""
    found = {verdict.verdict for verdict in verdicts}
    return Judgement.AGREES in found and Judgement.DEVIATES not in found


def is_wrong(verdicts: Sequence[Verdict]) -> bool:
    """Return whether something deviates."""
    return any(verdict.verdict is Judgement.DEVIATES for verdict in verdicts)


def image(attempt: CallAttempt, plans: tuple[CallPlan, ...], paths: tuple[Path, ...], table: str) -> Image:
    """The program of a unit that could be linked."""
    linked = image_of(attempt, paths, table, table)
    assert isinstance(linked, Path), "it was linked before"
    return Image(plans, linked)


def batches(plans: Sequence[CallPlan]) -> Iterator[Sequence[CallPlan]]:
    """Plans of calls in batches."""
    for start in range(0, len(plans), BATCH):
        yield plans[start : start + BATCH]


def layout_batches(plans: Sequence[LayoutPlan]) -> Iterator[Sequence[LayoutPlan]]:
    """Plans of layouts in batches."""
    for start in range(0, len(plans), BATCH):
        yield plans[start : start + BATCH]
