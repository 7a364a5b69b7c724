"""The witness of running code: addresses of members, and the bits that a bit-field's assignment sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.machines.executors.replay import Died, observe
from abiprobe.harness.machines.render.layouts import WORD
from abiprobe.harness.machines.render.witnesses import WitnessedRecord, values_unit
from abiprobe.harness.machines.runtime.build import TABLE
from abiprobe.harness.machines.runtime.script import AREA, Enter, Entered
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.image.observe import failed, linked
from abiprobe.harness.observers.objects.layouts import bits_set
from abiprobe.harness.observers.objects.witness_questions import WitnessQuestion
from abiprobe.oracles.text.place import ByteOrder
from abiprobe.results.verdicts.record import Outcome
from abiprobe.results.verdicts.witnesses import WitnessObservation


def observe_values(
    attempt: Attempt, known: Sequence[WitnessQuestion]
) -> Iterator[tuple[WitnessQuestion, WitnessObservation | Failed]]:
    """Yield the layout of each record by running code; needs an attempt with a bench."""
    fitting = []
    for each in known:
        if max(each.own.size, each.asked.out_bytes) <= AREA:
            fitting.append(each)
        else:
            yield each, Failed(Outcome.TOO_LARGE, f"an object of {each.own.size} bytes")
    yield from bisected(attempt, fitting, _together)


def _together(
    attempt: Attempt, known: Sequence[WitnessQuestion], _text: str | None
) -> list[WitnessObservation | Failed] | Failed:
    asked = [each.asked for each in known]
    unit = compiled(attempt, values_unit(asked), len(known))
    image = unit if isinstance(unit, Failed) else linked(attempt, TABLE, unit)
    if isinstance(image, Failed):
        return image
    bench = attempt.bench
    assert bench is not None, "an image was linked with it"
    limits = attempt.limits
    answers = observe(
        bench.executor,
        image,
        [_enter(index, each, bench) for index, each in enumerate(asked)],
        bench.machine,
        timeout=limits.seconds(len(known)),
        memory=limits.memory,
    )
    image.unlink()
    return [
        _shown(each, answer.out, bench.machine.order) if isinstance(answer, Entered) else _died(answer)
        for each, answer in zip(asked, answers, strict=True)
    ]


def _enter(index: int, asked: WitnessedRecord, bench: Bench) -> Enter:
    return Enter(index=index, enter=bench.machine.initial, out_bytes=asked.out_bytes)


def _died(answer: object) -> Failed:
    assert isinstance(answer, Died), "an entered function leaves or dies"
    return failed(answer)


def _shown(asked: WitnessedRecord, out: bytes, order: ByteOrder) -> WitnessObservation:
    """The numbers and the bytes that `values_unit` describes, read."""
    words = [out[at : at + WORD] for at in range(0, asked.words * WORD, WORD)]
    size, *offsets = (int.from_bytes(word, order) for word in words)
    places = {
        member.path: (offset * 8, member.bit_width)
        for member, offset in zip(asked.offsets, offsets, strict=True)
    }
    for number, member in enumerate(asked.bit_fields):
        at = asked.words * WORD + number * asked.size
        places[member.path] = bits_set(out[at : at + asked.size], big_endian=order == "big")
    return WitnessObservation(size, None, places)
