"""The units of a batch of vector functions: the one under test, and the table of what the runtime may enter."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.machines.render.simd import needs_cxx, type_definitions
from abiprobe.harness.observers.lanes import computing, copying
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.oracles.engine.types import TypeTable


def vectors_unit(types: TypeTable, plans: Sequence[VectorPlan], *, compute: bool) -> str:
    """The unit that asks for the names and lanes of `plans`, which are all C or all C++.

    Of functions that `compute` only those behind the names are of use.
    """
    cxx = any(needs_cxx(plan.question) for plan in plans)
    lines = ["#define _Bool bool", 'extern "C" {'] if cxx else []
    lines.append(copying.SHARED)
    for plan in plans:
        lines += [type_definitions(plan.question, plan.suffix), copying.definition(types, plan)]
        if compute and computing.computes(plan):
            lines.append(computing.definition(types, plan))
    return "\n".join([*lines, "}" if cxx else "", ""])


def table_unit(symbols: Sequence[str]) -> str:
    """The functions that the runtime may enter, and what the bodies call; built by the trusted compiler."""
    declared = [f"extern void {symbol}(void);" for symbol in symbols]
    listed = ", ".join(symbols)
    return "\n".join(
        [copying.SUPPORT, *declared, f"void (*const abi_functions[])(void) = {{ {listed} }};", ""]
    )
