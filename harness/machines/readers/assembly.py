"""Constants from assembly: what the directives behind a label put in memory. Little-endian."""

from __future__ import annotations

import re

LABEL = re.compile(r"^([\w.$]+):")
DIRECTIVE = re.compile(r"^\s*(\.\w+)\s+(.*?)\s*$")
COMMENT = re.compile(r"\s*(?:#|//|;|@ ).*$")
WIDTHS = {
    ".byte": 1,
    ".short": 2,
    ".half": 2,
    ".hword": 2,
    ".2byte": 2,
    ".long": 4,
    ".word": 4,
    ".int": 4,
    ".4byte": 4,
    ".quad": 8,
    ".xword": 8,
    ".8byte": 8,
}
FILLS = frozenset({".zero", ".space", ".skip"})
ENDS = frozenset({".size", ".section", ".text", ".data"})
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)")
ESCAPES = {b"n": b"\n", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"r": b"\r"}
ASKED = b"abi_layout:"


def is_assembly(data: bytes) -> bool:
    """Return whether the bytes are assembly that defines the constants of a unit about layouts."""
    return b"\0" not in data and ASKED in data


def constants(data: bytes) -> dict[str, bytes]:
    """The contents of every label with data behind it; raises `ValueError` for a number that is none."""
    found: dict[str, bytearray] = {}
    current: bytearray | None = None
    for raw in data.decode("utf-8", "replace").splitlines():
        line = raw if '"' in raw else COMMENT.sub("", raw)
        label = LABEL.match(line)
        if label:
            current = found.setdefault(label[1], bytearray())
            continue
        directive = DIRECTIVE.match(line)
        if directive and directive[1] in ENDS:
            current = None
        elif directive and current is not None:
            current += data_bytes(directive[1], directive[2])
    return {name: bytes(content) for name, content in found.items() if content}


def data_bytes(directive: str, operands: str) -> bytes:
    """The bytes of one directive; nothing for one that puts none."""
    if directive in WIDTHS:
        width = WIDTHS[directive]
        values = (int(operand, 0) for operand in operands.split(","))
        return b"".join((value & ((1 << 8 * width) - 1)).to_bytes(width, "little") for value in values)
    if directive in FILLS:
        count, _, value = operands.partition(",")
        return bytes([int(value or "0", 0) & 0xFF]) * int(count, 0)
    if directive in {".ascii", ".asciz", ".string"}:
        text = STRING.search(operands)
        return unescaped(text[1] if text else "") + (b"" if directive == ".ascii" else b"\0")
    return b""


def unescaped(text: str) -> bytes:
    """A string of assembly as the bytes it stands for."""

    def byte(match: re.Match[bytes]) -> bytes:
        digits = match[1]
        return bytes([int(digits, 8) & 0xFF]) if digits.isdigit() else ESCAPES.get(digits, digits)

    return ESCAPE.sub(byte, text.encode("latin-1", "replace"))
