"""Reading and running beside each other, and whose fault it is where they differ."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from abiprobe.harness.observers.device.cuda.judging import ran, ran_pair
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall, followed
from abiprobe.harness.observers.device.judging import judge, judged_device
from abiprobe.harness.observers.device.pairs import ObservedDevicePair, judged_pair
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict
from abiprobe.results.verdicts.values import DeclaredAlignment, Words
from abiprobe.results.verdicts.wording import note_text

OURS = "abiprobe's reading of machine code is wrong here, please report it"
UNKNOWN = "whether abiprobe reads the code wrongly is not known, as the code that ran cannot be read"


def judged(plan: DevicePlan, seen: ObservedDeviceCall) -> tuple[Verdict, ...]:
    """The verdicts on one prototype: what is read, beside what a GPU ran."""
    return tuple(told(plan, seen, read) for read in judged_device(plan, seen))


def told(plan: DevicePlan, seen: ObservedDeviceCall, read: Verdict) -> Verdict:
    """One verdict; the code that ran is read, too, where it did otherwise than what was read."""
    run = ran(plan, seen.ran, read.kind)

    def again() -> Verdict:
        codes = followed(seen.ran.callee_code), followed(seen.ran.caller_code)
        return judge(plan, msgspec.structs.replace(seen, callee=codes[0], caller=codes[1]), read.kind)

    return beside(read, run, again, seen.ran.arch)


def judged_call(plan: DevicePlan, seen: ObservedDevicePair) -> Verdict:
    """The verdict on a pair: what is read, beside what a GPU ran."""
    read = judged_pair(plan, seen)
    run = ran_pair(plan, seen.ran)
    if run is not None and run.verdict is Judgement.AGREES and all(map(is_latent, read.differences)):
        return read

    def again() -> Verdict:
        there = msgspec.structs.replace(seen.there, caller=followed(seen.there.ran.caller_code))
        here = msgspec.structs.replace(seen.here, callee=followed(seen.here.ran.callee_code))
        return judged_pair(plan, msgspec.structs.replace(seen, there=there, here=here))

    return beside(read, run, again, seen.there.ran.arch)


def is_latent(one: Difference) -> bool:
    """Return whether a difference is one of declarations, by which code of another compiler or release could go wrong."""
    return isinstance(one.expected, DeclaredAlignment)


def beside(read: Verdict, run: Verdict | None, again: Callable[[], Verdict], arch: str) -> Verdict:
    """The verdict by what was read and by what was run; `again` reads what was run.

    Code that is read as right and does not end where it runs is not observed.
    """
    if run is None or read.verdict is run.verdict:
        return read
    if run.verdict is Judgement.UNOBSERVED:
        return run if read.verdict is Judgement.AGREES else read
    if read.verdict is Judgement.UNOBSERVED:
        return run
    said = whose(run, again(), arch)
    if run.verdict is Judgement.DEVIATES:
        return with_note(run, f"read as right; {said}")
    return with_note(read, f"arrives on a GPU; {said}")


def whose(run: Verdict, again: Verdict, arch: str) -> str:
    """Return whose fault it is that reading and running differ, by a reading of the code that ran."""
    if again.verdict is run.verdict:
        return f"ptxas makes other code for {arch} than what is read"
    return UNKNOWN if again.verdict is Judgement.UNOBSERVED else OURS


def with_note(verdict: Verdict, words: str) -> Verdict:
    """A deviation with a note on its first difference, or behind its words."""
    if verdict.outcome is Outcome.DIED or not verdict.differences:
        return msgspec.structs.replace(verdict, detail=f"{verdict.detail}; {words}")
    noted, *others = verdict.differences
    before = "" if noted.note is None else f"{note_text(noted.note)}; "
    item: Difference = msgspec.structs.replace(noted, note=Words(before + words))
    return msgspec.structs.replace(verdict, detail=str(item), differences=(item, *others))
