"""Signatures of PTX against the machine code of ptxas: callees, callers and kernels, in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from pathlib import Path

import msgspec

from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.device.assembler import probes, reading
from abiprobe.harness.observers.device.assembler.assemble import Assembled, Assembler, bisected
from abiprobe.harness.observers.device.assembler.cubin import Cubin
from abiprobe.harness.observers.device.conduct import told, wanted
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.follow import follow
from abiprobe.harness.observers.device.sass.state import Misaligned, Overwritten, State
from abiprobe.harness.observers.device.sass.symbols import Symbol
from abiprobe.harness.ptxas.crashing import Shape, groups, shape, split_batch
from abiprobe.oracles.abis.ptx.parameter import Signature
from abiprobe.oracles.abis.ptx.sass import kernels
from abiprobe.oracles.abis.ptx.sass.places import ROLES, FunctionPlaces, assign
from abiprobe.oracles.abis.ptx.sass.prototypes import prototype_string
from abiprobe.oracles.abis.ptx.text.rules import MISALIGNED
from abiprobe.results.verdicts.record import Judgement, Outcome

BATCH = 100
VERSION_OF_LARGE = "8.1"
SHARE = 5 * BATCH
"""How many signatures one process is given: enough to gain by what it learns of crashes."""


class Side(Enum):
    """The side of a signature that is tested."""

    CALLEE = "callee"
    """where a function finds its parameters and leaves its result"""
    CALLER = "caller"
    """where a call puts its arguments and finds the result"""
    KERNEL = "kernel"
    """where the image says the parameters of a kernel are"""


class Checked(msgspec.Struct, frozen=True):
    """The answer about one side of a signature; `detail` says what is elsewhere, or why there is no answer.

    `unsized` bytes were passed for an array without a size. `clause` is broken by code that is wrong by itself.
    """

    signature: Signature
    side: Side
    judgement: Judgement
    outcome: Outcome = Outcome.OBSERVED
    detail: str = ""
    unsized: int = probes.UNSIZED_BYTES
    clause: str = ""

    @property
    def what(self) -> str:
        """The signature, with the bytes that were passed for an array without a size."""
        last = self.signature.params[-1:]
        return f"{self.signature}{f' of {self.unsized} bytes' if last and last[0].is_unsized else ''}"


def check(
    assembler: Assembler, side: Side, signatures: Sequence[Signature], unsized: int = probes.UNSIZED_BYTES
) -> Iterator[Checked]:
    """Assemble probes of all signatures and compare every byte with the model; `unsized` bytes of arrays without a size.

    Finding what crashed ptxas costs half a batch, so signatures of a shape that did are asked alone from then on.
    """
    crashed: set[Shape] = set()
    with temporary() as folder:
        for start in range(0, len(signatures), BATCH):
            for group in groups(signatures[start : start + BATCH], frozenset(crashed)):
                for items, assembled in bisected(
                    assembler,
                    group,
                    lambda some: text(assembler.arch, side, some, unsized),
                    Path(folder),
                    split_batch,
                ):
                    if assembled.outcome is Outcome.CRASHED:
                        crashed |= {shape(own) for own in items}
                    for one in judged(assembler.arch, side, items, assembled, unsized):
                        yield msgspec.structs.replace(one, unsized=unsized)


def text(arch: str, side: Side, signatures: Sequence[Signature], unsized: int = probes.UNSIZED_BYTES) -> str:
    """One module with a probe of each signature."""
    write: dict[Side, Callable[[int, Signature], str]] = {
        Side.CALLEE: lambda number, own: probes.callee(f"f{number}", own, unsized),
        Side.CALLER: lambda number, own: probes.caller(f"f{number}", f"e{number}", own, unsized),
        Side.KERNEL: lambda number, own: probes.kernel(f"f{number}", own),
    }
    large = side is Side.KERNEL and any(map(is_large, signatures))
    version = VERSION_OF_LARGE if large else probes.VERSION
    return probes.header(arch, version) + "".join(
        write[side](number, own) for number, own in enumerate(signatures)
    )


def is_large(signature: Signature) -> bool:
    """Return whether a kernel has more parameters than older versions allow."""
    return kernels.offsets_from(signature.params, 0)[1] > kernels.SMALL_LIMIT


def judged(
    arch: str, side: Side, signatures: Sequence[Signature], assembled: Assembled, unsized: int
) -> Iterator[Checked]:
    """The answers about the signatures of one image, or about the one that has none."""
    if assembled.outcome is not Outcome.OBSERVED:
        words = f"{assembled.signal}: {assembled.words}" if assembled.signal else assembled.words
        for own in signatures:
            yield Checked(own, side, Judgement.UNOBSERVED, assembled.outcome, words)
        return
    try:
        image = Cubin(assembled.image)
    except ValueError as error:
        for own in signatures:
            yield Checked(own, side, Judgement.UNOBSERVED, Outcome.UNDECODED, f"no image: {error}")
        return
    for number, own in enumerate(signatures):
        name = f"f{number}"
        if side is Side.KERNEL:
            yield compared(own, side, kernel_difference(arch, image, name, own))
            continue
        try:
            state = follow(image.code(name) or b"")
            places = assign(own.params, own.result)
            look = callee_difference if side is Side.CALLEE else caller_difference
            difference = look(own, places, state, unsized)
        except UndecodedError as error:
            yield Checked(own, side, Judgement.UNOBSERVED, Outcome.UNDECODED, str(error))
            continue
        called = name if side is Side.CALLEE else f"e{number}"
        string = prototype_string(own.params, own.result)
        if not difference and image.prototypes.get(called) != string:
            difference = f"prototype string {image.prototypes.get(called)}, not {string}"
        yield compared(own, side, difference) if difference else conducted(own, side, state)


def compared(own: Signature, side: Side, difference: str) -> Checked:
    """Agreement when there is no difference."""
    return Checked(own, side, Judgement.DEVIATES if difference else Judgement.AGREES, detail=difference)


def conducted(own: Signature, side: Side, state: State) -> Checked:
    """Agreement when the code has no fault, otherwise a deviation by the first."""
    fault = next(iter(state.faults), None)
    match fault:
        case None:
            return compared(own, side, "")
        case Misaligned():
            words, clause = f"{told(fault)}, not at {wanted(fault)}", MISALIGNED.clause
        case Overwritten(number):
            words, clause = f"R{number} at the return: {told(fault)}, not {wanted(fault)}", ROLES
    return msgspec.structs.replace(compared(own, side, words), clause=clause)


def callee_difference(own: Signature, places: FunctionPlaces, state: State, unsized: int) -> str:
    """Return the difference between the model and the places a callee reads or leaves; raises `UndecodedError` for unknown ones."""
    for index, (param, slot, placed) in enumerate(
        zip(own.params, probes.slots(own.params), places.params, strict=True)
    ):
        size = probes.probed_bytes(param, unsized)
        expected = tuple(reading.place_at_entry(placed, byte) for byte in range(size))
        if found := described_difference(f"parameter {index}", expected, reading.stored(state, slot, size)):
            return found
    if own.result is None:
        return ""
    expected = reading.loaded(probes.RESULT, own.result.size)
    return described_difference(
        "result", expected, reading.left(state, own.result.size, hidden=places.hidden)
    )


def caller_difference(own: Signature, places: FunctionPlaces, state: State, unsized: int) -> str:
    """Return the difference between the model and the places a caller uses; raises `UndecodedError` for unknown ones."""
    for index, (param, slot, placed) in enumerate(
        zip(own.params, probes.slots(own.params), places.params, strict=True)
    ):
        size = probes.probed_bytes(param, unsized)
        if found := described_difference(
            f"parameter {index}", reading.loaded(slot, size), reading.passed(state, placed, size)
        ):
            return found
    if own.result is None:
        return ""
    expected = tuple(reading.place_at_return(places, byte) for byte in range(own.result.size))
    return described_difference("result", expected, reading.taken(state, own.result.size))


def described_difference(what: str, expected: Sequence[Symbol], seen: Sequence[Symbol]) -> str:
    """The first byte that is elsewhere, in words."""
    index = reading.first_difference(expected, seen)
    if index is None:
        return ""
    if seen[index] is None:
        raise UndecodedError(f"byte {index} of {what} is not known")
    return f"byte {index} of {what}: {reading.spelled(expected[index])} expected, {reading.spelled(seen[index])} seen"


def kernel_difference(arch: str, image: Cubin, name: str, own: Signature) -> str:
    """Return the first of the four witnesses of a kernel's parameters that contradicts the model."""
    record = image.kernel(name)
    if record is None:
        return "the image has no such kernel"
    expected = kernels.layout(own.params, arch)
    rows = {
        "offsets": (expected.offsets, tuple(param.offset for param in record.params)),
        "sizes": (expected.sizes, tuple(param.size for param in record.params)),
        "bank base": (expected.base if own.params else record.bank_base, record.bank_base),
        "bank size": (expected.total, record.bank_size),
        "parameter size": (expected.total, record.size),
        "constant bank": (expected.bank_bytes, record.section_bytes),
    }
    return "; ".join(
        f"{what} {seen}, not {wanted}" for what, (wanted, seen) in rows.items() if wanted != seen
    )
