"""Places of elements: the arguments of a variant in order, its mask and its result (2.3 to 2.5)."""

from __future__ import annotations

from abiprobe.oracles.abis.vfabi import dialect as dialects
from abiprobe.oracles.abis.vfabi.calling import NARROWEST, VECTOR, Caller, Slice, vector_name
from abiprobe.oracles.abis.vfabi.dialect import Dialect, Isa
from abiprobe.oracles.abis.vfabi.roles import Described, is_reference
from abiprobe.oracles.abis.vfabi.variant import Argument, LaneGroup, Once, Spread, VariantPlaces
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind, Scalar, Type, spelling, strip
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Piece, Register, StackSlot

cite, implements = citing(__package__)
REFERENCE = cite("map.reference")
MASK = cite("mask.element")
MASK_BITS = cite("gcc.mask-bits")
RESULT = cite("result.vector")
RESULT_SPLIT = cite("result.split")
GCC_MEMORY = cite("gcc.memory")


@implements("mask.last", "mask.count", "order.parts", "map.reference")
def assign(
    dialect: Dialect,
    policy: dialects.VectorPolicy,
    scalar: AbiModel,
    result: Type | None,
    described: tuple[Described, ...],
    variant: tuple[Isa, bool, int],
    cdt: Type,
) -> VariantPlaces:
    """The places of a variant (ISA, masked, lanes) whose parameters are `described`.

    Raises `SilentError` where the dialect says nothing.
    """
    isa, masked, lanes = variant
    call = Caller(dialect, policy, scalar, isa, lanes)
    returned, hidden = assign_result(call, result)
    waiting: list[tuple[int, Slice]] = []
    parts: dict[int, list[LaneGroup]] = {}
    once: dict[int, Once] = {}

    def take_mask() -> Spread | None:
        return assign_mask(call, cdt) if masked else None

    # [vfabi:mask.count]
    mask = None if policy.mask_last else take_mask()
    for number, one in enumerate(described):
        if not one.per_lane:
            once[number] = call.once(one.param)
            continue
        if is_reference(one.param.type) and dialect.name == "document":
            raise SilentError(REFERENCE, f"the reference {one.param.name}")
        first, *rest = call.slices(one.param.type)
        parts[number] = [call.place(first)]
        if policy.parts_together:
            parts[number] += [call.place(slice_) for slice_ in rest]
        else:
            waiting += [(number, slice_) for slice_ in rest]
    # [vfabi:order.parts]
    for number, slice_ in waiting:
        parts[number].append(call.place(slice_))
    # [vfabi:mask.last]
    if policy.mask_last:
        mask = take_mask()
    params: list[Argument] = [
        once[number]
        if number in once
        else Spread(
            one.param.name,
            spelling(one.param.type),
            scalar.types.extent(one.param.type).size,
            tuple(parts[number]),
            VECTOR,
        )
        for number, one in enumerate(described)
    ]
    return VariantPlaces(tuple(params), mask, returned, hidden, round_up(call.cursor.used, 8))


@implements("result.vector", "result.split", "gcc.memory")
def assign_result(call: Caller, result: Type | None) -> tuple[Spread | None, Piece | None]:
    """Return the place of the result, and the hidden pointer if it is in memory."""
    if result is None:
        return None, None
    element = call.scalar.types.extent(result).size
    slices = call.slices(result)
    about = ("", spelling(result), element)
    if len(slices) > 1 and call.dialect.name == "document":
        raise SilentError(RESULT_SPLIT, f"a result of {len(slices)} vectors")
    if len(slices) > 1 and call.policy.result_in_memory:
        hidden = Piece(0, 8, call.cursor.take("integer"), GCC_MEMORY, None, 8)
        parts = tuple(
            LaneGroup(one.first, one.last, StackSlot(one.first * element), one.size, GCC_MEMORY)
            for one in slices
        )
        return Spread(*about, parts, GCC_MEMORY, indirect=True), hidden
    if len(slices) == 1:
        (one,) = slices
        small = one.size in call.policy.small
        name = "rax" if small else f"{vector_name(one.size)}0"
        clause = one.clause if one.size < NARROWEST else RESULT
        return Spread(
            *about, (LaneGroup(one.first, one.last, Register(name), one.size, clause),), clause
        ), None
    parts = tuple(
        LaneGroup(one.first, one.last, Register(f"{vector_name(one.size)}{number}"), one.size, RESULT)
        for number, one in enumerate(slices)
    )
    return Spread(*about, parts, RESULT), None


@implements("mask.element", "mask.bits", "gcc.mask-bits")
def assign_mask(call: Caller, cdt: Type) -> Spread:
    """The mask: vectors of the characteristic data type, or under AVX512 integers of a bit for each lane."""
    if not call.policy.mask_of_cdt:
        cdt = Scalar(Kind.INT)
    size = call.scalar.types.extent(cdt).size
    slices = call.slices(cdt)
    # [vfabi:mask.bits]
    if call.isa is Isa.AVX512 and call.policy.mask_bits:
        width = 8 if size == 1 else 4
        bits = (Slice(one.first, one.last, width, MASK_BITS, call.policy.mask_file) for one in slices)
        return Spread(
            "mask", f"unsigned integer of {8 * width} bits", 0, tuple(map(call.place, bits)), MASK_BITS
        )
    return Spread("mask", spelling(strip(cdt)), size, tuple(map(call.place, slices)), MASK)
