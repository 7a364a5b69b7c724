"""Constants and addresses are followed through assembly; what is not understood is never taken for something."""

from __future__ import annotations

from abiprobe.harness.observers.assembly.arm import ARM
from abiprobe.harness.observers.assembly.assembly import Dialect, Other, State, follow, split
from abiprobe.harness.observers.assembly.powerpc import POWERPC
from abiprobe.harness.observers.assembly.xcore import XCORE

XCORE_TEXT = """
.LCPI0_0:
	.long	4294958558
	.text
caller_0_0:
	entsp 4
	ldc r0, 17
	stw r0, sp[1]
	mkmsk r1, 3
	neg r2, r1
	ldw r3, cp[.LCPI0_0]  # a comment
	ldaw r0, dp[object_0_1]
	bl target_0
	retsp 4
.Lfunc_end0:
callee_0_0:
	ldc r0, 5
	crc32 r1, r0, r2
	retsp 0
.Lfunc_end1:
elsewhere:
	bl other
	retsp 1
"""

POWERPC_TEXT = """
caller_0_0:
.Lfunc_begin0:
	mflr 0
	stwu 1, -32(1)
	addi 30, 1, 16
	bl memcpy
	mr	5, 30
	lis 3, 4113
	ori 3, 3, 8738
	li 4, -2
	lis 6, object_0@ha
	lwzu 7, object_0@l(6)
	stw 4, 8(1)
	bl target_0
	blr
.Lfunc_end0:
"""


def reached(dialect: Dialect, text: str, name: str, callee: str = "") -> State:
    state = follow(dialect, split(dialect, text), name, callee)
    assert state is not None
    return state


def test_xcore_at_a_call() -> None:
    state = reached(XCORE, XCORE_TEXT, "caller_0_0", "target_0")
    assert state.stack == {4: 17}
    assert state.registers == {"r0": Other.ADDRESS, "r1": 7, "r2": 0xFFFFFFF9, "r3": 0xFFFFDDDE}


def test_xcore_at_a_return() -> None:
    state = reached(XCORE, XCORE_TEXT, "callee_0_0")
    assert state.get("r0") == 5
    assert state.get("r1") is Other.UNKNOWN


def test_powerpc_at_a_call() -> None:
    state = reached(POWERPC, POWERPC_TEXT, "caller_0_0", "target_0")
    assert [state.get(str(number)) for number in (3, 4, 5, 6, 7)] == [
        0x10112222,
        0xFFFFFFFE,
        Other.ADDRESS,
        Other.ADDRESS,
        Other.UNKNOWN,
    ]
    assert state.stack == {8: 0xFFFFFFFE}


def test_a_function_that_does_not_call_tells_nothing() -> None:
    functions = split(XCORE, XCORE_TEXT)
    assert follow(XCORE, functions, "elsewhere", "target_0") is None
    assert follow(XCORE, functions, "no_such_function", "target_0") is None


ARM_TEXT = """
caller_0_0:
	push	{r11, lr}
	vldr	s0, .LCPI0_0
	vldr	d1, .LCPI0_1
	vmov.f32	s1, #1.500000e+00
	mvn	r0, #1
	movw	r1, #4660
	movt	r1, #4113
	bl	target_0
	pop	{r11, pc}
.LCPI0_1:
	.long	2023406814                      @ double 36.408888888888882
	.long	1078080598
.LCPI0_0:
	.long	0x4111a2b0                      @ float 9.10221862
"""


def test_arm_at_a_call() -> None:
    state = reached(ARM, ARM_TEXT, "caller_0_0", "target_0")
    assert state.registers == {
        "s0": 0x4111A2B0,
        "s1": 0x3FC00000,
        "s2": 2023406814,
        "s3": 1078080598,
        "r0": 0xFFFFFFFE,
        "r1": 0x10111234,
    }
