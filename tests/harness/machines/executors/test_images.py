"""What an image records of compiled code, under every executor there is."""

from __future__ import annotations

import struct

import pytest

from abiprobe.harness.machines.executors.replay import observe
from abiprobe.harness.machines.runtime.machine import x87_depth, x87_result
from abiprobe.harness.machines.runtime.script import Call, Copy, Enter, Patch, Peek, Store, preserve
from abiprobe.oracles.text.place import Register, StackSlot

from .conventions import CONVENTIONS, places

CONTROL = {"x87_control", "x87_tags", "mxcsr", "st0", "st1"}
LONG_DOUBLE_2 = bytes.fromhex("0000000000000080 0040")
LONG_DOUBLE_3 = bytes.fromhex("00000000000000c0 0040")
LONG_DOUBLE_4 = bytes.fromhex("0000000000000080 0140")


def convention(machine):
    return CONVENTIONS[machine.full_name]


def poison(machine, salt=0, **values):
    """A state in which every byte of a register names the register."""
    names = [name for name in machine.registers if name not in machine.steady | CONTROL]
    filled = {name: bytes([n + salt]) * machine.registers[name].width for n, name in enumerate(names, 1)}
    return machine.state(filled | values)


def call(machine, index, echoes=(), results=None, **options):
    return Call(
        index=index,
        enter=poison(machine),
        returns=poison(machine, 0x80, **(results or {})),
        copies=(*preserve([(name, 0) for name in convention(machine).saved.split()], machine), *echoes),
        **options,
    )


def arranged(machine, *arguments):
    """Registers and stack for `arguments`, each the names of its places and the bytes that they hold in turn."""
    registers, stack = {}, bytearray()
    for names, data in arguments:
        at = 0
        for place in places(names):
            if isinstance(place, Register):
                width = min(machine.registers[place.name].width, len(data) - at)
                registers[place.name] = data[at : at + width]
            else:
                width = len(data) - at
                stack.extend(bytes(place.offset - machine.return_address - len(stack)))
                stack += data[at:]
            at += width
    return {
        "enter": poison(machine, **registers),
        "stack": bytes(stack),
        "stack_offset": machine.return_address,
    }


def each(built, op):
    """The record of `op` under each of its executors."""
    found = [
        observe(executor, built.image, [op], built.machine, timeout=20)[0] for executor in built.executors
    ]
    assert found
    return found


def one(built, op):
    """The record of `op`, on which all executors agree."""
    records = each(built, op)
    assert all(record == records[0] for record in records), records
    return records[0]


def registers(machine, block, *names):
    return [machine.read(block, name) for name in names]


def found(machine, record, names, length):
    """`length` bytes in the places called `names` when the call was captured."""
    return held(machine, record.captured, names, length, record.window)


def held(machine, block, names, length, window=b""):
    """`length` bytes in places: of registers the least significant ones."""
    data = b""
    for place in places(names):
        if isinstance(place, Register):
            at, size = machine.lowest(place.name, length - len(data))
            data += block[at : at + size]
        else:
            data += window[place.offset :]
    return data[:length]


def packed(machine, form: str, *values) -> bytes:
    return struct.pack(("<" if machine.order == "little" else ">") + form, *values)


def words(machine, *numbers: int) -> bytes:
    return b"".join(
        (number % (1 << 8 * machine.pointer)).to_bytes(machine.pointer, machine.order) for number in numbers
    )


def unharmed(machine, op, record, pops=0) -> bool:
    """Return whether the compiled code gave back the stack pointer and what a function preserves."""
    names = convention(machine).saved.split()
    kept = registers(machine, record.left, *names) == registers(machine, op.enter, *names)
    return kept and machine.number(record.left, machine.sp) == record.sp + pops


