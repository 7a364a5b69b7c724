"""Partners of compiled functions in PTX by hand: kernels that launch them, a callee and a caller of registers and stack as they are.

The raw callee has a parameter for each register from R4 to R15 and one for the stack behind them, and the raw caller passes these.
So each side of a call is run without a second compiler, and without the decoder. Where the result is in memory, R4 has its
address, which ptxas puts there.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from abiprobe.harness.observers.device.assembler import probes
from abiprobe.harness.observers.device.assembler.driver import MEMORY
from abiprobe.harness.observers.device.assembler.probes import END, START
from abiprobe.harness.observers.device.unit import ENTER, LEAVE
from abiprobe.oracles.abis.ptx.parameter import Signature, array, scalar
from abiprobe.oracles.abis.ptx.sass.places import COUNT, FIRST, RESULT_LIMIT, WORD
from abiprobe.oracles.text.place import Assignment, Passing, Register, StackSlot

THREADS = 256
LARGEST_ALIGN = 128
"""The largest alignment that PTX can declare, in bytes."""
COPYING = f"""\
.visible .global .align 8 .u64 {MEMORY};
.extern .shared .align 16 .b8 abi_window[];
.visible .func {ENTER}()
{{
.reg .b64 %p, %q; .reg .b32 %at, %v; .reg .pred %more;
mov.u32 %at, %tid.x; shl.b32 %at, %at, 2; add.u32 %at, %at, {START};
ld.global.u64 %p, [{MEMORY}]; cvt.u64.u32 %q, %at; add.u64 %p, %p, %q;
NEXT: ld.global.b32 %v, [%p]; st.volatile.shared.b32 [%at], %v;
add.u64 %p, %p, {4 * THREADS}; add.u32 %at, %at, {4 * THREADS}; setp.lt.u32 %more, %at, {END}; @%more bra NEXT;
bar.sync 0;
ret;
}}
.visible .func {LEAVE}()
{{
.reg .b64 %p, %q; .reg .b32 %at, %v; .reg .pred %more;
bar.sync 0;
mov.u32 %at, %tid.x; shl.b32 %at, %at, 2; add.u32 %at, %at, {START};
ld.global.u64 %p, [{MEMORY}]; cvt.u64.u32 %q, %at; add.u64 %p, %p, %q;
NEXT: ld.volatile.shared.b32 %v, [%at]; st.global.b32 [%p], %v;
add.u64 %p, %p, {4 * THREADS}; add.u32 %at, %at, {4 * THREADS}; setp.lt.u32 %more, %at, {END}; @%more bra NEXT;
ret;
}}
"""
"""All threads copy shared memory in from `MEMORY`, and out to it."""
LAUNCHER = """\
{declared}.visible .entry k_{number}()
{{
.reg .b32 %at; .reg .pred %other;
call {enter};
mov.u32 %at, %tid.x; setp.ne.u32 %other, %at, 0; @%other bra BACK;
call c_{number};
BACK: call {leave};
ret;
}}
"""


def module(arch: str, functions: Iterable[str] = ()) -> str:
    """The text of a module with what copies, and some functions."""
    return "".join((probes.header(arch), COPYING, *functions))


def launcher(number: int, *, declared: bool) -> str:
    """A kernel `k_N` in which one thread calls `c_N`, which is to be declared or stands before."""
    extern = f".extern .func c_{number}();\n" if declared else ""
    return LAUNCHER.format(declared=extern, number=number, enter=ENTER, leave=LEAVE)


class Raw(msgspec.Struct, frozen=True, array_like=True):
    """Registers and stack of a call as they are: bytes on the stack, and of a result, which may be in memory; -1 for none."""

    stack: int
    result: int
    in_memory: bool

    @classmethod
    def of(cls, places: Assignment) -> Raw:
        """Return what a model assigns."""
        if places.result is None:
            return cls(places.stack_bytes, -1, in_memory=False)
        if places.result.passing is Passing.INDIRECT:
            return cls(places.stack_bytes, places.result.size, in_memory=True)
        return cls(places.stack_bytes, RESULT_LIMIT, in_memory=False)

    @property
    def registers(self) -> int:
        """The number of registers that bring arguments."""
        return COUNT - self.in_memory

    def signature(self, align: int) -> Signature:
        """A parameter for each register and one for the stack; memory for a result is aligned to `align` bytes."""
        stack = (array(WORD, self.stack),) if self.stack else ()
        result = None if self.result < 0 else array(align if self.in_memory else WORD, self.result)
        return Signature((*(scalar(WORD) for _ in range(self.registers)), *stack), result)

    @property
    def size(self) -> int:
        """The bytes of shared memory that registers and stack take."""
        return self.slots[-1] - START + max(self.stack, WORD)

    @property
    def slots(self) -> tuple[int, ...]:
        """The bytes of shared memory from which each register and the stack are loaded."""
        return probes.slots(self.signature(WORD).params)

    def slot(self, where: Register | StackSlot) -> int | None:
        """The byte from which a register, or a byte of the stack, is loaded; `None` for one that is not passed."""
        if isinstance(where, StackSlot):
            return self.slots[self.registers] + where.offset if where.offset < self.stack else None
        index = int(where.name[1:]) - FIRST - self.in_memory
        return self.slots[index] if 0 <= index < self.registers else None


def raw_callee(number: int, raw: Raw) -> str:
    """A function `t_N` that stores registers and stack as it finds them, and a kernel that calls a compiled `c_N`."""
    # Of the memory for a result nothing is known but that it is there.
    return probes.callee(f"t_{number}", raw.signature(1)) + launcher(number, declared=True)


def raw_caller(number: int, raw: Raw) -> str:
    """A function `c_N` that calls a compiled `t_N` with registers and stack as they are loaded, and a kernel that calls it."""
    return probes.caller(f"c_{number}", f"t_{number}", raw.signature(LARGEST_ALIGN)) + launcher(
        number, declared=False
    )
