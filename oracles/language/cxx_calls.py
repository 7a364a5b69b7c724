"""Calls of C++ functions as frozen values, beside the prototypes of C (`abiprobe.oracles.language.lang`)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.oracles.language.classes import Class, CxxType, Reference, element, parts, spelling
from abiprobe.oracles.language.lang import Value
from abiprobe.oracles.language.names import Identifier, ParameterName

THIS = "this"
"""The name of the parameter that a prototype does not show."""


class CxxParam(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A parameter: its name and its type (never an array: C++ passes those as pointers)."""

    name: ParameterName
    type: CxxType


class CxxPrototype(Value, frozen=True):
    """A function of C++, and for a variadic one the types of the unnamed arguments of one call.

    `result` is `None` for `void`. `unnamed` holds types after the default argument promotions. A function with `this` is a
    non-static member of that class, `virtual` or not: it is called through the virtual table, or else through a pointer to
    the member.
    """

    name: Identifier
    result: CxxType | None
    params: tuple[CxxParam, ...] = ()
    variadic: bool = False
    unnamed: tuple[CxxType, ...] = ()
    this: Class | None = None
    virtual: bool = False

    @property
    def arguments(self) -> tuple[CxxParam, ...]:
        """The arguments that a call names: the parameters, then the unnamed ones, which are called `...0`, `...1` and so on."""
        extra = (CxxParam(f"...{index}", c_type) for index, c_type in enumerate(self.unnamed))
        return (*self.params, *extra)

    @property
    def types(self) -> tuple[CxxType, ...]:
        """The types of the values of a call: of the object, of the result and of the arguments, as far as there are any."""
        implicit = tuple(one for one in (self.this, self.result) if one is not None)
        return (*implicit, *(argument.type for argument in self.arguments))


def referred(c_type: CxxType) -> CxxType:
    """The type that a reference is to, or the type itself."""
    return c_type.to if isinstance(c_type, Reference) else c_type


def classes_in(types: tuple[CxxType, ...]) -> tuple[Class, ...]:
    """Every class that must be complete before a function with these types is called, in such an order."""
    found: dict[Class, None] = {}
    for c_type in types:
        inner = element(referred(c_type))
        if isinstance(inner, Class):
            found.update(dict.fromkeys(parts(inner)))
    return tuple(found)


def call_title(asked: CxxPrototype) -> str:
    """A function in a line: `S f(int, A &)`, `void C::f(int)`."""
    scope = "" if asked.this is None else f"{asked.this.tag}::"
    result = "void" if asked.result is None else spelling(asked.result)
    return f"{'virtual ' * asked.virtual}{result} {scope}{asked.name}({', '.join(_spelled(asked))})"


def _spelled(asked: CxxPrototype) -> Iterator[str]:
    yield from (spelling(param.type) for param in asked.params)
    if asked.variadic:
        yield "..."
    yield from (f"/* {spelling(c_type)} */" for c_type in asked.unnamed)
