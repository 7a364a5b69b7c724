"""State blocks: every register has room of its own."""

from __future__ import annotations

import pytest

from abiprobe.harness.machines.runtime.machine import (
    I386,
    MACHINES,
    RISCV64,
    X86_64,
    Slot,
    machine,
    x87_depth,
    x87_result,
)
from abiprobe.harness.machines.runtime.x86 import WIDER, X86_64_AVX512
from abiprobe.oracles.text.place import Register, RegisterFile, StackSlot

EACH = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


def whole(machine):
    """The registers that are no part of another one: with SVE v0 is the beginning of z0."""
    widest = {}
    for slot in machine.registers.values():
        widest[slot.offset] = max(widest.get(slot.offset, 0), slot.width)
    return {name: slot for name, slot in machine.registers.items() if widest[slot.offset] == slot.width}


@EACH
def test_slots_lie_in_the_block_and_do_not_overlap(machine):
    end = 0
    for offset, width in sorted(whole(machine).values()):
        assert offset >= end
        end = offset + width
    assert end <= machine.state_bytes == len(machine.initial)
    assert machine.state_bytes % 16 == 0


@EACH
def test_every_register_has_a_file(machine):
    wider = WIDER.get(machine.full_name, ())
    assert all(set(one.files) == set(one.registers) for one in (machine, *wider))


@pytest.mark.parametrize(
    ("name", "register", "file"),
    [
        ("riscv64", "a3", RegisterFile.GENERAL),
        ("riscv64", "s2", RegisterFile.SAVED),
        ("riscv64", "fa3", RegisterFile.FLOATING),
        ("riscv64", "fs1", RegisterFile.FLOATING),
        ("riscv64v", "v8", RegisterFile.VECTOR),
        ("mips64el", "v0", RegisterFile.GENERAL),
        ("mips64el", "s8", RegisterFile.SAVED),
        ("loongarch64", "ft15", RegisterFile.FLOATING),
        ("arm", "s2", RegisterFile.SINGLE),
        ("arm", "d17", RegisterFile.FLOATING),
        ("aarch64", "v7", RegisterFile.VECTOR),
        ("aarch64_sve", "z9", RegisterFile.VECTOR),
        ("aarch64_sve", "p4", RegisterFile.PREDICATE),
        ("s390x", "v3_right", RegisterFile.VECTOR),
        ("sparc64", "o1", RegisterFile.GENERAL),
        ("sparc64", "d34", RegisterFile.FLOATING),
        ("sparc", "i5", RegisterFile.GENERAL),
        ("sparc", "unimp", RegisterFile.CONTROL),
        ("hexagon", "r15", RegisterFile.GENERAL),
        ("hexagon", "r16", RegisterFile.SAVED),
        ("hexagon", "p", RegisterFile.CONTROL),
        ("m68k", "a6", RegisterFile.GENERAL),
        ("m68k", "fp3", RegisterFile.FLOATING),
        ("xtensa", "a12", RegisterFile.GENERAL),
        ("ppc", "cr.6", RegisterFile.CONTROL),
        ("i386", "mm3", RegisterFile.MMX),
        ("x86_64", "st0", RegisterFile.X87),
        ("x86_64", "r10", RegisterFile.GENERAL),
        ("wasm32", "i32.p1", RegisterFile.GENERAL),
        ("wasm32", "f64.r0", RegisterFile.FLOATING),
    ],
)
def test_files_of_registers(name, register, file):
    assert machine(name).files[register] is file


def test_wider_registers_of_x86_are_vectors_and_masks():
    assert X86_64_AVX512.files["zmm3"] is RegisterFile.VECTOR
    assert X86_64_AVX512.files["k1"] is RegisterFile.MASK


@EACH
def test_what_is_written_is_read(machine):
    values = {name: bytes([n + 1]) * slot.width for n, (name, slot) in enumerate(whole(machine).items())}
    block = machine.state(values)
    assert {name: machine.read(block, name) for name in values} == values


