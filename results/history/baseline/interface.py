"""The declarations of a file on which programs built with it depend: names, and types as text.

Types are spelled out: typedef names and the names of parameters are replaced by what they stand for. Beside its text each
declaration has the value for which a model can be asked, where there is one; `unread` says why there is none.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from abiprobe.oracles.language.lang import Prototype, Record, Type


class Linkage(Enum):
    """The linkage of a function or an object."""

    EXTERNAL = "external"
    """everybody who links with it"""
    HIDDEN = "hidden"
    """only those who are linked together with it"""
    INLINE = "inline"
    """no symbol need be there: C makes none of a definition that is `inline` wherever it is declared"""
    INTERNAL = "internal"
    """nobody: each program has its own"""


class DeclaredMember(msgspec.Struct, frozen=True, omit_defaults=True):
    """A member by its path from the outer record (`in.x` within an unnamed struct), with its type, and its width if a bit-field.

    `value` is its type as a model takes it.
    """

    path: str
    type: str
    value: Type | None = None


class DeclaredRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A struct or union; an `opaque` one has a name alone, an `included` one is declared in another file."""

    name: str
    members: tuple[DeclaredMember, ...] = ()
    value: Record | None = None
    unread: str = ""
    opaque: bool = False
    included: bool = False


class DeclaredEnum(msgspec.Struct, frozen=True, omit_defaults=True):
    """An enumeration; `underlying` is the type that it is declared with, if any. The one without a name is all of those."""

    name: str
    enumerators: tuple[tuple[str, int], ...]
    underlying: str = ""
    value: Type | None = None
    included: bool = False


class DeclaredFunction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A function. `params` is `None` where it is declared without a prototype.

    `attributes` are those of the calling convention, and `symbol` is its name for the assembler where that is another.
    Of one of which nothing can be said `result` is empty and `unread` says why; of others that is why there is no `value`.
    """

    name: str
    result: str = "void"
    params: tuple[str, ...] | None = ()
    variadic: bool = False
    attributes: tuple[str, ...] = ()
    linkage: Linkage = Linkage.EXTERNAL
    symbol: str = ""
    value: Prototype | None = None
    unread: str = ""


class DeclaredVariable(msgspec.Struct, frozen=True, omit_defaults=True):
    """An object; `thread` if each thread has its own, `constant` if it is not to be written to."""

    name: str
    type: str
    thread: bool = False
    constant: bool = False
    linkage: Linkage = Linkage.EXTERNAL
    symbol: str = ""
    value: Type | None = None


class Interface(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a file declares, and all records and enumerations that it needs for that, wherever they are declared.

    `typedefs` are names with their types, `unread` names with why nothing can be said of them.
    """

    records: tuple[DeclaredRecord, ...] = ()
    enums: tuple[DeclaredEnum, ...] = ()
    functions: tuple[DeclaredFunction, ...] = ()
    variables: tuple[DeclaredVariable, ...] = ()
    typedefs: tuple[tuple[str, str], ...] = ()
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether nothing is declared."""
        return self == NOTHING


NOTHING = Interface()
UNNAMED = "enum (unnamed)"
"""All enumerations without a name together: their constants are known by their own names."""
