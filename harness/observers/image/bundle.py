"""The bundle of a deviation in calls that are run: `values.h` says what goes into the calls, and what must come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.render.arrange import LIVE
from abiprobe.harness.machines.render.reads import RESULT
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Call, Enter, Patch
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.image.operations import operations, result_pointer
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.units import Wording, calls_text
from abiprobe.harness.observers.program_bundle import BundleRow, Tables, program_bundle
from abiprobe.oracles.engine.expect import Expected
from abiprobe.oracles.model import RegisterConvention, Target
from abiprobe.oracles.text.place import Passing
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint, Symptom
from abiprobe.results.verdicts.observations import Turn
from abiprobe.results.verdicts.wording import place_text


def call_bundle(
    plans: Sequence[CallPlan],
    about: Target,
    here: Machine,
    fingerprint: Fingerprint,
    wording: Wording | None = None,
) -> Bundle:
    """The bundle of one call on a machine of a target, in C or another `wording`; raises `Problem` where the model gives no answer."""
    if not plans:
        raise Problem(
            f"the model gives no answer for {fingerprint.target}", "only what it predicts can be shown"
        )
    text = calls_text(plans, wording)
    if fingerprint.symptom in CRASHES:
        return Bundle(text)
    assert about.registers is not None, "programs of the target are run"
    kept = fingerprint.symptom is Symptom.KEPT
    values = call_values(plans[0], here, about.registers, kept=kept)
    return program_bundle(text, values, about, plans[0].assignment.area_align, here)


def call_values(
    plan: CallPlan, machine: Machine, registers: RegisterConvention, *, kept: bool = False
) -> str:
    """values.h for a prototype; `kept` asks for what a call must leave alone, too."""
    tables = Tables()
    ops = operations(plan, 0, machine, registers)
    calls = [op for op in ops if isinstance(op, Call)]
    enters = [op for op in ops if isinstance(op, Enter)]
    turns = [
        one_turn(
            tables,
            call,
            enter,
            (
                *caller_rows(plan, machine, turn),
                *(kept_rows("caller", call.enter, machine, registers) if kept else ()),
                *(live_rows(plan, turn) if kept else ()),
                *(object_rows(plan, turn) if kept else ()),
                *(counted_rows(plan, "caller", plan.destroyed, machine) if kept else ()),
            ),
            (
                *callee_rows(plan, machine, turn, len(enter_blob(enter))),
                *(
                    kept_rows("callee", enter.enter, machine, registers.of(plan.assignment), enter.patches)
                    if kept
                    else ()
                ),
                *(counted_rows(plan, "callee", plan.destroyed_in_callee, machine) if kept else ()),
            ),
        )
        for turn, call, enter in zip(plan.turns, calls, enters, strict=False)
    ]
    listed = ",\n".join(f"  {turn}" for turn in turns)
    head = ["extern void (*const abi_functions[])(void);", *tables.lines]
    return "\n".join([*head, f"static const struct turn turns[] = {{\n{listed}\n}};", ""])


def enter_blob(enter: Enter) -> bytes:
    """The memory that a callee is given, with noise where the text says nothing."""
    return enter.blob.ljust(enter.blob_bytes, b"\x6b")


def one_turn(
    tables: Tables, call: Call, enter: Enter, caller: Sequence[BundleRow], callee: Sequence[BundleRow]
) -> str:
    """The initialiser of one turn, with what the caller and the callee must do."""
    blob = enter_blob(enter)
    stores = [f"{{{one.where:#x}u, {len(one.data)}, {tables.data(one.data)}}}" for one in call.stores]
    copies = [f"{{{one.source:#x}u, {one.target}, {one.size}}}" for one in call.copies]
    patches = [f"{{{one.where:#x}u, {one.offset}}}" for one in enter.patches]
    arrays = (call.enter, call.returns, call.inputs, enter.enter, enter.inputs, enter.stack, blob)
    sizes = (
        len(call.inputs),
        len(enter.inputs),
        len(enter.stack),
        enter.stack_offset,
        len(blob),
        call.pops,
        call.sp_bias,
        enter.sp_bias,
        call.recorded,
    )
    counted = (
        tables.table("store", stores),
        tables.table("copy", copies),
        tables.table("patch", patches),
        tables.places(caller),
        tables.places(callee),
    )
    words = [tables.data(one) for one in arrays] + [str(one) for one in sizes]
    words += [f"{name}, {count}" for name, count in counted]
    return "{" + ", ".join(words) + "}"


def caller_rows(plan: CallPlan, machine: Machine, turn: Turn) -> Iterator[BundleRow]:
    """Yield the values that the compiled caller must put into places, and read as the result."""
    for index, passed in enumerate(plan.assignment.params):
        if passed.passing is Passing.INDIRECT:
            where = machine.where(passed.pieces[0].place)
            what = f"caller: {passed.name} at {place_text(passed.pieces[0].place)}"
            yield BundleRow(what, "MEMORY", where, turn.values[index], passed.mask, align=passed.memory_align)
        for place in turn.places[index]:
            yield placed(f"caller: {passed.name}", "ENTRY", machine, place)
    yield from bounded_rows(plan, machine)
    result = plan.assignment.result
    if result is not None and result.memory_align > 1:
        address = result_pointer(plan.assignment).place
        what = f"caller: memory for the result at {place_text(address)}"
        yield BundleRow(what, "MEMORY", machine.where(address), b"", b"", align=result.memory_align)
    if turn.result_view is not None and plan.slots.result is not None:
        view = turn.result_view
        yield seen("caller: result read as", plan.slots.result.offset, view.bits, view.care, view.size)
    yield from read_rows(plan, turn, "caller")


def bounded_rows(plan: CallPlan, machine: Machine) -> Iterator[BundleRow]:
    """The hidden arguments of one byte of which the text gives the least and the largest value."""
    for hidden in plan.assignment.hidden:
        if hidden.bounds is not None:
            least, largest = (bytes((bound,)) for bound in hidden.bounds)
            place = hidden.pieces[0].place
            what = f"caller: {hidden.role} in {place_text(place)}"
            yield BundleRow(what, "BOUNDED", machine.where(place), least, largest)


def callee_rows(plan: CallPlan, machine: Machine, turn: Turn, blob: int) -> Iterator[BundleRow]:
    """Yield the values that the compiled callee must read, and those that it must leave of its result."""
    for passed, slot, view in zip(plan.assignment.params, plan.slots.params, turn.views, strict=False):
        yield seen(f"callee: {passed.name} read as", slot.offset, view.bits, view.care, view.size)
    yield from read_rows(plan, turn, "callee")
    result = plan.assignment.result
    if result is None or turn.result is None:
        return
    if result.passing is Passing.INDIRECT:
        yield BundleRow("callee: result in memory", "RESULT", blob - result.size, turn.result, result.mask)
    for place in turn.result_places:
        yield placed("callee: result", "LEFT", machine, place)


def read_rows(plan: CallPlan, turn: Turn, side: str) -> Iterator[BundleRow]:
    """Yield the values that one side computes from parts of values or by converting them."""
    for read, view in zip(plan.slots.reads, turn.read, strict=True):
        if (read.value == RESULT) is (side == "caller"):
            name = "result" if read.value == RESULT else plan.assignment.params[read.value].name
            what = f"{side}: {'.'.join(part for part in (name, read.path) if part)} computed as"
            # Other languages than C do not convert what they are asked for.
            yield seen(what, read.slot.offset, view.bits, view.care, view.size, "OWN")


def kept_rows(
    side: str,
    entered: bytes,
    machine: Machine,
    registers: RegisterConvention,
    patches: Sequence[Patch] = (),
) -> Iterator[BundleRow]:
    """The callee-saved registers, which must hold what they held when a function was entered.

    Which address one held that carries an argument is not known before.
    """
    addresses = {patch.where for patch in patches}
    for kept in registers.preserved:
        if machine.registers[kept.register].offset in addresses:
            continue
        at, size = machine.lowest(kept.register, kept.size)
        care = ~kept.free & (1 << size * 8) - 1
        want = entered[at : at + size]
        what = f"{side}: {kept.register} kept"
        yield BundleRow(what, "LEFT", at, want, care.to_bytes(size, machine.order))


def live_rows(plan: CallPlan, turn: Turn) -> Iterator[BundleRow]:
    """Yield the values that the caller keeps over the call for itself, if it was asked to."""
    for item, slot, value in zip(LIVE, plan.slots.live, turn.live, strict=False):
        yield BundleRow(f"caller: its own {item.name}", "OUT", slot.offset, value, b"\xff" * len(value))


def object_rows(plan: CallPlan, turn: Turn) -> Iterator[BundleRow]:
    """The caller's own records of which it passes copies, which the call must leave alone."""
    for index, slot in plan.slots.objects:
        passed = plan.assignment.params[index]
        what = f"caller: its own {passed.name}"
        yield BundleRow(what, "OWN", slot.offset, turn.values[index], passed.mask)


def counted_rows(plan: CallPlan, side: str, destroyed: int, machine: Machine) -> Iterator[BundleRow]:
    """Yield the number of objects that one side destroys, where the program counts them."""
    if plan.slots.counted is not None:
        slot = plan.slots.counted
        want = destroyed.to_bytes(slot.size, machine.order)
        yield BundleRow(f"{side}: destroyed objects", "OUT", slot.offset, want, b"\xff" * slot.size)


def placed(what: str, kind: str, machine: Machine, place: Expected) -> BundleRow:
    """The row of a register or stack slot."""
    width = (
        min(place.width, machine.registers[place.place.name].width)
        if hasattr(place.place, "name")
        else place.width
    )
    want, care = (number.to_bytes(place.width, "little")[:width] for number in (place.bits, place.care))
    return BundleRow(f"{what} in {place_text(place.place)}", kind, machine.where(place.place), want, care)


def seen(what: str, offset: int, bits: int, care: int, size: int, kind: str = "OUT") -> BundleRow:
    """The row of a value that a program stored."""
    mask = (1 << size * 8) - 1
    want, cared = ((number & mask).to_bytes(size, "little") for number in (bits & care, care))
    return BundleRow(what, kind, offset, want, cared)
