"""PTX texts that show where parameters are: a callee that stores each of them, a caller that loads each of them.

A callee stores every byte of every parameter to a place of its own in shared memory, and returns what is there from `RESULT` on.
A caller does the same the other way round. What they store names, in the machine code, the register or stack byte it came from.
What is loaded from one place is stored `OUT` bytes behind it, so that a byte which nobody stores is none that arrives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.oracles.abis.ptx.parameter import Parameter, Signature, Space
from abiprobe.oracles.engine.records import round_up

START, RESULT, END = 0x400, 0x7400, 0xC000
"""The bytes of shared memory at which parameters and results begin, and the end: from sm_80 on the first KiB belongs to the
system, and 48 KiB are to be had without asking."""
OUT = 0x3800
"""The distance in bytes from where a value is loaded to where it is stored."""
UNSIZED_BYTES = 8
"""How much of an array without a size is passed, unless something else is asked."""
WORD = 4
HEADER = ".version {version}\n.target {arch}\n.address_size 64\n"
VERSION = "7.8"
"""Taken by every ptxas from 11.8 on."""


class Chunk(msgspec.Struct, frozen=True):
    """An access of a parameter: byte offset and width, and the byte of shared memory that it shares."""

    offset: int
    width: int
    shared: int


def header(arch: str, version: str = VERSION) -> str:
    """The first lines of a module."""
    return HEADER.format(version=version, arch=arch)


def probed_bytes(param: Parameter, unsized: int = UNSIZED_BYTES) -> int:
    """Return the number of bytes of a parameter that are probed, `unsized` of an array without a size."""
    return unsized if param.is_unsized else param.size


def slots(params: Sequence[Parameter]) -> tuple[int, ...]:
    """The byte of shared memory at which each parameter's copy begins; behind an array without a size is none."""
    at = START
    found = []
    for param in params:
        found.append(at)
        at += round_up(probed_bytes(param), 8)
    return tuple(found)


def chunks(param: Parameter, shared: int, unsized: int = UNSIZED_BYTES) -> Iterator[Chunk]:
    """The accesses that cover a parameter: as wide as its alignment allows, 8 bytes at most."""
    if not param.is_array:
        yield Chunk(0, param.size, shared)
        return
    size, at = probed_bytes(param, unsized), 0
    while at < size:
        width = next(
            width for width in (8, 4, 2, 1) if width <= param.align and at % width == 0 and at + width <= size
        )
        yield Chunk(at, width, shared + at)
        at += width


REGISTERS = {1: "%h", 2: "%h", 4: "%r", 8: "%rd"}


def register(width: int, number: int) -> str:
    """A register for an access of so many bytes."""
    return f"{REGISTERS[width]}{number}"


def registers(count: int) -> str:
    """The declarations of enough registers for `count` accesses."""
    return (
        f".reg .b16 %h<{count}>; .reg .b32 %r<{count}>; .reg .b64 %rd<{count}>; .reg .b32 %z; mov.b32 %z, 0;"
    )


def callee(name: str, signature: Signature, unsized: int = UNSIZED_BYTES) -> str:
    """A function that stores its parameters and returns what it loads; `unsized` bytes of an array without a size."""
    formals = ", ".join(param.declaration(f"p{index}") for index, param in enumerate(signature.params))
    result = f"({signature.result.declaration('rv')}) " if signature.result else ""
    lines = []
    for index, (param, slot) in enumerate(zip(signature.params, slots(signature.params), strict=True)):
        if param.space is Space.REG:
            lines.append(f"st.volatile.shared.{param.type} [%z+{slot + OUT}], p{index};")
            continue
        for chunk in chunks(param, slot, unsized):
            own = register(chunk.width, 0)
            lines.append(f"ld.param.b{chunk.width * 8} {own}, [p{index}+{chunk.offset}];")
            lines.append(f"st.volatile.shared.b{chunk.width * 8} [%z+{chunk.shared + OUT}], {own};")
    if signature.result:
        for chunk in chunks(signature.result, RESULT):
            own = register(chunk.width, 1)
            lines.append(f"ld.volatile.shared.b{chunk.width * 8} {own}, [%z+{chunk.shared}];")
            lines.append(f"st.param.b{chunk.width * 8} [rv+{chunk.offset}], {own};")
    return f".visible .func {result}{name}({formals}) {{ {registers(2)}\n" + "\n".join(lines) + "\nret; }\n"


def caller(name: str, target: str, signature: Signature, unsized: int = UNSIZED_BYTES) -> str:
    """A function that calls `target`, which another module defines, with what it loads, and stores the result.

    For an array without a size it passes one of `unsized` bytes.
    """
    formals = ", ".join(param.declaration(f"p{index}") for index, param in enumerate(signature.params))
    result = f"({signature.result.declaration('rv')}) " if signature.result else ""
    locals_, loads, stores, arguments = [], [], [], []
    number = 0
    for index, (param, slot) in enumerate(zip(signature.params, slots(signature.params), strict=True)):
        arguments.append(f"a{index}")
        if param.space is Space.REG:
            locals_.append(f".reg .{param.type} a{index};")
            loads.append(f"ld.volatile.shared.{param.type} a{index}, [%z+{slot}];")
            continue
        sized = msgspec.structs.replace(param, length=unsized) if param.is_unsized else param
        locals_.append(f"{sized.declaration(f'a{index}')};")
        for chunk in chunks(param, slot, unsized):
            own = register(chunk.width, number)
            number += 1
            loads.append(f"ld.volatile.shared.b{chunk.width * 8} {own}, [%z+{chunk.shared}];")
            stores.append(f"st.param.b{chunk.width * 8} [a{index}+{chunk.offset}], {own};")
    after = []
    if signature.result:
        locals_.append(f"{signature.result.declaration('r')};")
        takes = list(chunks(signature.result, RESULT))
        for chunk in takes:
            after.append(f"ld.param.b{chunk.width * 8} {register(chunk.width, number)}, [r+{chunk.offset}];")
            number += 1
        for place, chunk in enumerate(takes):
            own = register(chunk.width, number - len(takes) + place)
            after.append(f"st.volatile.shared.b{chunk.width * 8} [%z+{chunk.shared + OUT}], {own};")
    given = f", ({', '.join(arguments)})" if arguments else ""
    call = f"call {'(r), ' if signature.result else ''}{target}{given};"
    body = "\n".join((*locals_, *loads, *stores, call, *after))
    return (
        f".extern .func {result}{target}({formals});\n"
        f".visible .func {name}() {{ {registers(number + 1)}\n{{\n{body}\n}}\nret; }}\n"
    )


def kernel(name: str, signature: Signature) -> str:
    """A kernel that does nothing: what the image says about its parameters is enough."""
    formals = ", ".join(param.declaration(f"p{index}") for index, param in enumerate(signature.params))
    return f".visible .entry {name}({formals}) {{ ret; }}\n"
