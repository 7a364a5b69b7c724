"""Observations of classes: the constants of an object file, and the actions of code in a program that runs."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence

from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.executors.replay import observe
from abiprobe.harness.machines.readers.objects import constants, is_big_endian
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.machines.render.class_units import LAYOUT, WORD, behind, constants_unit, running_unit
from abiprobe.harness.machines.render.d.classes import constants_unit as classes_in_d
from abiprobe.harness.machines.render.d.classes import told as told_constants
from abiprobe.harness.machines.runtime.build import TABLE
from abiprobe.harness.machines.runtime.script import AREA, Enter, Entered
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.classes.plan import ALIGNMENT, BEHIND, SIZE, ClassPlan
from abiprobe.harness.observers.image.observe import failed, linked
from abiprobe.harness.observers.objects.layouts import bits_set
from abiprobe.oracles.text.place import ByteOrder
from abiprobe.results.verdicts.record import Outcome

ClassObservation = dict[str, int | tuple[int, int]]
"""The observation of each fact that was asked for: a number of bytes, or the offset and the width of bits."""
Running = tuple[ClassPlan, ClassObservation]


def observe_classes(
    attempt: Attempt, units: Iterable[Sequence[ClassPlan]]
) -> Iterator[tuple[ClassPlan, ClassObservation | Failed]]:
    """Yield the observation of each class of some units by a compiler's constants and, if programs can be run, its code.

    Code that cannot be had or that dies shows nothing; a compiler that does not even give constants has failed.
    """
    for plans in units:
        yield from _observe(attempt, plans)


def _observe(
    attempt: Attempt, plans: Sequence[ClassPlan]
) -> Iterator[tuple[ClassPlan, ClassObservation | Failed]]:
    answers = list(bisected(attempt, plans, _constants))
    known = [(plan, shows) for plan, shows in answers if not isinstance(shows, Failed)]
    running = dict(_running(attempt, known)) if attempt.bench is not None else {}
    for plan, shows in answers:
        yield plan, shows if isinstance(shows, Failed) else {**shows, **running.get(plan.probe, {})}


def _constants(
    attempt: Attempt, plans: Sequence[ClassPlan], _text: str | None
) -> list[ClassObservation] | Failed:
    in_d = bool(attempt.built.language)
    asked = [plan.asked for plan in plans]
    text = classes_in_d([one.asked for one in asked]) if in_d else constants_unit(asked)
    found = compiled(attempt, text, len(plans))
    if isinstance(found, Failed):
        return found
    with stage("read"):
        try:
            symbols, big = constants(found), is_big_endian(found)
            return [
                read(told_in_d(plan) if in_d else told(plan), symbols[f"{LAYOUT}{index}"], big)
                for index, plan in enumerate(plans)
            ]
        except UnreadError as error:
            return Failed(Outcome.UNDECODED, str(error))
        except (ValueError, KeyError, struct.error) as error:
            return Failed(Outcome.REFUSED, f"the object file is not readable: {error}")


def told(plan: ClassPlan) -> list[str]:
    """The subjects of the constants of a class, in their order."""
    names = [SIZE, ALIGNMENT, *(one.name for one in plan.asked.offsets)]
    return names + [BEHIND[one.tag] for one in behind(plan.asked.asked)]


def told_in_d(plan: ClassPlan) -> list[str]:
    """The subjects of those that D has."""
    return [BEHIND.get(what, what) for what in told_constants(plan.asked.asked, "")]


def read(names: Sequence[str], data: bytes, big: bool) -> ClassObservation:  # noqa: FBT001 - the byte order of an object
    """The constants of one class by their subjects; raises `ValueError` where there are too few."""
    wanted = len(names) * WORD
    if len(data) < wanted:
        raise ValueError(f"{len(data)} bytes for {len(names)} numbers")
    numbers = struct.unpack(f"{'>' if big else '<'}{len(names)}Q", data[:wanted])
    return dict(zip(names, numbers, strict=True))


def _running(attempt: Attempt, known: Sequence[Running]) -> Iterator[tuple[str, ClassObservation]]:
    """Yield the observations of objects of the classes that have bases or bit-fields to ask for."""
    asked = [
        (plan, shows)
        for plan, shows in known
        if 0 < plan.asked.out_bytes(size_in(shows)) <= AREA and size_in(shows) <= AREA
    ]
    for (plan, _), found in bisected(attempt, asked, _together):
        if not isinstance(found, Failed):
            yield plan.probe, found


def size_in(shows: ClassObservation) -> int:
    """The size in bytes that the constants of a class tell."""
    size = shows[SIZE]
    assert isinstance(size, int), "a size is one number"
    return size


def _together(
    attempt: Attempt, known: Sequence[Running], _text: str | None
) -> list[ClassObservation | Failed] | Failed:
    sizes = [size_in(shows) for _, shows in known]
    unit = compiled(attempt, running_unit([plan.asked for plan, _ in known], sizes), len(known))
    image = unit if isinstance(unit, Failed) else linked(attempt, TABLE, unit)
    if isinstance(image, Failed):
        return image
    bench = attempt.bench
    assert bench is not None, "an image was linked with it"
    enters = [
        Enter(index=index, enter=bench.machine.initial, out_bytes=plan.asked.out_bytes(size))
        for index, ((plan, _), size) in enumerate(zip(known, sizes, strict=True))
    ]
    answers = observe(
        bench.executor,
        image,
        enters,
        bench.machine,
        timeout=attempt.limits.seconds(len(known)),
        memory=attempt.limits.memory,
    )
    image.unlink()
    return [
        shown(plan, answer.out, size, bench.machine.order) if isinstance(answer, Entered) else failed(answer)  # type: ignore[arg-type]
        for (plan, _), answer, size in zip(known, answers, sizes, strict=True)
    ]


def shown(plan: ClassPlan, out: bytes, size: int, order: ByteOrder) -> ClassObservation:
    """The offsets of bases and the places of bit-fields that code has stored."""
    shows: ClassObservation = {}
    for number, base in enumerate(plan.asked.bases):
        word = out[number * WORD : (number + 1) * WORD]
        shows[base.what] = int.from_bytes(word, order, signed=True)
    for number, item in enumerate(plan.asked.bit_fields):
        at = len(plan.asked.bases) * WORD + number * size
        shows[item.name] = bits_set(out[at : at + size], big_endian=order == "big")
    return shows


def earlier(told: str) -> int | tuple[int, int]:
    """Convert the record of an earlier version, which had numbers as text: `8`, or `3:5` for bits."""
    offset, colon, width = told.partition(":")
    return (int(offset), int(width)) if colon else int(offset)
