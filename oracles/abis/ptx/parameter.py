"""A parameter or result as PTX declares it: state space, type, alignment and extent."""

from __future__ import annotations

import re
from enum import Enum

import msgspec

BYTES = {
    "pred": 1,
    **{kind + "8": 1 for kind in "bus"},
    **{kind + "16": 2 for kind in "busf"},
    "bf16": 2,
    **{kind + "32": 4 for kind in "busf"},
    "f16x2": 4,
    "bf16x2": 4,
    **{kind + "64": 8 for kind in "busf"},
    "b128": 16,
}
"""The fundamental types of PTX and their sizes in bytes."""
_NOTATION = re.compile(r"(r:)?(?:\.align (\d+) )?\.?(?:v([24]) )?\.?(\w+?)(?:\[(\d*)\])?")


class Space(Enum):
    """The state space of a parameter."""

    PARAM = ".param"
    """memory that a call maps to registers or stack"""
    REG = ".reg"
    """virtual registers, for scalars and vectors only"""


class Parameter(msgspec.Struct, frozen=True, omit_defaults=True):
    """One formal parameter.

    `type` is a fundamental type without its dot; `length` the number of elements of an array (0: without a size), `vector` of a
    vector; `declared` the alignment in bytes that `.align` gives.
    """

    type: str
    declared: int | None = None
    length: int | None = None
    vector: int = 1
    space: Space = Space.PARAM
    pointer: bool = False

    @property
    def is_array(self) -> bool:
        """Return whether this is an array, with a size or without."""
        return self.length is not None

    @property
    def is_unsized(self) -> bool:
        """Return whether this is an array without a size; ptxas takes `[0]` for one."""
        return self.length == 0

    @property
    def natural(self) -> int:
        """The alignment in bytes without `.align`: that of a scalar or a whole vector, of an array that of an element."""
        return BYTES[self.type] * self.vector

    @property
    def size(self) -> int:
        """Bytes; 0 for an array without a size."""
        return self.natural * (1 if self.length is None else self.length)

    @property
    def align(self) -> int:
        """The alignment in bytes in force: `.align`, which raises the natural one and never lowers it."""
        return max(self.declared or 0, self.natural)

    def declaration(self, name: str) -> str:
        """The declaration: `.param .align 8 .b8 name[16]`."""
        extent = "" if self.length is None else f"[{self.length or ''}]"
        return f"{self.space.value} {self.typed} {name}{extent}"

    @property
    def typed(self) -> str:
        """Alignment and type as a declaration has them: `.align 8 .b8`, `.v4 .f32`."""
        align = f".align {self.declared} " if self.declared is not None else ""
        vector = f".v{self.vector} " if self.vector > 1 else ""
        return f"{align}{vector}.{self.type}"


def array(align: int, size: int) -> Parameter:
    """A byte array: `.param .align A .b8 name[N]`; both in bytes."""
    return Parameter("b8", align, size)


def scalar(size: int, kind: str = "b") -> Parameter:
    """A scalar of `size` bytes, untyped unless `kind` says otherwise."""
    return Parameter(f"{kind}{size * 8}")


def parse_parameter(text: str) -> Parameter:
    """A parameter in a short notation: `b32`, `.align 4 .b8[49]`, `v4 f32`, and `r:f32` for a register.

    Raises `ValueError` for anything else.
    """
    found = _NOTATION.fullmatch(text.strip())
    if found is None or found[4] not in BYTES:
        raise ValueError(f"no parameter: {text!r}")
    register, align, vector, kind, length = found.groups()
    return Parameter(
        kind,
        None if align is None else int(align),
        None if length is None else int(length or 0),
        int(vector or 1),
        Space.REG if register else Space.PARAM,
    )


class Signature(msgspec.Struct, frozen=True):
    """Parameters and result of a device function, or parameters of a kernel, as PTX declares them."""

    params: tuple[Parameter, ...]
    result: Parameter | None = None

    def __str__(self) -> str:
        params = ", ".join(notation(param) for param in self.params)
        return f"({params})" + (f" -> {notation(self.result)}" if self.result else "")


def notation(param: Parameter) -> str:
    """A parameter in the notation that `parse_parameter` reads."""
    extent = "" if param.length is None else f"[{param.length or ''}]"
    return f"{'r:' if param.space is Space.REG else ''}{param.typed}{extent}"
