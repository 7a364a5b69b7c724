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


def memory(operation: int, register: int, base: int, offset: int) -> int:
    """An instruction that stores or loads a register."""
    return operation | register << 21 | base << 16 | offset & 0xFFFF


def powerpc() -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """The families of routines: their name, what each register takes, and how they end (ELFv2 2.3.3)."""
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
        each = (memory(operation, one, base, WORD * (one - LAST - 1)) for one in range(FIRST, LAST + 1))
        yield name, tuple(each), end


def placed_routines(machine: str, at: int) -> tuple[Mapping[str, int], bytes]:
    """The addresses of a machine's routines by their names, and their code, which begins at an address."""
    symbols: dict[str, int] = {}
    code = b""
    for name, each, end in powerpc() if machine == "ppc64le" else ():
        symbols |= {
            f"{name}_{FIRST + index}": at + len(code) + INSTRUCTION * index for index in range(len(each))
        }
        code += struct.pack(f"<{len(each) + len(end)}I", *each, *end)
    return symbols, code
