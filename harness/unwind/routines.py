"""Routines that compilers leave saving and restoring registers to, and that a text has every program be linked with."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

STD, LD, STFD, LFD = 62 << 26, 58 << 26, 54 << 26, 50 << 26
"""Instructions of PowerPC that store and load a register: the operation code."""
LINK, BACK = 0, 16
"""r0, which holds the return address, and where that is saved."""
MOVE_TO_LINK, RETURN = 0x7C0803A6, 0x4E800020
FIRST, LAST = 14, 31
"""The preserved registers of PowerPC."""
WORD, INSTRUCTION = 8, 4
RA, SP, T0, S = 1, 2, 5, (8, 9, *range(18, 28))
"""Registers of RISC-V, the last the saved ones by their numbers."""
FRAME = 16
"""RISC-V's routines move the stack pointer by multiples of this."""


def powerpc() -> Iterator[tuple[dict[str, int], tuple[int, ...]]]:
    """The routines of PowerPC, each family with its entries by their names and its instructions (ELFv2 2.3.3)."""

    def memory(operation: int, register: int, base: int, offset: int) -> int:
        return operation | register << 21 | base << 16 | offset & 0xFFFF

    saved = memory(STD, LINK, 1, BACK), RETURN
    restored = memory(LD, LINK, 1, BACK), MOVE_TO_LINK, RETURN
    for name, operation, base, end in (
        ("_savegpr0", STD, 1, saved),
        ("_restgpr0", LD, 1, restored),
        ("_savegpr1", STD, 12, (RETURN,)),
        ("_restgpr1", LD, 12, (RETURN,)),
        ("_savefpr", STFD, 1, saved),
        ("_restfpr", LFD, 1, restored),
    ):
        each = [memory(operation, one, base, WORD * (one - LAST - 1)) for one in range(FIRST, LAST + 1)]
        yield {f"{name}_{FIRST + index}": index for index in range(len(each))}, (*each, *end)


def riscv(word: int) -> Iterator[tuple[dict[str, int], tuple[int, ...]]]:
    """The routines of RISC-V for registers of so many bytes (RISC-V Toolchain Conventions, Save restore support)."""
    width = 2 if word == INSTRUCTION else 3

    def add(number: int) -> int:
        return (number & 0xFFF) << 20 | SP << 15 | SP << 7 | 0x13

    def store(register: int, offset: int) -> int:
        return offset >> 5 << 25 | register << 20 | SP << 15 | width << 12 | (offset & 31) << 7 | 0x23

    def load(register: int, offset: int) -> int:
        return offset << 20 | SP << 15 | width << 12 | register << 7 | 0x03

    for number in range(len(S) + 1):
        registers = (RA, *S[:number])
        size = -(-word * len(registers) // FRAME) * FRAME
        at = [(one, size - word * (1 + index)) for index, one in enumerate(registers)]
        saves = (add(-size), *(store(one, offset) for one, offset in at), T0 << 15 | 0x67)
        restores = (*(load(one, offset) for one, offset in at), add(size), RA << 15 | 0x67)
        yield {f"__riscv_save_{number}": 0}, saves
        yield {f"__riscv_restore_{number}": 0}, restores


def placed_routines(machine: str, at: int) -> tuple[Mapping[str, int], bytes]:
    """The addresses of a machine's routines by their names, and their code, which begins at an address."""
    symbols: dict[str, int] = {}
    code = b""
    for entries, words in families(machine):
        symbols |= {name: at + len(code) + INSTRUCTION * index for name, index in entries.items()}
        code += struct.pack(f"<{len(words)}I", *words)
    return symbols, code


def families(machine: str) -> Iterator[tuple[dict[str, int], tuple[int, ...]]]:
    """The routines of a machine."""
    match machine:
        case "ppc64le":
            yield from powerpc()
        case "riscv64" | "riscv32":
            yield from riscv(int(machine[5:]) // 8)
