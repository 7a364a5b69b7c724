"""The unit of the callee side: functions that copy their parameters out, lane by lane.

The body of a function asks for a row, an opaque call that keeps a compiler from doing several lanes at once, copies its parameters
into it and returns what the host supplied. So each row shows what one lane was given, in the order of lanes.
"""

from __future__ import annotations

import msgspec

from abiprobe.harness.machines.render.simd import declare, heading, prototype
from abiprobe.harness.machines.runtime.script import AREA
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.references import seen_type
from abiprobe.oracles.abis.vfabi.roles import is_reference
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Pointer, Prototype, Type, strip

HEAD = 64
"""Bytes before the rows in `abi_out`, and before the results in `abi_in`: the count of rows."""
RESULT_STRIDE = 16
LONGEST = 1024

SHARED = """\
extern unsigned char abi_in[], abi_out[];
unsigned char *abi_row(unsigned long);
void *abi_lane_result(void);
"""
SUPPORT = f"""\
extern unsigned char abi_in[], abi_out[];
/* Row number n of `size` bytes; the count in abi_in is reset by every operation, the one in abi_out is recorded. */
unsigned char *abi_row(unsigned long size) {{
    unsigned long n = (*(unsigned long *)abi_in)++, at = {HEAD} + n * size;
    *(unsigned long *)abi_out = n + 1;
    return abi_out + (at + size <= {AREA} ? at : {AREA} - size);
}}
void *abi_lane_result(void) {{
    return abi_in + {HEAD} + {RESULT_STRIDE} * ((*(unsigned long *)abi_in - 1) % {LONGEST});
}}
"""


def offsets(types: TypeTable, function: Prototype) -> tuple[tuple[int, ...], int]:
    """Return the offset of each parameter in a row, and the size of a row, in bytes."""
    found = []
    end = 0
    for param in function.params:
        extent = types.extent(param.type)
        start = round_up(end, 8 if extent.size <= 8 else 16)
        found.append(start)
        end = start + extent.size
    return tuple(found), max(16, round_up(end, 16))


def returned(result: Type, suffix: str) -> str:
    """Return the expression for the result that the host supplied; of a reference the address."""
    inner = strip(result)
    if isinstance(inner, Pointer) and inner.reference:
        address = declare(msgspec.structs.replace(inner, reference=False), "*", suffix)
        return f"**({address})abi_lane_result()"
    return f"*({declare(result, '*', suffix)})abi_lane_result()"


def definition(types: TypeTable, plan: VectorPlan) -> str:
    """The copying function of a plan."""
    function, suffix = plan.function, plan.suffix
    places, size = offsets(types, function)
    body = [f"unsigned char *abi_here = abi_row({size});"]
    for param, offset in zip(function.params, places, strict=True):
        seen = seen_type(function, param)
        if is_reference(seen):
            body.append(f"*(const volatile void **)(abi_here + {offset}) = &{param.name};")
        else:
            pointer = declare(seen, "*", suffix)
            body.append(f"*({pointer})(abi_here + {offset}) = {param.name};")
    if function.result is not None:
        body.append(f"return {returned(function.result, suffix)};")
    else:
        body.append("(void)abi_here;")
    lines = "\n  ".join(body)
    return f"{heading(function)}{prototype(function, function.name, suffix)} {{\n  {lines}\n}}"
