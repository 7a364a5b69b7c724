"""The C-level witness: callers with vector types, as any compiler can build them, call the variants that gcc made.

A variant is an ordinary function whose parameters are GNU vectors, one for each part, and whose result in several parts
is a struct of an array of them. So what a compiler makes of vector types is checked against what gcc makes of pragmas.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.render.simd import declare, type_definitions
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import AREA, Enter
from abiprobe.harness.observers.lanes.cases import mask_bits
from abiprobe.harness.observers.lanes.comparing import Given
from abiprobe.harness.observers.lanes.copying import HEAD, RESULT_STRIDE, offsets
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.values import (
    Bytes,
    active_lanes,
    result_values,
    seen_by_lanes,
    travelling,
)
from abiprobe.oracles.abis.vfabi.variant import Once, Spread, Variant, VariantPlaces
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Scalar, Type, strip

ARGUMENTS_AT = AREA // 2
RESULT_AT = AREA - 4096
ALIGN = 64
INTEGERS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long"}


class Typed(msgspec.Struct, frozen=True):
    """A call of one variant in one turn through a caller that C compiled."""

    plan: VectorPlan
    variant: Variant
    places: VariantPlaces
    given: Given
    op: Enter
    row_bytes: int
    offsets: tuple[int, ...]


def caller_name(variant: Variant) -> str:
    """The name of the function that calls a variant."""
    return f"typed{variant.symbol}"


def typed_unit(plans: Sequence[tuple[VectorPlan, Sequence[Variant]]]) -> str:
    """The unit of callers."""
    lines = ["extern unsigned char abi_in[], abi_out[];"]
    for plan, variants in plans:
        lines.append(type_definitions(plan.question, plan.suffix))
        lines += [caller(plan, variant) for variant in variants]
    return "\n".join([*lines, ""])


def caller(plan: VectorPlan, variant: Variant) -> str:
    places = variant.places
    assert isinstance(places, VariantPlaces), "what is called has places"
    lines, params, arguments = [], [], []
    at = ARGUMENTS_AT
    listed = [(param, own.type) for param, own in zip(places.params, plan.function.params, strict=True)]
    if places.mask is not None:
        listed.append((places.mask, Scalar(Kind.INT)))
    for number, (param, c_type) in enumerate(listed):
        if isinstance(param, Once):
            params.append(declare(c_type, "", plan.suffix))
            arguments.append(f"*({declare(c_type, '*', plan.suffix)})(abi_in + {at})")
            at += round_up(max(param.passed.size, 1), ALIGN)
            continue
        for index, part in enumerate(param.parts):
            name = f"t{number}_{index}{variant.symbol}"
            lines.append(f"typedef {vector_type(param, c_type, name, part.width)};")
            params.append(name)
            arguments.append(f"*({name} *)(abi_in + {at})")
            at += ALIGN
    returned, kept = _returned(plan, variant, places, lines)
    lines.append(f"extern {returned} {variant.symbol}({', '.join(params) or 'void'});")
    call = f"{variant.symbol}({', '.join(arguments)})"
    lines.append(f"void {caller_name(variant)}(void) {{ {kept}{call}; }}")
    return "\n".join(lines)


def _returned(plan: VectorPlan, variant: Variant, places: VariantPlaces, lines: list[str]) -> tuple[str, str]:
    """The type of the result, and the assignment that keeps it."""
    result, c_type = places.result, plan.function.result
    if result is None or c_type is None:
        return "void", ""
    name = f"r{variant.symbol}"
    lines.append(f"typedef {vector_type(result, c_type, name, result.parts[0].width)};")
    if result.indirect:
        lines.append(f"typedef struct {{ {name} v[{len(result.parts)}]; }} s{variant.symbol};")
        name = f"s{variant.symbol}"
    return name, f"*({name} *)(abi_out + {RESULT_AT}) = "


def vector_type(spread: Spread, c_type: Type, name: str, width: int) -> str:
    """A GNU vector of the elements of a value, `width` bytes; for a mask of bits the integer."""
    if not spread.element:
        return f"{INTEGERS[width]} {name}"
    inner = strip(c_type)
    real = isinstance(inner, Scalar) and inner.kind.is_floating
    spelled = inner.kind.value if isinstance(inner, Scalar) and real else INTEGERS[spread.element]
    return f"{spelled} {name} __attribute__((vector_size({width})))"


def typed_calls(
    types: TypeTable, machine: Machine, plan: VectorPlan, variant: Variant, places: VariantPlaces, index: int
) -> tuple[Typed, ...]:
    """The calls of one variant by caller number `index` of the image, a turn each; none where they do not fit."""
    found = []
    at, row_bytes = offsets(types, plan.function)
    for turn in TURNS:
        stream = Bytes(f"{variant.symbol} typed {turn}")
        active = active_lanes(variant, stream)
        values = travelling(types, plan.function, variant, places, stream, turn)
        results = result_values(plan.function, variant, places, stream)
        inputs = bytearray(HEAD + RESULT_STRIDE * len(active))
        for number, lane in enumerate(active):
            start = HEAD + RESULT_STRIDE * number
            inputs[start : start + len(results[lane])] = results[lane]
        arguments = _arguments(places, values, active, stream)
        if (
            max(len(inputs), HEAD + row_bytes * (len(active) + 1)) > ARGUMENTS_AT
            or len(arguments) > ARGUMENTS_AT
        ):
            return ()
        expected = tuple(
            seen_by_lanes(types, plan.function, variant, number, values)
            for number in range(len(places.params))
        )
        masks = tuple(types.mask(param.type) for param in plan.function.params)
        op = Enter(
            index=index,
            enter=machine.initial,
            inputs=bytes(inputs.ljust(ARGUMENTS_AT, b"\0") + arguments),
            out_bytes=AREA,
            stack_poison=0x5A if turn else 0xC3,
        )
        found.append(Typed(plan, variant, places, Given(active, expected, masks, results), op, row_bytes, at))
    return tuple(found)


def _arguments(
    places: VariantPlaces, values: list[list[bytes]], active: tuple[int, ...], stream: Bytes
) -> bytes:
    """The arguments as the caller loads them."""
    found = bytearray()
    for number, param in enumerate(places.params):
        if isinstance(param, Once):
            value = values[number][0]
            found += value.ljust(round_up(max(len(value), 1), ALIGN), b"\xa5")
            continue
        for part in param.parts:
            found += b"".join(values[number][part.first : part.last]).ljust(ALIGN, b"\xa5")
    mask = places.mask
    if mask is not None:
        for part in mask.parts:
            found += mask_bits(mask, part, active, stream.take(8)).ljust(ALIGN, b"\xa5")
    return bytes(found)