def test_a_caller_of_mixed_arguments(built):
    machine, about = built.machine, convention(built.machine)
    big = bytes(range(0x40, 0x40 + 40))
    inputs = packed(machine, "iid", 5, 0, 1.5) + words(machine, 11, 12)
    op = call(
        machine,
        0,
        results={about.word: words(machine, 77)},
        inputs=inputs.ljust(64, b"\0") + big,
        out_bytes=16,
        stack_window=128,
        peeks=(
            Peek(machine.where(places(about.mixed_big)[0]), 40),
            *(
                ()
                if about.pair_inline
                else (Peek(machine.where(*places(about.mixed_pair)), 2 * machine.pointer),)
            ),
        ),
    )
    record = one(built, op)
    assert record.captures == 1
    assert found(machine, record, about.mixed_int, 4) == packed(machine, "i", 5)
    assert found(machine, record, about.mixed_double, 8) == packed(machine, "d", 1.5)
    pair = (
        found(machine, record, about.mixed_pair, 2 * machine.pointer)
        if about.pair_inline
        else record.peeks[1].data
    )
    assert pair == words(machine, 11, 12)
    if about.big_inline:
        assert found(machine, record, about.mixed_big, 40) == big
        assert record.peeks[0].data is None
    else:
        assert record.peeks[0].data == big
    idle = about.idle.split()
    assert registers(machine, record.captured, *idle) == registers(machine, op.enter, *idle)
    assert record.out == words(machine, 77).ljust(16, b"\xa5")
    assert unharmed(machine, op, record)


def test_the_stack_and_the_x87_at_a_call(x86):
    record = one(x86, call(x86.machine, 0, inputs=bytes(104)))
    assert x87_depth(record.captured, x86.machine) == 0
    assert (x86.machine.number(record.captured, x86.machine.sp) + x86.machine.return_address) % 16 == 0


@pytest.mark.parametrize("bias", [0, 16, 48])
def test_stack_bias(built, bias):
    op = call(built.machine, 0, inputs=bytes(104), sp_bias=bias, stack_window=4096)
    record = one(built, op)
    assert -record.sp % 64 == bias
    assert built.machine.number(record.captured, built.machine.sp) < record.sp
    assert b"\x5a" * 256 in record.window


def test_a_result_in_memory(built):
    machine, about = built.machine, convention(built.machine)
    where = machine.where(*places(about.memory))
    echo = Copy(where, machine.registers[about.word].offset, machine.pointer)
    op = call(
        machine,
        1,
        (echo,),
        inputs=words(machine, 1),
        out_bytes=48,
        stores=(Store(where, bytes(range(40))),),
        pops=about.memory_pops,
    )
    record = one(built, op)
    assert record.stored == (True,)
    assert record.out == bytes(range(40)) + b"\xa5" * 8
    idle = about.idle_memory.split()
    assert registers(machine, record.captured, *idle) == registers(machine, op.enter, *idle)
    assert unharmed(machine, op, record)


def test_a_store_into_code_is_not_done(built):
    machine = built.machine
    where = machine.where(*places(convention(machine).return_address))
    record = one(built, call(machine, 8, stores=(Store(where, b"x"),)))
    assert (record.captures, record.stored) == (2, (False,))


def test_a_stack_place_outside_the_image_is_unreadable(built):
    record = one(built, call(built.machine, 8, peeks=(Peek(built.machine.where(StackSlot(0x7000_0000)), 1),)))
    assert record.peeks[0].data is None


def test_a_caller_that_does_not_call(built):
    record = one(built, call(built.machine, 7, out_bytes=1, stack_window=64, peeks=(Peek(8, 8),)))
    assert (record.captures, record.captured, record.window, record.peeks) == (0, b"", b"", ())
    assert record.out == b"\1"


def test_every_capture_returns_and_the_first_is_recorded(built):
    machine, about = built.machine, convention(built.machine)
    op = call(machine, 8, results={about.word: words(machine, 21)}, out_bytes=8, stack_window=16)
    record = one(built, op)
    assert (record.captures, record.out) == (2, words(machine, 42).ljust(8, b"\xa5"))
    argument = about.words.partition(" ")[0] or str(machine.return_address)
    assert found(machine, record, argument, 4) == packed(machine, "i", 1)
    assert unharmed(machine, op, record)


