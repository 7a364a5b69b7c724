"""Xtensa as in the ESP8266: little-endian, without register windows and floating-point registers.

Clang has its ABI from 24 on; 22 and 23 pass and return every record in memory.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_FIRST_CLANG = 24

PLATFORMS = (
    Platform(
        "xtensa-call0",
        "xtensa",
        {"clang": by_triple("xtensa"), "gcc": ("-mabi=call0",)},
        ("xtensa-lx106-elf-",),
        clang_since=_FIRST_CLANG,
    ),
)
