"""Xtensa as in the ESP8266: little-endian, without register windows and floating-point registers.

Clang knows the processor from 22 on, and its ABI from 24 on.
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