def test_a_variadic_call(built):
    machine = built.machine
    record = one(built, call(machine, 10, stack_window=64))
    for names, value in zip(convention(machine).variadic, (2.0, 3.0), strict=True):
        assert found(machine, record, names, 8) == packed(machine, "d", value)
    if "rax" in machine.registers:
        assert machine.read(record.captured, "rax")[:1] == b"\2"


def test_a_callee_reads_what_a_patched_place_points_to(built):
    machine, about = built.machine, convention(built.machine)
    pointer, number = (about.words.split() or ["4", "8"])[:2]
    op = Enter(
        index=2,
        **arranged(machine, (pointer, bytes(machine.pointer)), (number, words(machine, 1000))),
        out_bytes=40,
        blob=bytes(64) + bytes(range(1, 41)),
        blob_bytes=104,
        patches=(Patch(machine.where(*places(pointer)), 64),),
    )
    record = one(built, op)
    assert record.out == bytes(range(1, 41))
    assert record.blob == bytes(64) + bytes(range(1, 40)) + b"Z"
    assert held(machine, record.left, about.word, machine.pointer) == words(machine, 1002)
    assert unharmed(machine, op, record)


@pytest.mark.parametrize("low", [False, True])
def test_what_is_above_a_patched_address(aarch64_ilp32, low):
    machine = aarch64_ilp32.machine
    enter = machine.state({"x15": b"\xee" * machine.word})
    record = one(
        aarch64_ilp32,
        Enter(index=7, enter=enter, blob=bytes(64), patches=(Patch(machine.where(Register("x15")), 0, low),)),
    )
    left = machine.read(record.left, "x15")
    assert int.from_bytes(left[: machine.pointer], machine.order) == record.blob_address
    assert left[machine.pointer :] == (b"\xee" if low else b"\0") * (machine.word - machine.pointer)


def test_a_callee_reads_its_stack(built):
    machine, about = built.machine, convention(built.machine)
    names, size = about.words.split(), machine.pointer
    first = machine.return_address + about.first_on_stack
    # On the stack a word takes what a register has, which is more than an address on n32.
    slot = machine.registers[names[-1]].width if names else size
    on_stack = [str(first + slot * n) for n in range(10 - len(names))]
    op = Enter(
        index=3,
        **arranged(machine, *((name, words(machine, n)) for n, name in enumerate((*names, *on_stack)))),
        out_bytes=10 * size,
        patches=(Patch(machine.where(*places(on_stack[-1])), 64),),
    )
    record = one(built, op)
    assert record.out[: 9 * size] == words(machine, *range(9))
    address = int.from_bytes(record.out[9 * size :], machine.order)
    assert address % 64 == 0
    assert held(machine, record.left, about.word, size) == words(machine, 8 - address)


def test_a_floating_callee(built):
    machine, about = built.machine, convention(built.machine)
    double, single = about.floating
    real, ones = packed(machine, "f", 4.0), b"\xff" * 4
    narrow = ones + real if machine.order == "big" and not about.reals_first else real + ones
    if single in machine.doubles:
        narrow = packed(machine, "d", 4.0)
    op = Enter(
        index=4, **arranged(machine, (double, packed(machine, "d", 1.5)), (single, narrow)), out_bytes=4
    )
    record = one(built, op)
    assert record.out == real
    expected = about.one_and_a_half or packed(machine, "d", 1.5)
    assert held(machine, record.left, about.double, len(expected)) == expected


@pytest.mark.parametrize(
    ("index", "given", "real"),
    [(11, 0x3FC00000, 1.5), (12, 3, 3.0), (13, 3, -6.0)],
    ids=["moved", "converted", "computed"],
)
def test_a_real_that_risc_v_makes_is_boxed(riscv, index, given, real):
    machine = riscv.machine
    enter = poison(machine, a0=words(machine, given))
    record = one(riscv, Enter(index=index, enter=enter, out_bytes=0))
    where = "a0" if machine.abi in ("lp64", "ilp32") else "fa0"
    boxed = packed(machine, "f", real) + (b"\xff" * 4 if where == "fa0" else b"")
    assert machine.read(record.left, where)[: len(boxed)] == boxed


