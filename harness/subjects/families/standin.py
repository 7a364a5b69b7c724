"""Stand-ins as subjects: installed compilers for other targets, told to build what the target's own would.

What each can witness is in `abiprobe.oracles.standins`; this knows command lines.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from abiprobe.harness.subjects.families import zig
from abiprobe.harness.subjects.families.gnu import COMMON
from abiprobe.harness.subjects.subject import Family
from abiprobe.oracles.standins import stand_ins

THROUGH_IR = (sys.executable, "-P", str(Path(__file__).with_name("through_ir.py")))
NEWEST_CLANG, OLDEST_CLANG = 40, 9


def without_ir(words: tuple[str, ...]) -> tuple[str, ...]:
    """A command that compiles to assembly: the compiler itself, which has a code generator for that."""
    return words[len(THROUGH_IR) + 1 :] if words[: len(THROUGH_IR)] == THROUGH_IR else words


def newest_clang() -> tuple[str, ...] | None:
    """The newest clang on PATH, or else the embedded one."""
    names = (*(f"clang-{version}" for version in range(NEWEST_CLANG, OLDEST_CLANG, -1)), "clang")
    program = next(filter(None, map(shutil.which, names)), None)
    if program:
        return (program,)
    embedded = zig.program()
    return (embedded, "clang") if embedded else None


def any_of(*names: str) -> Callable[[], tuple[str, ...] | None]:
    """Make a function that finds the first of these programs that is installed."""

    def find() -> tuple[str, ...] | None:
        program = next(filter(None, map(shutil.which, names)), None)
        return (program,) if program else None

    return find


class StandInCommand(msgspec.Struct, frozen=True):
    """The command of a stand-in: how to find its program, its options, and what is put before the command.

    `object_options` name a target that aligns LLVM's types as the stand-in does and has a code generator.
    """

    find: Callable[[], tuple[str, ...] | None]
    options: tuple[str, ...]
    object_options: str = ""


WORD_ALIGNED = "--target=armv7-none-eabi,-mabi=apcs-gnu"
"""No integer is aligned to more than 4 bytes there, wide ones included."""
GCC_ARM = ("-fsigned-char", "-fno-short-enums")
LINES = {
    "standin-arc": StandInCommand(newest_clang, ("--target=arc",), WORD_ALIGNED),
    "standin-xcore": StandInCommand(newest_clang, ("--target=xcore", "-fsigned-char"), WORD_ALIGNED),
    "standin-arm": StandInCommand(newest_clang, ("--target=armv7-none-eabi", *GCC_ARM)),
    "standin-armhf": StandInCommand(newest_clang, ("--target=armv7-none-eabihf", "-mfpu=neon", *GCC_ARM)),
    "standin-arm-gcc": StandInCommand(any_of("arm-none-eabi-gcc"), GCC_ARM),
    "standin-spirv32": StandInCommand(
        newest_clang, ("--target=spirv32", "-fsigned-char"), "--target=riscv32-unknown-elf"
    ),
    "standin-i386-gcc": StandInCommand(
        any_of("gcc-12", "x86_64-linux-gnu-gcc-12", "gcc"),
        ("-m32", "-malign-double", "-msse2", "-fcf-protection=none"),
    ),
    "standin-x32-gcc": StandInCommand(
        any_of("gcc-12", "x86_64-linux-gnu-gcc-12", "gcc"), ("-mx32", "-fcf-protection=none")
    ),
    "standin-riscv32-gcc": StandInCommand(
        any_of("riscv64-linux-gnu-gcc", "riscv64-unknown-elf-gcc"),
        ("-march=rv32imac", "-mabi=ilp32", "-fsigned-char"),
    ),
    "standin-mipsel": StandInCommand(newest_clang, ("--target=mipsel-linux-gnu", "-mno-abicalls")),
    "standin-powerpc": StandInCommand(
        newest_clang, ("--target=powerpc-unknown-elf", "-msoft-float", "-maix-struct-return", "-fsigned-char")
    ),
}


def family(name: str, line: StandInCommand) -> Family:
    """One stand-in as a family of its own; `standin-arc:clang-14` names another program for it."""
    facts = stand_ins()[name]

    def find(_name: str, _target: str) -> tuple[str, ...] | None:
        return line.find()

    return Family(
        name,
        dict.fromkeys(facts.targets, line.options),
        COMMON,
        find,
        prefix=(*THROUGH_IR, line.object_options) if line.object_options else (),
        observers=("stand-in", "assembly"),
        standin=name,
    )


STAND_INS = {name: family(name, line) for name, line in LINES.items()}
