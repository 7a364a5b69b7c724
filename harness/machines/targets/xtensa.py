"""Xtensa as in the ESP8266: little-endian, without register windows and floating-point registers.

Clang before 23 cannot assemble a literal behind a function whose length is no multiple of 4, unless each has a section of its own.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_FIRST_CLANG = 22

PLATFORMS = (
    Platform(
        "xtensa-call0",
        "xtensa",
        {"clang": by_triple("xtensa", "-ffunction-sections"), "gcc": ("-mabi=call0",)},
        ("xtensa-lx106-elf-",),
        clang_since=_FIRST_CLANG,
    ),
)