def test_nothing_of_the_last_operation_is_left(built):
    machine = built.machine
    first = Enter(index=7, enter=poison(machine), inputs=b"\xee" * 4000, blob=b"\xee" * 4000, blob_bytes=4000)
    second = Enter(index=9, enter=poison(machine), inputs=b"ab", out_bytes=3000, blob_bytes=3000)
    for executor in built.executors:
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
    assert record.window[x86.machine.return_address :][:10] == LONG_DOUBLE_2
    assert record.out[:10] == LONG_DOUBLE_3
    assert x87_depth(record.left, x86.machine) == 0


def test_two_x87_results_for_a_caller(x86_64):
    op = call(x86_64.machine, 14, results=x87_result(LONG_DOUBLE_3, LONG_DOUBLE_4), out_bytes=32)
    record = one(x86_64, op)
    assert record.out[:10] + record.out[16:26] == LONG_DOUBLE_3 + LONG_DOUBLE_4
    assert x87_depth(record.left) == 0


def on_the_x87(built, index):
    """What a callee that is given the long double 2 leaves on the x87 stack."""
    machine = built.machine
    stack = {"stack": LONG_DOUBLE_2 + bytes(6), "stack_offset": machine.return_address}
    record = one(built, Enter(index=index, enter=poison(machine), **stack))
    return registers(machine, record.left, "st0", "st1")[: x87_depth(record.left, machine)]


def test_an_x87_result_of_a_callee(x86):
    assert on_the_x87(x86, 12) == [LONG_DOUBLE_3]


@pytest.mark.parametrize(("shadow", "spoilt"), [(0, 0x11), (8, 0x7777777777777777)])
def test_what_belongs_to_the_called_function_is_spoilt(x86_64, shadow, spoilt):
    record = one(x86_64, call(x86_64.machine, 15, out_bytes=16, shadow=shadow))
    assert record.out == words(x86_64.machine, spoilt, 0x22)


def test_two_x87_results_of_a_callee(x86_64):
    assert on_the_x87(x86_64, 13) == [LONG_DOUBLE_2, LONG_DOUBLE_4]


# Processors set the exponent of an x87 register when they write it as an MMX register, emulators do not.
@pytest.mark.parametrize("index", [13, 17])
def test_mmx_registers_at_a_call(i386, index):
    for record in each(i386, call(i386.machine, index, inputs=b"multimed")):
        assert i386.machine.read(record.captured, "mm0") == b"multimed"


@pytest.mark.parametrize("index", [14, 18])
def test_mmx_registers_of_a_callee(i386, index):
    op = Enter(index=index, **arranged(i386.machine, ("mm0", b"ingoing.")), inputs=b"outgoing", out_bytes=8)
    for record in each(i386, op):
        assert record.out == b"ingoing."
        assert registers(i386.machine, record.left, "mm0", "mm1") == [b"outgoing"] * 2


def test_arguments_that_the_called_side_takes_off_the_stack(i386):
    op = call(i386.machine, 15, results={"eax": words(i386.machine, 5)}, out_bytes=4, stack_window=12, pops=8)
    record = one(i386, op)
    assert (record.captures, record.window[4:]) == (2, words(i386.machine, 1, 2))
    assert record.out == bytes(4)
    assert unharmed(i386.machine, op, record)


def test_a_callee_that_takes_its_arguments_off_the_stack(i386):
    machine = i386.machine
    op = Enter(index=16, **arranged(machine, ("4", words(machine, 50)), ("8", words(machine, 8))))
    record = one(i386, op)
    assert machine.number(record.left, "eax") == 42
    assert unharmed(machine, op, record, pops=8)
