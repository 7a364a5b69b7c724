"""Functions that compute: the same prototypes and pragmas with a body that a compiler does in all lanes at once.

What a variant returns for a lane is compared with what the scalar function of the same unit returns for the same
arguments. The coefficients are even and the rest is odd, so that a compiler can tell a `_Bool` result beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.harness.machines.render.simd import declare, heading, needs_cxx, prototype
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Enter, Patch
from abiprobe.harness.observers.lanes.cases import Filled
from abiprobe.harness.observers.lanes.copying import HEAD, LONGEST, RESULT_STRIDE, offsets
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.values import Bytes, active_lanes, seen_by_lanes, small_values
from abiprobe.oracles.abis.vfabi.length import is_element
from abiprobe.oracles.abis.vfabi.variant import Spread, Variant, VariantPlaces
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Pointer, Scalar, Type, strip

SUM = "_sum"
SCALAR = "_scalar"


class Computed(msgspec.Struct, frozen=True):
    """A call of one variant, and the call of the scalar function for each of its lanes."""

    plan: VectorPlan
    variant: Variant
    places: VariantPlaces
    lanes: tuple[int, ...]
    scalar: Enter
    vector: Enter


def computes(plan: VectorPlan) -> bool:
    """Return whether a function, which must be C, has variants with a result to compare."""
    return (
        plan.function.result is not None
        and not needs_cxx(plan.question)
        and any(isinstance(variant.places, VariantPlaces) for variant in plan.variants.variants)
    )


def definition(types: TypeTable, plan: VectorPlan) -> str:
    """The computing function of a plan, and the one that calls it as a scalar, lane by lane."""
    function, suffix = plan.function, plan.suffix
    name = function.name + SUM
    result = function.result
    assert result is not None, "only functions with a result compute"
    terms = ["1"] + [
        f"{2 * number} * {term}"
        for number, param in enumerate(function.params, 1)
        if (term := _term(types, param.type, param.name))
    ]
    returned = f"({declare(result, '', suffix)})({' + '.join(terms)})"
    if isinstance(strip(result), Pointer):
        returned = f"({declare(result, '', suffix)})(long)({' + '.join(terms)})"
    places, size = offsets(types, function)
    arguments = ", ".join(
        f"*({declare(param.type, '*', suffix)})(abi_in + {HEAD} + {size} * k + {at})"
        for param, at in zip(function.params, places, strict=True)
    )
    pointer = prototype(function, "(*volatile scalar)", suffix)
    stored = f"*({declare(result, '*', suffix)})(abi_out + {HEAD} + {RESULT_STRIDE} * k)"
    return f"""\
{heading(function)}{prototype(function, name, suffix)} {{ return {returned}; }}
void {function.name}{SCALAR}(void) {{
  {pointer} = {name};
  for (unsigned long k = 0; k < *(unsigned long *)abi_in; k++)
    {stored} = scalar({arguments});
}}"""


def _term(types: TypeTable, c_type: Type, name: str) -> str:
    """A parameter as a small integer; nothing for one that is none."""
    if not is_element(types, c_type):
        return ""
    match strip(c_type):
        case Pointer():
            return f"(int)(long){name}"
        case Scalar() | Enum():
            return f"(int){name}"
        case _:
            return ""


def computed(
    types: TypeTable,
    machine: Machine,
    plan: VectorPlan,
    variant: Variant,
    places: VariantPlaces,
    indices: tuple[int, int],
) -> Computed | None:
    """The calls that show what a variant computes, of functions `indices` (variant, scalar) of the image.

    `None` where its lanes do not fit the buffers.
    """
    stream = Bytes(f"{variant.symbol} sum")
    active = active_lanes(variant, stream)
    values = small_values(types, plan.function, variant, places, stream)
    at, size = offsets(types, plan.function)
    lanes = [seen_by_lanes(types, plan.function, variant, number, values) for number in range(len(at))]
    if HEAD + size * variant.name.lanes > LONGEST * 32:
        return None
    inputs = bytearray(HEAD + size * variant.name.lanes)
    inputs[:8] = variant.name.lanes.to_bytes(8, "little")
    for lane in range(variant.name.lanes):
        for start, own in zip(at, lanes, strict=True):
            value = own[lane] or b""
            here = HEAD + size * lane + start
            inputs[here : here + len(value)] = value
    known = tuple(lane for lane in active if all(own[lane] is not None for own in lanes))
    call = Filled(machine, places, f"{variant.symbol} sum noise")
    for number, param in enumerate(places.params):
        if isinstance(param, Spread):
            call.spread(param, values[number])
        else:
            call.once(param, values[number][0])
    if places.mask is not None:
        call.mask(places.mask, active)
    hidden = places.hidden
    element = places.result.element if places.result is not None else 0
    memory = variant.name.lanes * element if hidden is not None else 0
    vector = Enter(
        index=indices[0],
        enter=bytes(call.block),
        stack=bytes(call.stack),
        stack_offset=machine.return_address,
        blob=b"\x6b" * memory,
        blob_bytes=memory,
        patches=() if hidden is None else (Patch(machine.where(hidden.place), 0),),
    )
    scalar = Enter(
        index=indices[1],
        enter=bytes(call.block),
        inputs=bytes(inputs),
        out_bytes=HEAD + RESULT_STRIDE * variant.name.lanes,
    )
    return Computed(plan, variant, places, known, scalar, vector)


def all_computed(
    types: TypeTable,
    machine: Machine,
    plan: VectorPlan,
    found: list[tuple[Variant, VariantPlaces, int]],
    scalar: int,
) -> Iterator[Computed]:
    """Yield the results of each of the variants `found` (with its number in the image)."""
    for variant, places, index in found:
        one = computed(types, machine, plan, variant, places, (index, scalar))
        if one is not None:
            yield one
