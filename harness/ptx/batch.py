"""A batch of prototypes for CUDA devices: predicted, compiled to PTX, assembled, and read from the machine code."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import msgspec

from abiprobe.harness.batch import Job, kept
from abiprobe.harness.observe import Attempt
from abiprobe.harness.ptx.assemble import Assembler
from abiprobe.harness.ptx.c_calls import DevicePlan, observe_devices
from abiprobe.harness.ptx.c_judging import judged_device, kinds
from abiprobe.harness.ptx.c_unit import slots
from abiprobe.harness.ptx.probes import RESULT
from abiprobe.harness.ptx.tools import find_tool
from abiprobe.harness.toolchains.features import lacking
from abiprobe.harness.toolchains.find import build, identity, parse_subject
from abiprobe.harness.toolchains.options import layout_options
from abiprobe.oracles.features import features
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Unspecified
from abiprobe.oracles.question import probe
from abiprobe.oracles.registry import find_model
from abiprobe.results.journal import BatchDone, BatchKey
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved

UNOPTIMISED = "O0"
LEVEL = "O1"
ARCH = "sm_75"


def run_device_job(job: Job) -> list[BatchDone]:
    """Put a batch of prototypes to each of its subjects."""
    done = []
    clock = time.process_time()
    for name, level in job.subjects:
        answer = put(job, name, level)
        done.append(msgspec.structs.replace(answer, own_seconds=time.process_time() - clock))
        clock = time.process_time()
    return done


def put(job: Job, name: str, level: str) -> BatchDone:
    """Put a batch to one subject at one level of optimisation.

    Unoptimised code passes everything through memory that the decoder does not follow; it is compiled at `-O1` instead.
    """
    subject = parse_subject(name)
    built = build(subject, job.target, LEVEL if level == UNOPTIMISED else level)
    assert built is not None, "the session offers subjects that are installed for the target"
    model = find_model(job.target, layout_options(subject.options, subject.family.name))
    lacks = lacking(built, identity(built.command).digest)
    verdicts: list[Verdict] = []
    plans = []
    for question in job.questions:
        assert isinstance(question, Prototype), "records are asked as for every target"
        found = prepared(model, question, lacks, built.no_calls)
        if isinstance(found, DevicePlan):
            plans.append(found)
        else:
            verdicts += found
    tool = find_tool("ptxas")
    assembler = None if tool is None else Assembler(tool, ARCH, LEVEL)
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        attempt = Attempt(None, built, Path(folder), job.limits)
        for plan, seen in observe_devices(attempt, assembler, plans):
            verdicts += judged_device(plan, seen)
    return BatchDone(
        BatchKey(job.target, name, level, job.sort, job.number),
        len(job.questions),
        tuple(verdicts),
        kept(job.questions, verdicts),
        attempt.compile_seconds,
        attempt.link_seconds,
        attempt.run_seconds,
    )


def prepared(
    model: AbiModel, question: Prototype, lacks: frozenset[str], no_calls: str
) -> DevicePlan | tuple[Verdict, ...]:
    """A prototype that can be put to a compiler, or the verdicts that need none."""
    asked = probe(question)
    answer = model.assign(question)
    if isinstance(answer, Assignment):
        places = slots(
            [(passed.size, passed.align) for passed in answer.params],
            None if answer.result is None else (answer.result.size, answer.result.align),
        )
        plan = DevicePlan(asked.id, question, answer, places)
        missing = features(question) & lacks
        used = sum(place.size + 8 for place in places.params)
        why = no_calls or (f"the compiler has no {', '.join(sorted(missing))}" if missing else "")
        if not why and used <= RESULT:
            return plan
        outcome = Outcome.UNSUPPORTED if why else Outcome.TOO_LARGE
        return tuple(unobserved(asked.id, kind, outcome, why or f"{used} bytes") for kind in kinds(plan))
    places = slots([], None)
    nothing = DevicePlan(asked.id, question, Assignment((), None, (), 0), places)
    if isinstance(answer, Unspecified):
        return tuple(
            Verdict(asked.id, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, answer.clause, answer.why)
            for kind in kinds(nothing)
        )
    return tuple(unobserved(asked.id, kind, Outcome.UNSUPPORTED, answer.why) for kind in kinds(nothing))
