"""What an image records of compiled code, under every executor there is."""

from __future__ import annotations

import struct

import pytest

from abiprobe.harness.executors.find import find
from abiprobe.harness.executors.replay import observe
from abiprobe.harness.runtime.machine import x87_depth, x87_result
from abiprobe.harness.runtime.script import Call, Copy, Enter, Patch, Peek, Store, preserve
from abiprobe.oracles.place import Register, StackSlot

PRESERVED = {
    "riscv64": [f"{f}s{n}" for f in ("", "f") for n in range(12)],
    "x86_64": ["rbx", "rbp", "r12", "r13", "r14", "r15"],
}
CONTROL = {"sp", "gp", "tp", "rsp", "rflags", "x87_control", "x87_tags", "mxcsr", "st0", "st1"}
LONG_DOUBLE_2 = bytes.fromhex("0000000000000080 0040")
LONG_DOUBLE_3 = bytes.fromhex("00000000000000c0 0040")
LONG_DOUBLE_4 = bytes.fromhex("0000000000000080 0140")


def poison(machine, salt=0, **values):
    """A state in which every byte of a register names the register."""
    names = [name for name in machine.registers if name not in CONTROL]
    filled = {name: bytes([n + salt]) * machine.registers[name].width for n, name in enumerate(names, 1)}
    return machine.state(filled | values)


def call(machine, index, echoes=(), results=None, **options):
    return Call(
        index=index,
        enter=poison(machine),
        returns=poison(machine, 0x80, **(results or {})),
        copies=(*preserve(PRESERVED[machine.name], machine), *echoes),
        **options,
    )


def one(built, op):
    """The record of `op`, on which all executors agree."""
    records = [
        observe(each, built.image, [op], built.machine, timeout=20) for each in find(built.machine.name)
    ]
    assert records
    assert all(record == records[0] for record in records), records
    return records[0][0]


def registers(machine, block, *names):
    return [machine.read(block, name) for name in names]


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}q", *numbers)


def unharmed(machine, op, record) -> bool:
    """Whether the compiled code gave back the stack pointer and what a function preserves."""
    names = PRESERVED[machine.name]
    kept = registers(machine, record.left, *names) == registers(machine, op.enter, *names)
    return kept and machine.number(record.left, machine.sp) == record.sp


def test_a_caller_of_mixed_arguments(built):
    machine = built.machine
    big = bytes(range(0x40, 0x40 + 40))
    inputs = struct.pack("<iid2q", 5, 0, 1.5, 11, 12).ljust(64, b"\0") + big
    riscv = machine.name == "riscv64"
    op = call(
        machine,
        0,
        results={"a0" if riscv else "rax": words(77)},
        inputs=inputs,
        out_bytes=16,
        stack_window=128,
        peeks=(Peek(machine.where(Register("a3" if riscv else "rdi")), 40),),
    )
    record = one(built, op)
    assert record.captures == 1
    if riscv:
        assert registers(machine, record.captured, "a0", "a1", "a2") == [words(5), words(11), words(12)]
        assert registers(machine, record.captured, "fa0") == [struct.pack("<d", 1.5)]
        assert record.peeks[0].data == big
        untouched = ("fa7", "ft11", "fs11")
        assert registers(machine, record.captured, *untouched) == registers(machine, op.enter, *untouched)
    else:
        assert registers(machine, record.captured, "rsi", "rdx") == [words(11), words(12)]
        assert machine.read(record.captured, "rdi")[:4] == struct.pack("<i", 5)
        assert machine.read(record.captured, "xmm0")[:8] == struct.pack("<d", 1.5)
        assert record.window[8:48] == big
        assert record.peeks[0].data is None
        untouched = ("r9", "r15", "xmm7", "xmm15")
        assert registers(machine, record.captured, *untouched) == registers(machine, op.enter, *untouched)
        assert x87_depth(record.captured) == 0
        assert machine.number(record.captured, "rsp") % 16 == 8
    assert record.out == words(77) + b"\xa5" * 8
    assert unharmed(machine, op, record)


@pytest.mark.parametrize("bias", [0, 16, 32, 48])
def test_stack_bias(built, bias):
    op = call(built.machine, 0, inputs=bytes(104), sp_bias=bias, stack_window=4096)
    record = one(built, op)
    assert -record.sp % 64 == bias
    assert built.machine.number(record.captured, built.machine.sp) < record.sp
    assert b"\x5a" * 256 in record.window


def test_a_result_in_memory(built):
    machine = built.machine
    riscv = machine.name == "riscv64"
    pointer, result = ("a0", "a0") if riscv else ("rdi", "rax")
    where = machine.where(Register(pointer))
    echo = Copy(where, machine.registers[result].offset, machine.pointer)
    op = call(machine, 1, (echo,), inputs=words(1), out_bytes=48, stores=(Store(where, bytes(range(40))),))
    record = one(built, op)
    assert record.stored == (True,)
    assert record.out == bytes(range(40)) + b"\xa5" * 8
    untouched = ("a7", "t1", "t6", "s11") if riscv else ("r9", "r10", "r15", "xmm0")
    assert registers(machine, record.captured, *untouched) == registers(machine, op.enter, *untouched)
    assert unharmed(machine, op, record)


def test_a_store_into_code_is_not_done(built):
    machine = built.machine
    return_address = Register("ra") if machine.name == "riscv64" else StackSlot(0)
    record = one(built, call(machine, 8, stores=(Store(machine.where(return_address), b"x"),)))
    assert (record.captures, record.stored) == (2, (False,))


