"""The call side: loops that gcc vectorises, whose calls of vector variants end in a recorder.

Only functions of a stated domain are asked about, which gcc calls; a loop that calls the scalar function shows nothing. A
statement on bytes beside the call makes room for the longest vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.generators.values import fill
from abiprobe.harness.machines.render.simd import declare, heading, needs_cxx, prototype, type_definitions
from abiprobe.harness.machines.runtime.script import AREA
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.values import Bytes, element
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.abis.vfabi.length import is_element
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Pointer, Scalar, Type
from abiprobe.oracles.language.simd import Branch, Linear

OPTIONS = {
    Isa.SSE: ("-msse4.2",),
    Isa.AVX: ("-mavx",),
    Isa.AVX2: ("-mavx2",),
    Isa.AVX512: ("-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"),
}
"""Options that make gcc call the variants of an ISA."""
VECTORISE = ("-O1", "-ftree-vectorize")
LOOP = 64
"""Turns of a loop: a multiple of every vector length that is called."""
ALIGN = 64
BYTES_AT = AREA // 2
WHO = "r11"
"""The register, free at any call, in which a stub leaves its number."""

_VECTOR = frozenset(
    {Kind.INT, Kind.UINT, Kind.LONG, Kind.ULONG, Kind.LLONG, Kind.ULLONG, Kind.FLOAT, Kind.DOUBLE}
)
_LINEAR = (Scalar(Kind.INT), Scalar(Kind.LONG))


class Loop(msgspec.Struct, frozen=True):
    """One function's loop: where the arguments lie in `abi_in`, and the bytes there."""

    plan: VectorPlan
    at: tuple[int, ...]
    inputs: bytes
    values: tuple[tuple[bytes, ...], ...]


def is_called(plan: VectorPlan) -> bool:
    """Return whether gcc is known to call variants of this function from a loop."""
    if len(plan.question.simd) != 1 or plan.variants.refusals or not plan.question.params:
        return False
    if needs_cxx(plan.question):
        return False
    (simd,) = plan.question.simd
    if simd.branch is Branch.INBRANCH or simd.aligned or plan.question.result is None:
        return False
    linear = {name: clause for clause in simd.linear for name in clause.params}
    roles = [
        _is_uniform(param.type)
        if param.name in simd.uniform
        else _is_linear(param.type, linear[param.name])
        if param.name in linear
        else _is_vector(param.type)
        for param in plan.question.params
    ]
    return all(roles) and len(simd.uniform) + len(linear) < len(roles)


def _is_uniform(c_type: Type) -> bool:
    return isinstance(c_type, (Scalar, Pointer))


def _is_vector(c_type: Type) -> bool:
    return isinstance(c_type, Pointer) or (isinstance(c_type, Scalar) and c_type.kind in _VECTOR)


def _is_linear(c_type: Type, clause: Linear) -> bool:
    if not isinstance(clause.step, int):
        return False
    return c_type in _LINEAR or (isinstance(c_type, Pointer) and c_type.to is not None and clause.step > 0)


def loop_of(types: TypeTable, plan: VectorPlan) -> Loop | None:
    """The arguments of a loop; `None` where they do not fit the buffer."""
    (simd,) = plan.question.simd
    stream = Bytes(f"{plan.function.name} loop")
    single = {*simd.uniform, *(name for clause in simd.linear for name in clause.params)}
    at, inputs = [], bytearray()
    values: list[tuple[bytes, ...]] = []
    for number, param in enumerate(plan.function.params):
        size = types.extent(param.type).size
        if param.name not in simd.uniform and param.name in single:
            own: tuple[bytes, ...] = ((7).to_bytes(size, "little"),)
        elif param.name in single and not is_element(types, param.type):
            own = (fill(types, param.type, number + 1, 0),)
        else:
            own = tuple(
                element(param.type, stream.take(size)) for _ in range(1 if param.name in single else LOOP)
            )
        at.append(len(inputs))
        values.append(own)
        inputs += b"".join(own).ljust(round_up(size * len(own), ALIGN), b"\0")
    if len(inputs) > BYTES_AT:
        return None
    return Loop(plan, tuple(at), bytes(inputs), tuple(values))


def definition(loop: Loop) -> str:
    """The extern function, its loop, and the caller of the loop, which the runtime enters."""
    function, suffix = loop.plan.function, loop.plan.suffix
    assert function.result is not None, "only functions with a result are called"
    (simd,) = loop.plan.question.simd
    steps = {name: clause.step for clause in simd.linear for name in clause.params}
    params, arguments, given = [], [], []
    for param, at in zip(function.params, loop.at, strict=True):
        single = param.name in simd.uniform or param.name in steps
        pointer = declare(param.type, "*", suffix)
        if single:
            params.append(declare(param.type, param.name, suffix))
            given.append(f"*({pointer})(abi_in + {at})")
            arguments.append(
                f"{param.name} + turn * {steps[param.name]}" if param.name in steps else param.name
            )
        else:
            params.append(declare(param.type, f"*restrict {param.name}", suffix))
            given.append(f"({pointer})(abi_in + {at})")
            arguments.append(f"{param.name}[turn]")
    params += [declare(function.result, "*restrict out", suffix), "char *restrict zy", "char *restrict zz"]
    given += [f"({declare(function.result, '*', suffix)})abi_out", f"(char *)abi_in + {BYTES_AT}"]
    given.append(f"(char *)abi_out + {BYTES_AT}")
    return f"""\
{type_definitions(function, suffix)}
{heading(function)}extern {prototype(function, function.name, suffix)};
static __attribute__((noinline)) void loop{suffix}({", ".join(params)}) {{
#pragma omp simd
  for (int turn = 0; turn < {LOOP}; turn++) {{
    out[turn] = {function.name}({", ".join(arguments)});
    zz[turn] = zy[turn] + 1;
  }}
}}
void call{suffix}(void) {{ loop{suffix}({", ".join(given)}); }}"""


def loops_unit(loops: Sequence[Loop]) -> str:
    """The unit that calls; what it calls is in the unit of stubs."""
    head = "extern unsigned char abi_in[], abi_out[];"
    return "\n".join([head, *(definition(loop) for loop in loops), ""])


def symbols_of(loop: Loop) -> tuple[str, ...]:
    """Return the symbols that a loop may call: the scalar function, or a variant."""
    return (loop.plan.function.name, *(variant.symbol for variant in loop.plan.variants.variants))


def stubs_unit(loops: Sequence[Loop]) -> str:
    """A stub for everything that may be called, each with its number, and the table of loops."""
    lines = []
    for loop in loops:
        for number, symbol in enumerate(symbols_of(loop)):
            code = f".globl {symbol}\\n{symbol}: movl ${number}, %{WHO}d\\n jmp abi_capture"
            lines.append(f'__asm__("{code}");')
        lines.append(f"extern void call{loop.plan.suffix}(void);")
    listed = ", ".join(f"call{loop.plan.suffix}" for loop in loops)
    return "\n".join([*lines, f"void (*const abi_functions[])(void) = {{ {listed} }};", ""])
