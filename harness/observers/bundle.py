"""An observer's part of a bundle, which shows a deviation to somebody who has the compilers and nothing of ours."""

from __future__ import annotations

from enum import Enum

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine


class Ways(Enum):
    """The ways in which the objects of two compilers are linked where no text decides."""

    NONE = ""
    """not at all: the text decides"""
    CALLS = "calls"
    """the caller of each with the callee of each, its own included"""
    BESIDE = "beside"
    """each two once"""


class Bundle(msgspec.Struct, frozen=True):
    """A translation unit, and how somebody sees what is wrong with what a compiler makes of it.

    With a `machine` it is linked with `files` (a driver, values, registers) and run; `stack_align` is that of stack
    arguments, in bytes. With an `extract` command the lines read from the compiler's output must be `expected`; `options` make
    the compiler write it, `clang` is what clang needs beside them. With neither, the unit itself does not compile.

    Where no text decides, the objects of two compilers are linked together and compared: `apart` are the symbols that each
    has, `own` other names that each has for itself, and `ways` says which of two comes first in what is compared.
    """

    text: str
    files: dict[str, str] = {}
    machine: Machine | None = None
    stack_align: int = 1
    expected: tuple[str, ...] = ()
    extract: str = ""
    options: str = "-c"
    clang: str = ""
    apart: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    ways: Ways = Ways.NONE


class SelfTest(msgspec.Struct, frozen=True):
    """A unit that asserts what the text says of a class: `static` assertions alone, or with a program as well.

    The function of `program` stores bytes in `abi_out`, and `wanted` are those that the text demands; empty where no program is run.
    """

    static: str
    program: str = ""
    wanted: bytes = b""