def test_a_stack_place_outside_the_image_is_unreadable(built):
    record = one(built, call(built.machine, 8, peeks=(Peek(built.machine.where(StackSlot(0x7000_0000)), 1),)))
    assert record.peeks[0].data is None


def test_a_caller_that_does_not_call(built):
    record = one(built, call(built.machine, 7, out_bytes=1, stack_window=64, peeks=(Peek(8, 8),)))
    assert (record.captures, record.captured, record.window, record.peeks) == (0, b"", b"", ())
    assert record.out == b"\1"


def test_every_capture_returns_and_the_first_is_recorded(built):
    machine = built.machine
    argument, result = ("a0", "a0") if machine.name == "riscv64" else ("rdi", "rax")
    op = call(machine, 8, results={result: words(21)}, out_bytes=8)
    record = one(built, op)
    assert (record.captures, record.out) == (2, words(42))
    assert machine.read(record.captured, argument)[:4] == b"\1\0\0\0"
    assert unharmed(machine, op, record)


def test_a_variadic_call(built):
    record = one(built, call(built.machine, 10))
    if built.machine.name == "riscv64":
        expected = [words(1), struct.pack("<d", 2.0), struct.pack("<d", 3.0)]
        assert registers(built.machine, record.captured, "a0", "a1", "a2") == expected
    else:
        assert built.machine.read(record.captured, "rax")[:1] == b"\2"


def test_a_callee_reads_what_a_patched_register_points_to(built):
    machine = built.machine
    riscv = machine.name == "riscv64"
    op = Enter(
        index=2,
        enter=poison(machine, **{"a1" if riscv else "rsi": words(1000)}),
        out_bytes=40,
        blob=bytes(64) + bytes(range(1, 41)),
        blob_bytes=104,
        patches=(Patch(machine.where(Register("a0" if riscv else "rdi")), 64),),
    )
    record = one(built, op)
    assert record.out == bytes(range(1, 41))
    assert record.blob == bytes(64) + bytes(range(1, 40)) + b"Z"
    assert registers(machine, record.left, "a0" if riscv else "rax") == [words(1002)]
    assert unharmed(machine, op, record)


def test_a_callee_reads_its_stack(built):
    machine = built.machine
    riscv = machine.name == "riscv64"
    names = [f"a{n}" for n in range(8)] if riscv else ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]
    values = {name: words(n) for n, name in enumerate(names)}
    on_stack = [words(n) for n in range(len(names), 10)]
    op = Enter(
        index=3,
        enter=poison(machine, **values),
        out_bytes=80,
        stack=b"".join(on_stack[:-1]) + bytes(8),
        stack_offset=machine.return_address,
        patches=(Patch(machine.where(StackSlot(machine.return_address + 8 * len(on_stack) - 8)), 64),),
    )
    record = one(built, op)
    assert record.out[:72] == words(*range(9))
    (address,) = struct.unpack("<q", record.out[72:])
    assert address % 64 == 0
    assert registers(machine, record.left, "a0" if riscv else "rax") == [words(8 - address)]


def test_a_floating_callee(built):
    machine = built.machine
    if machine.name == "riscv64":
        op = Enter(
            index=4,
            enter=poison(machine, fa0=struct.pack("<d", 1.5), fa1=struct.pack("<f4s", 4.0, b"\xff" * 4)),
        )
        assert machine.read(one(built, op).left, "fa0") == struct.pack("<d", 6.0)
    else:
        op = Enter(index=4, enter=poison(machine, xmm0=struct.pack("<d", 1.5), xmm1=struct.pack("<f", 4.0)))
        assert machine.read(one(built, op).left, "xmm0")[:8] == struct.pack("<d", 6.0)


def test_nothing_of_the_last_operation_is_left(built):
    machine = built.machine
    first = Enter(index=7, enter=poison(machine), inputs=b"\xee" * 4000, blob=b"\xee" * 4000, blob_bytes=4000)
    second = Enter(index=9, enter=poison(machine), inputs=b"ab", out_bytes=3000, blob_bytes=3000)
    for executor in find(machine.name):
        record = observe(executor, built.image, [first, second], machine, timeout=20)[1]
        assert record.out == b"ab" + bytes(2998)
        assert record.blob == bytes(3000)


def test_a_long_double_result_for_a_caller(x86):
    op = call(
        x86.machine,
        11,
        results=x87_result(LONG_DOUBLE_3),
        inputs=LONG_DOUBLE_2 + bytes(6),
        out_bytes=16,
        stack_window=32,
    )
    record = one(x86, op)
    assert record.window[8:18] == LONG_DOUBLE_2
    assert record.out[:10] == LONG_DOUBLE_3
    assert x87_depth(record.left) == 0


def test_two_x87_results_for_a_caller(x86):
    record = one(x86, call(x86.machine, 14, results=x87_result(LONG_DOUBLE_3, LONG_DOUBLE_4), out_bytes=32))
    assert record.out[:10] + record.out[16:26] == LONG_DOUBLE_3 + LONG_DOUBLE_4
    assert x87_depth(record.left) == 0


@pytest.mark.parametrize(
    ("index", "left"), [(12, [LONG_DOUBLE_3]), (13, [LONG_DOUBLE_2, LONG_DOUBLE_4])], ids=["one", "two"]
)
def test_x87_results_of_a_callee(x86, index, left):
    op = Enter(index=index, enter=poison(x86.machine), stack=LONG_DOUBLE_2 + bytes(6), stack_offset=8)
    record = one(x86, op)
    assert x87_depth(record.left) == len(left)
    assert registers(x86.machine, record.left, "st0", "st1")[: len(left)] == left
