"""What compilers for CUDA devices make of prototypes, in the notation of golden vectors, as far as it can be seen.

Nothing here asks a model: declarations are read from PTX, places from the machine code of ptxas, offsets from images of kernels.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.device.assembler import reading
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.cubin import KernelRecord
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall, observe_devices
from abiprobe.harness.observers.device.observer import LEVEL
from abiprobe.harness.observers.device.plan import DevicePlan, planned
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.state import State
from abiprobe.harness.observers.device.sass.symbols import (
    EntryByte,
    Loaded,
    Masked,
    Partial,
    Sign,
    Stack,
    Symbol,
)
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.abis.ptx.parameter import Parameter
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.language.lang import BitInt, Kind, Prototype, Scalar, Type
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import StackSlot

WORD = 4
DECODED = "sm_75"
"""The architecture whose code is read: places are the same on all."""
NEWEST, OTHERS = "sm_100", ("sm_75", "sm_90")
"""The architecture whose offsets are told, and those of which only others are."""


def measured(ptxas: Tool, target: str, subject: str, asked: Sequence[Prototype]) -> list[str]:
    """The line of each prototype; of one that is not compiled, or that the model has no answer for, why."""
    model, built = find_model(target), build(parse_subject(subject), find_target(target), LEVEL)
    assert built is not None
    found = ["" for _ in asked]
    plans = []
    for number, question in enumerate(asked):
        plan = planned(number, probe(question).id, question, model.assign(question))
        if isinstance(plan, DevicePlan):
            plans.append(plan)
        else:
            found[number] = plan[0].verdict.value
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        others: dict[str, dict[int, KernelRecord]] = {}
        kernels = [plan for plan in plans if plan.prototype.kernel]
        for arch in OTHERS:
            seen = observed(ptxas, arch, built, kernels, Path(folder, arch))
            others[arch] = {
                plan.number: one.kernel for plan, one in seen if isinstance(one.kernel, KernelRecord)
            }
        for plan, one in observed(ptxas, NEWEST, built, kernels, Path(folder, NEWEST)):
            known = {arch: own.get(plan.number) for arch, own in others.items()}
            try:
                found[plan.number] = kernel_line(one, known)
            except UnseenError as error:
                found[plan.number] = f"unseen: {error}"
        functions = [plan for plan in plans if not plan.prototype.kernel]
        for plan, one in observed(ptxas, DECODED, built, functions, Path(folder, "functions")):
            try:
                found[plan.number] = line(plan, one)
            except (UnseenError, UndecodedError) as error:
                found[plan.number] = f"unseen: {error}"
    return found


def observed(
    ptxas: Tool, arch: str, built: object, plans: Sequence[DevicePlan], folder: Path
) -> Iterator[tuple[DevicePlan, ObservedDeviceCall]]:
    """What a compiler and ptxas made of plans."""
    folder.mkdir()
    attempt = Attempt(None, built, folder, Limits())  # type: ignore[arg-type]
    for plan, one in observe_devices(attempt, Assembler(ptxas, arch, LEVEL), plans):
        if isinstance(one, ObservedDeviceCall) and one.signature is not None:
            yield plan, one


def line(plan: DevicePlan, seen: ObservedDeviceCall) -> str:
    """A function of the device."""
    callee = usable(seen.callee)
    caller = reading.only_call(usable(seen.caller))
    assert seen.signature is not None
    formals, result = seen.signature.params, seen.signature.result
    params = []
    for formal, copied, param in zip(formals, plan.slots.params, plan.prototype.params, strict=True):
        size = min(formal.param.size, copied.size)
        read = [plain(one) for one in reading.stored(callee, copied.slot, size)]
        tail = () if formal.param.is_array else above(caller, read[-1])
        params.append(pieces(read, copied.size) + told(tail, copied.slot + size - 1, param.type))
    text, declared = ", ".join(params), ", ".join(notation(formal.param) for formal in formals)
    if result is not None and plan.slots.result is not None:
        text += f" -> {returned(callee, plan, result.param)}"
        declared += f" -> {notation(result.param)}"
    return f"{text.strip()}; declared {declared.strip()}"


def returned(callee: State, plan: DevicePlan, result: Parameter) -> str:
    """Where a callee leaves its result."""
    copied = plan.slots.result
    assert copied is not None
    size = min(result.size, copied.size)
    wanted = reading.loaded(copied.slot, size)
    if reading.left(callee, size, hidden=True)[:1] == wanted[:1]:
        return "*R4"
    left = [plain(one) for one in reading.left(callee, size, hidden=False)]
    # Padding need not be written.
    if any(isinstance(one, Loaded) and one != want for one, want in zip(left, wanted, strict=True)):
        raise UnseenError(str(left))
    spots: list[Symbol] = [EntryByte(4 + byte // WORD, byte % WORD) for byte in range(size)]
    narrow = size % WORD and not result.is_array
    tail = callee.read(4 + (size - 1) // WORD)[size % WORD :] if narrow else ()
    return pieces(spots, copied.size) + told(tail, copied.slot + size - 1, plan.prototype.result)


def kernel_line(seen: ObservedDeviceCall, others: dict[str, KernelRecord | None]) -> str:
    """A kernel: its offsets, those of other architectures where they differ, and its declarations."""
    if not isinstance(seen.kernel, KernelRecord) or seen.signature is None:
        raise UnseenError("no image")
    declared = ", ".join(notation(formal.param) for formal in seen.signature.params)
    places = []
    for index, own in enumerate(seen.kernel.params):
        found = {arch: one.params[index].offset for arch, one in others.items() if one is not None}
        differing = [f"{arch}:{offset}" for arch, offset in found.items() if offset != own.offset]
        places.append("/".join((f"bank+{own.offset}", *differing)))
    return f"{', '.join(places)}; declared {declared}"


class UnseenError(Exception):
    """A side of a call cannot be told."""


def usable(state: State | Failed) -> State:
    """A state that was reached."""
    if isinstance(state, Failed):
        raise UnseenError(state.words)
    return state


def plain(symbol: Symbol) -> Symbol:
    """The byte behind one of which only some bits are known."""
    return symbol.of if isinstance(symbol, Masked | Partial) else symbol


def pieces(seen: Sequence[Symbol], size: int) -> str:
    """Places of consecutive bytes; one of which nothing can be told is taken to be where its neighbours say."""
    symbols = list(seen)
    for index, one in enumerate(symbols):
        before = symbols[index - 1] if index else None
        if one is None and isinstance(before, EntryByte):
            symbols[index] = EntryByte(before.number + (before.byte + 1) // WORD, (before.byte + 1) % WORD)
        elif one is None and isinstance(before, Stack):
            symbols[index] = Stack(before.offset + 1)
    first = symbols[0] if symbols else None
    if isinstance(first, Stack):
        if any(one != Stack(first.offset + index) for index, one in enumerate(symbols)):
            raise UnseenError(str(symbols))
        return f"stack+{first.offset}" + ("" if len(symbols) == size else f"[0:{len(symbols)}]")
    found: list[tuple[int, int, int]] = []
    for index, one in enumerate(symbols):
        if not isinstance(one, EntryByte):
            raise UnseenError(f"byte {index}: {one}")
        if found and found[-1][0] == one.number:
            found[-1] = (one.number, found[-1][1], index + 1)
        else:
            found.append((one.number, index, index + 1))
    return " ".join(
        f"R{number}" + ("" if (start, end) == (0, size) else f"[{start}:{end}]")
        for number, start, end in found
    )


def above(call: State, last: Symbol) -> Sequence[Symbol]:
    """What a caller puts above the last byte of a value, which a callee reads there."""
    if isinstance(last, EntryByte):
        return call.read(last.number)[last.byte + 1 :]
    if isinstance(last, Stack):
        rest = range(last.offset + 1, round_up(last.offset + 1, WORD))
        return [reading.at_call(call, (StackSlot(offset), 0)) for offset in rest]
    return ()


def told(tail: Sequence[Symbol], slot: int, c_type: Type | None) -> str:
    """Copies of the sign, zeros, or nothing that can be told; the top bit of a `_Bool` is 0, and so is what repeats it."""
    if isinstance(c_type, BitInt):
        return ""
    if tail and all(one == Sign(Loaded(slot)) for one in tail):
        return ":zero" if c_type == Scalar(Kind.BOOL) else ":sign"
    return ":zero" if tail and all(one == 0 for one in tail) else ""


def notation(param: Parameter) -> str:
    """A declaration without its name."""
    return param.typed + ("" if param.length is None else f"[{param.length or ''}]")
