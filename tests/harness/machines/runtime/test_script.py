"""The wire, without an image at its other end."""

from __future__ import annotations

import struct

import pytest

from abiprobe.harness.machines.runtime.machine import RISCV64, X86_64
from abiprobe.harness.machines.runtime.messages import encode_op
from abiprobe.harness.machines.runtime.records import decode_records
from abiprobe.harness.machines.runtime.script import (
    AREA,
    WATCHED,
    WATCHES,
    Call,
    Called,
    Copy,
    Enter,
    Entered,
    Peeked,
    Watch,
    Written,
    preserve,
)

LEFT = bytes(range(256)) * 2
CAPTURED = bytes(512)
CODE = 0x400000, 0x500000


def message(*parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack("<I", len(body)) + body


CALLED = message(
    struct.pack("<7I3Q", 1, 7, 2, 2, 1, 3, 0, 0x1000, *CODE),
    CAPTURED,
    struct.pack("<I", 4),
    b"wind",
    struct.pack("<QI", 0x2000, 2),
    b"ab",
    struct.pack("<QI", 0, 0xFFFF_FFFF),
    struct.pack("<I", 1),
    LEFT,
    b"out",
    bytes(4),
)
UNCAPTURED = message(struct.pack("<7I3Q", 1, 8, 0, 2, 1, 1, 0, 0x1000, *CODE), LEFT, b"o", bytes(4))
ENTERED = message(
    struct.pack("<5I4Q", 2, 9, 1, 4, 0, 0x1000, *CODE, 0x3000),
    LEFT,
    b"o",
    b"blob",
    struct.pack("<5I", 2, 8, 4, 64, 16),
)

RECORDS = [
    Called(
        7, 0x1000, 2, CAPTURED, b"wind", (Peeked(0x2000, b"ab"), Peeked(0, None)), (True,), LEFT, b"out", CODE
    ),
    Called(8, 0x1000, 0, b"", b"", (), (), LEFT, b"o", CODE),
    Entered(9, 0x1000, 0x3000, LEFT, b"o", b"blob", CODE, (Written(8, 4), Written(64, 16))),
]


def test_decode():
    assert decode_records(CALLED + UNCAPTURED + ENTERED, RISCV64) == RECORDS


def test_a_stream_cut_anywhere_keeps_its_whole_records():
    stream = CALLED + UNCAPTURED + ENTERED
    ends = [len(CALLED), len(CALLED) + len(UNCAPTURED), len(stream)]
    for cut in range(len(stream) + 1):
        assert decode_records(stream[:cut], RISCV64) == RECORDS[: sum(end <= cut for end in ends)]


def test_lengths_are_prefixed():
    state = RISCV64.state({})
    for op in (
        Call(index=3, enter=state, returns=state, inputs=b"abc"),
        Enter(index=3, enter=state, blob=b"de"),
    ):
        data = encode_op(op, RISCV64)
        assert struct.unpack_from("<I", data)[0] == len(data) - 4
        assert struct.unpack_from("<I", data, 8)[0] == 3


def test_preserve_joins_neighbours():
    a0, fs0 = RISCV64.registers["a0"].offset, RISCV64.registers["fs0"].offset
    kept = [("a1", 0), ("fs0", 0), ("a0", 0)]
    assert preserve(kept, RISCV64) == (Copy(a0, a0, 16), Copy(fs0, fs0, 8))


def test_a_part_of_a_register_joins_nothing_behind_it():
    fs0, fs1 = RISCV64.registers["fs0"].offset, RISCV64.registers["fs1"].offset
    assert preserve([("fs0", 4), ("fs1", 4)], RISCV64) == (Copy(fs0, fs0, 4), Copy(fs1, fs1, 4))


@pytest.mark.parametrize(
    "excess",
    [
        {"inputs": bytes(AREA + 1)},
        {"out_bytes": AREA + 1},
        {"blob": bytes(AREA + 1)},
        {"blob_bytes": AREA + 1},
        {"stack": bytes(40000)},
        {"stack_offset": 40000},
        {"sp_bias": 40000},
        {"watches": (Watch(8, WATCHED + 8),)},
        {"watches": (Watch(40000, 8),)},
        {"watches": (Watch(8, 8),) * (WATCHES + 1)},
    ],
)
def test_what_does_not_fit_is_refused(excess):
    with pytest.raises(ValueError, match="operation 1 does not fit"):
        encode_op(Enter(index=1, enter=RISCV64.state({}), **excess), RISCV64)


@pytest.mark.parametrize("excess", [{"stack_window": 1 << 20}, {"pops": 40000}])
def test_what_does_not_fit_into_a_call_is_refused(excess):
    state = RISCV64.state({})
    with pytest.raises(ValueError, match="operation 1 does not fit"):
        encode_op(Call(index=1, enter=state, returns=state, **excess), RISCV64)


def test_a_state_of_another_machine_is_refused():
    with pytest.raises(ValueError, match="a state block of 512 bytes for x86_64"):
        encode_op(Enter(index=1, enter=RISCV64.state({})), X86_64)
