"""The assembly of popc, as its documentation shows it, followed to a call."""

from __future__ import annotations

from abiprobe.harness.observers.assembly.assembly import Other, follow, split
from abiprobe.harness.observers.assembly.ipu import IPU

TEXT = """
caller_0_0:
	add $m11, $m11, -24
	st32 $m10, $m11, $m15, 5
	setzi $m0, 4369
	or $m0, $m0, 0x12300000
	setzi $a0, 66
	{
	mov $m1, $m0
	mov $a1, $azero
	}
	st32 $m0, $m11, $m15, 1
	st64 $a0:1, $m11, $m15, 1
	add $m2, $m11, 8
	setzi $m3, object_0_1
	call $m10, target_0
	ld32 $m10, $m11, $m15, 5
	br $m10
"""


def test_a_call() -> None:
    state = follow(IPU, split(IPU, TEXT), "caller_0_0", "target_0")
    assert state is not None
    assert state.get("m0") == state.get("m1") == 0x12301111
    assert (state.get("a0"), state.get("a1")) == (66, 0)
    assert state.get("m2") is state.get("m3") is Other.ADDRESS
    assert state.stack[4] == 0x12301111
    assert (state.stack[8], state.stack[12]) == (66, 0)
