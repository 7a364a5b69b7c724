"""A binding as values: the names that it gives to what a header declares, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec


class Bits(msgspec.Struct, frozen=True):
    """The bits that an accessor of a bit-field reads: of the member `storage` so many, `width`, from bit `at` on."""

    storage: str
    at: int
    width: int


class BoundType(msgspec.Struct, frozen=True):
    """A type of a binding; `path` is how the language names it.

    `members` has the line and the type of each member, by name, and is `None` for a type that is no record; `alias` is the
    last name of the type that it is another name of. `bits` are the accessors of bit-fields.
    """

    path: str
    line: int
    members: Mapping[str, tuple[int, str]] | None = None
    alias: str = ""
    bits: Mapping[str, Bits] = {}

    @property
    def opaque(self) -> bool:
        """Return whether it hides what is in it: a record of one member without bytes, or of none."""
        if self.members is None:
            return False
        return all(
            name.startswith("_") and c_type.endswith("; 0]") for name, (_, c_type) in self.members.items()
        )


class BoundFunction(msgspec.Struct, frozen=True):
    """A function that a binding declares; `like` declares a variable of its type that is the function.

    `inner` leads from its result to the number in it, where a struct is around that. `types` are those of the parameters and of
    the result, as the binding has them; it has none where it is not read from a text.
    """

    name: str
    line: int
    like: str
    parameters: int
    variadic: bool
    returns: bool
    inner: str = ""
    types: tuple[str, ...] = ()


class BoundConstant(msgspec.Struct, frozen=True):
    """A constant of a binding: `value` is the expression, and `length` that of a text in bytes, 0 for a number."""

    line: int
    value: str
    length: int = 0


class Left(msgspec.Struct, frozen=True):
    """A part of a binding that is not compared, and why."""

    line: int
    name: str
    why: str


class Binding(msgspec.Struct, frozen=True):
    """The types, functions and constants of a binding, by their last names; `left` is what cannot be asked about."""

    file: str
    types: Mapping[str, BoundType]
    functions: Mapping[str, BoundFunction]
    constants: Mapping[str, BoundConstant]
    left: tuple[Left, ...] = ()

    def type(self, *names: str) -> BoundType | None:
        """The type with the first of some names that the binding has."""
        return next((self.types[name] for name in names if name in self.types), None)

    def resolved(self, found: BoundType | None) -> BoundType | None:
        """The type behind other names of it; `None` if the binding does not declare it."""
        seen: set[str] = set()
        while found is not None and found.alias and found.path not in seen:
            seen.add(found.path)
            found = self.types.get(found.alias)
        return found

    def constant(self, name: str, *enums: str) -> BoundConstant | None:
        """A constant by its name in C, or by those that bindgen gives to an enumerator of one of `enums`."""
        names = (name, *(f"{enum}{between}{name}" for enum in enums for between in ("_", "::")))
        return next(
            (self.constants[one] for one in (*names, *self._numbered(name)) if one in self.constants), None
        )

    def _numbered(self, name: str) -> Iterator[str]:
        """Names of an enumerator of an enumeration without a name."""
        return (f"_bindgen_ty_{number}{between}{name}" for number in range(1, 100) for between in ("_", "::"))
