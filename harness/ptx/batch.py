"""A batch of prototypes for CUDA devices: predicted, compiled to PTX, assembled, and read from the machine code."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import msgspec

from abiprobe.harness.batch import Job, kept
from abiprobe.harness.observe import Attempt
from abiprobe.harness.ptx.assemble import Assembler
from abiprobe.harness.ptx.c_calls import DevicePlan, DeviceSeen, observe_devices
from abiprobe.harness.ptx.c_judging import judged_device, kinds
from abiprobe.harness.ptx.c_links import Linker, pair_verdicts
from abiprobe.harness.ptx.c_unit import slots
from abiprobe.harness.ptx.probes import RESULT
from abiprobe.harness.ptx.tools import find_tool
from abiprobe.harness.toolchains.features import lacking
from abiprobe.harness.toolchains.find import build, identity, parse_subject
from abiprobe.harness.toolchains.options import subject_options
from abiprobe.oracles.features import features
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import Assignment, Unspecified
from abiprobe.oracles.question import by_probe, probe
from abiprobe.oracles.registry import find_model
from abiprobe.results.journal import BatchDone, BatchKey, Pairs
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved

UNOPTIMISED = "O0"
LEVEL = "O1"
ARCH = "sm_75"


class Answer(msgspec.Struct):
    """What one subject, at one level, has answered so far to a batch."""

    name: str
    level: str
    options: LayoutOptions
    attempt: Attempt
    verdicts: list[Verdict]
    seen: dict[int, tuple[DevicePlan, DeviceSeen]]
    own_seconds: float = 0.0


def run_device_job(job: Job) -> list[BatchDone]:
    """Put a batch of prototypes to each of its subjects, and let them call each other's functions."""
    tool = find_tool("ptxas")
    assembler = None if tool is None else Assembler(tool, ARCH, LEVEL)
    answers = []
    clock = time.process_time()
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        for number, (name, level) in enumerate(job.subjects):
            own = Path(folder, str(number))
            own.mkdir()
            answer = put(job, assembler, name, level, own)
            answer.own_seconds = time.process_time() - clock
            answers.append(answer)
            clock = time.process_time()
        if assembler is not None:
            add_pairs(job.pairs, assembler, answers)
    return [finished(job, answer) for answer in answers]


def put(job: Job, assembler: Assembler | None, name: str, level: str, folder: Path) -> Answer:
    """Put a batch to one subject at one level of optimisation.

    Unoptimised code passes everything through memory that the decoder does not follow; it is compiled at `-O1` instead.
    """
    subject = parse_subject(name)
    built = build(subject, job.target, LEVEL if level == UNOPTIMISED else level)
    assert built is not None, "the session offers subjects that are installed for the target"
    options = subject_options(subject)
    model = find_model(job.target, options)
    lacks = lacking(built, identity(built.command).digest)
    answer = Answer(name, level, options, Attempt(None, built, folder, job.limits), [], {})
    plans = []
    for number, question in enumerate(job.questions):
        assert isinstance(question, Prototype), "records are asked as for every target"
        found = prepared(model, number, question, lacks, built.no_calls)
        if isinstance(found, DevicePlan):
            plans.append(found)
        else:
            answer.verdicts += found
    for plan, seen in observe_devices(answer.attempt, assembler, plans):
        answer.verdicts += judged_device(plan, seen)
        if isinstance(seen, DeviceSeen):
            answer.seen[plan.number] = plan, seen
    return answer


def add_pairs(wanted: Pairs, assembler: Assembler, answers: Sequence[Answer]) -> None:
    """Let the callers of subjects call the callees of others, at one level and of one model."""
    tool = find_tool("nvlink")
    for caller, callee in permutations(answers, 2):
        alike = (caller.level, caller.options) == (callee.level, callee.options)
        first = answers[0].name in {caller.name, callee.name}
        if alike and (wanted is Pairs.ALL or (wanted is Pairs.FIRST and first)):
            linker = None if tool is None else Linker(tool, assembler, caller.attempt)
            caller.verdicts += pair_verdicts(linker, caller.seen, callee.seen, callee.name)


def finished(job: Job, answer: Answer) -> BatchDone:
    """The line of the journal for what one subject answered."""
    attempt = answer.attempt
    return BatchDone(
        BatchKey(job.target, answer.name, answer.level, job.sort, job.number),
        len(job.questions),
        tuple(answer.verdicts),
        kept(by_probe(job.questions), answer.verdicts),
        attempt.compile_seconds,
        attempt.link_seconds,
        attempt.run_seconds,
        answer.own_seconds,
    )


def prepared(
    model: AbiModel, number: int, question: Prototype, lacks: frozenset[str], no_calls: str
) -> DevicePlan | tuple[Verdict, ...]:
    """A prototype that can be put to a compiler, or the verdicts that need none."""
    asked = probe(question)
    answer = model.assign(question)
    if isinstance(answer, Assignment):
        places = slots(
            [(passed.size, passed.align) for passed in answer.params],
            None if answer.result is None else (answer.result.size, answer.result.align),
        )
        plan = DevicePlan(number, asked.id, question, answer, places)
        missing = features(question) & lacks
        used = sum(place.size + 8 for place in places.params)
        why = no_calls or (f"the compiler has no {', '.join(sorted(missing))}" if missing else "")
        if not why and used <= RESULT:
            return plan
        outcome = Outcome.UNSUPPORTED if why else Outcome.TOO_LARGE
        return tuple(unobserved(asked.id, kind, outcome, why or f"{used} bytes") for kind in kinds(plan))
    places = slots([], None)
    nothing = DevicePlan(number, asked.id, question, Assignment((), None, (), 0), places)
    if isinstance(answer, Unspecified):
        return tuple(
            Verdict(asked.id, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, answer.clause, answer.why)
            for kind in kinds(nothing)
        )
    return tuple(unobserved(asked.id, kind, Outcome.UNSUPPORTED, answer.why) for kind in kinds(nothing))
