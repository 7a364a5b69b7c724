"""A function's signature in LLVM IR: its calling convention, result and arguments, with their attributes."""

from __future__ import annotations

from enum import Enum

import msgspec

ABI_ATTRIBUTES = frozenset(
    {
        *("zeroext", "signext", "noext", "inreg", "nest"),
        *("byval", "byref", "preallocated", "inalloca", "sret"),
        *("alignstack", "swiftself", "swiftasync", "swifterror"),
    }
)
"""Attributes that say how a value is passed (LLVM's language reference, "Parameter Attributes")."""
COPIES = frozenset({"byval", "byref", "preallocated", "inalloca"})
"""Beside one of these, `align` is the alignment of the argument in memory."""


class Role(Enum):
    """The role of a signature."""

    DEFINITION = "define"
    """the head of a function that the unit defines"""
    DECLARATION = "declare"
    """the head of a function that the unit only calls"""
    CALL = "call"
    """a call, with what it passes to `...`"""


class Attribute(msgspec.Struct, frozen=True, order=True):
    """A parameter attribute and its argument, as in `align 8`, `byval({ i64, i64 })` and `noundef`."""

    name: str
    argument: str = ""

    def __str__(self) -> str:
        if not self.argument:
            return self.name
        return f"{self.name} {self.argument}" if self.name == "align" else f"{self.name}({self.argument})"


class Slot(msgspec.Struct, frozen=True):
    """A result or an argument: its type, in which named types are written out, and its attributes in alphabetical order."""

    type: str
    attributes: tuple[Attribute, ...] = ()

    def has(self, name: str) -> bool:
        """Return whether it has an attribute of that name."""
        return any(each.name == name for each in self.attributes)

    @property
    def abi(self) -> frozenset[Attribute]:
        """The attributes that say how it is passed; the type that a `sret` points to does not."""
        copied = any(each.name in COPIES for each in self.attributes)
        return frozenset(
            Attribute(each.name) if each.name == "sret" else each
            for each in self.attributes
            if each.name in ABI_ATTRIBUTES or (copied and each.name == "align")
        )

    @property
    def optimization(self) -> frozenset[Attribute]:
        """The attributes that only promise something, and the type that a `sret` points to."""
        sret = frozenset(each for each in self.attributes if each.name == "sret")
        return frozenset(self.attributes) - self.abi | sret

    def __str__(self) -> str:
        return " ".join((self.type, *map(str, self.attributes)))


class IrSignature(msgspec.Struct, frozen=True):
    """A function or call: `convention` is empty for the default one, `variadic` stands for `...`.

    The arguments of attributes that copy a value to memory (`byval`) are its bytes, where the types of the module have sizes.
    """

    result: Slot
    arguments: tuple[Slot, ...]
    convention: str = ""
    variadic: bool = False

    def __str__(self) -> str:
        arguments = ", ".join((*map(str, self.arguments), *(("...",) if self.variadic else ())))
        return " ".join(filter(None, (self.convention, str(self.result), f"({arguments})")))
