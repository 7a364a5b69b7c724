"""The conduct of a function: whether it accesses memory aligned, and gives back what it must preserve."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.sass.state import Fault, Misaligned, State
from abiprobe.harness.observers.device.sass.symbols import Loaded, Symbol
from abiprobe.oracles.abis.ptx.sass.places import ROLES
from abiprobe.oracles.abis.ptx.text.rules import MISALIGNED
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.record import Difference
from abiprobe.results.verdicts.values import Words

STACK, SHARED, END = Named("stack"), Named("shared memory"), Named("registers at the return")


def misconduct(side: str, plan: DevicePlan, state: State) -> Iterator[Difference]:
    """Yield the first misaligned access, and the first register that does not come back."""
    for kind in dict.fromkeys(map(type, state.faults)):
        fault = next(one for one in state.faults if type(one) is kind)
        expected, seen = Words(wanted(fault)), Words(told(fault))
        if isinstance(fault, Misaligned):
            what = named(plan, fault.of) or ("value" if fault.shared else "stack")
            yield Difference(side, what, SHARED if fault.shared else STACK, expected, seen, MISALIGNED.clause)
        else:
            yield Difference(side, f"R{fault.number}", END, expected, seen, ROLES)


def wanted(fault: Fault) -> str:
    """Return what should be there, in words."""
    return f"a multiple of {fault.size}" if isinstance(fault, Misaligned) else "what it was at entry"


def told(fault: Fault) -> str:
    """A fault in words."""
    if isinstance(fault, Misaligned) and fault.shared:
        return f"{fault.op} of {fault.size} bytes at {fault.offset:#x}"
    if isinstance(fault, Misaligned):
        return f"{fault.op} of {fault.size} bytes at {fault.offset:+} from the stack pointer at entry"
    return "an argument that was stored over it"


def named(plan: DevicePlan, symbol: Symbol) -> str:
    """The parameter that a byte is of; empty where it is of none."""
    if not isinstance(symbol, Loaded):
        return ""
    values = zip(plan.assignment.params, plan.slots.params, strict=False)
    return next((one.name for one, at in values if at.slot <= symbol.address < at.slot + at.size), "")