@pytest.mark.parametrize(
    ("name", "register", "offset"),
    [
        ("riscv64", "ra", 8),
        ("riscv64", "sp", 16),
        ("riscv64", "a0", 80),
        ("riscv64", "s2", 144),
        ("riscv64", "t6", 248),
        ("riscv64", "ft0", 256),
        ("riscv64", "fs1", 256 + 72),
        ("riscv64", "fa0", 256 + 80),
        ("riscv64", "ft11", 256 + 248),
        ("riscv64-lp64e", "a5", 120),
        ("riscv32", "sp", 8),
        ("riscv32", "t6", 124),
        ("riscv32", "ft0", 128),
        ("riscv32", "ft11", 128 + 248),
        ("aarch64", "x30", 240),
        ("aarch64", "sp", 248),
        ("aarch64", "v31", 256 + 496),
        ("loongarch64", "sp", 24),
        ("loongarch64", "s9", 176),
        ("loongarch64", "fs7", 256 + 248),
        ("s390x", "r15", 120),
        ("ppc64le", "f1", 256 + 8),
        ("ppc64le", "v31", 512 + 496),
        ("ppc", "f1", 128 + 8),
        ("mips64el", "a0", 32),
        ("mips64el", "f31", 256 + 248),
        ("mipsn32el", "a7", 88),
        ("mipsel", "t0", 32),
        ("mipsel", "f31", 128 + 124),
        ("mips", "f30", 128 + 124),
        ("mips", "f31", 128 + 120),
        ("hexagon", "r29", 116),
        ("hexagon", "p", 128),
        ("m68k", "sp", 60),
        ("m68k", "fp1", 64 + 12 + 2),
        ("xtensa", "sp", 4),
        ("xtensa", "a7", 28),
        ("sparc64", "o0", 64),
        ("sparc64", "f1", 256 + 4),
        ("sparc64", "d62", 256 + 248),
        ("sparc", "o0", 32),
        ("sparc", "f31", 128 + 124),
        ("arm-aapcs-vfp", "sp", 52),
        ("arm-aapcs-vfp", "s1", 64 + 4),
        ("arm-aapcs-vfp", "d31", 64 + 248),
        ("s390x", "f1", 128 + 16),
        ("s390x", "v31", 128 + 496),
        ("i386", "esp", 28),
        ("i386", "st1", 48 + 48),
        ("i386", "mm1", 48 + 288 + 8),
        ("i386", "xmm7", 48 + 160 + 112),
        ("x86_64", "rsp", 56),
        ("x86_64", "r15", 120),
        ("x86_64", "xmm15", 144 + 160 + 240),
    ],
)
def test_places(name, register, offset):
    assert machine(name).where(Register(register)) == offset


def test_stack_places_are_told_from_registers():
    assert X86_64.where(StackSlot(8)) == 0x8000_0008


def test_numbers():
    block = X86_64.state({"rax": 258, "xmm0": b"\1"})
    assert X86_64.read(block, "rax") == b"\2\1" + bytes(6)
    assert X86_64.number(block, "rax") == 258
    assert X86_64.number(block, "mxcsr") == 0x1F80


def test_the_byte_order_of_numbers_and_registers():
    little, big = machine("aarch64"), machine("aarch64_be")
    for each, number, low in ((little, b"\2\1" + bytes(6), b"\1\0"), (big, bytes(6) + b"\1\2", b"\0\1")):
        block = each.state({"x0": 258, "v8": low})
        assert each.read(block, "x0") == number
        assert each.number(block, "x0") == 258
        assert each.number(block, "v8") == 1
        at, size = each.lowest("v8", 2)
        assert (block[at : at + size], each.lowest("v8", 0)) == (low, each.registers["v8"])
    assert little.lowest("v8", 8) == Slot(little.registers["v8"].offset, 8)
    assert big.lowest("v8", 8) == Slot(big.registers["v8"].offset + 8, 8)


def test_mistakes():
    with pytest.raises(KeyError):
        machine("z80")
    with pytest.raises(KeyError):
        X86_64.state({"a0": 1})
    with pytest.raises(OverflowError):
        X86_64.state({"rax": bytes(9)})
    with pytest.raises(OverflowError):
        X86_64.state({"rax": 1 << 64})


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("machine", [I386, X86_64], ids=["i386", "x86_64"])
def test_x87_depth(machine, depth):
    assert x87_depth(machine.state(x87_result(*[bytes(10)] * depth)), machine) == depth


def test_an_instruction_set_has_a_usual_abi():
    assert machine("riscv64") is machine("riscv64-lp64d") is RISCV64
    assert machine("riscv32").full_name == "riscv32-ilp32d"
    assert machine("i386").full_name == "i386"


@pytest.mark.parametrize("name", ["riscv32-ilp32e", "riscv64-lp64e"])
def test_rve_has_half_the_registers(name):
    assert {"a6", "s2", "t3", "fa0"}.isdisjoint(machine(name).registers)
    assert len(machine(name).registers) == 15
