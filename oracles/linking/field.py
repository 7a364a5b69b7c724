"""A field of an object file that bears on linking: where it is recorded, what its values mean, and which go together."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

import msgspec

NO_CODE = "no code"
UNSAID = -1
"""The value of a tag that is left out where the text gives no default."""
NO_MEANING: Mapping[int, int] = MappingProxyType({})


class Answer(IntEnum):
    """The answer to whether two files may be linked together; of several answers the largest counts.

    `DROPPED`: they may, and the output loses a feature that one of them has. `UNKNOWN`: no rule decides. `WARNED`: the
    text calls them incompatible, and no linker need do more than warn. `REFUSED`: they may not.
    """

    LINKED = 0
    DROPPED = 1
    UNKNOWN = 2
    WARNED = 3
    REFUSED = 4


class Flags(msgspec.Struct, frozen=True, tag=True):
    """The bits `mask` of `e_flags`, in place; `meaning` gives other numbers to them, and none to those that it lacks.

    With `shared` they are read of shared objects and programs only.
    """

    mask: int
    meaning: Mapping[int, int] = NO_MEANING
    shared: bool = False


class Attribute(msgspec.Struct, frozen=True, tag=True):
    """A tag of a vendor's build attributes; `mask` takes bits of the value, in place, and `meaning` is as in `Flags`.

    `missing` is the value of a tag that is left out, and `silent` that of one whose vendor has no subsection at all. `None` says that
    nothing is said.
    """

    vendor: str
    tag: int
    mask: int = -1
    meaning: Mapping[int, int] = NO_MEANING
    missing: int | str | None = 0
    silent: int | str | None = None


class Property(msgspec.Struct, frozen=True, tag=True):
    """The bits `mask` of a property of `.note.gnu.property`, in place; a property that is missing is 0."""

    kind: int
    mask: int = -1


class AbiFlags(msgspec.Struct, frozen=True, tag=True):
    """An entry of `.MIPS.abiflags` by name; `silent` where there is no such section."""

    name: str
    silent: int | None = None


class Section(msgspec.Struct, frozen=True, tag=True):
    """`value` if the file has a section of that name; `NO_CODE` stands for having no section of instructions."""

    name: str
    value: int


class Ident(msgspec.Struct, frozen=True, tag=True):
    """A byte of `e_ident`, by its index."""

    index: int


class Class(msgspec.Struct, frozen=True, tag=True):
    """The class of the file: 32 or 64."""

    meaning: Mapping[int, int]


class First(msgspec.Struct, frozen=True, tag=True):
    """The first of several places that says something."""

    places: tuple[Place, ...]


class AnyOf(msgspec.Struct, frozen=True, tag=True):
    """The bits that are set in any of several places."""

    places: tuple[Place, ...]


Place = Flags | Attribute | Property | AbiFlags | Section | Ident | Class | First | AnyOf


class Same(msgspec.Struct, frozen=True, tag=True):
    """Only equal values go together, and those of `free` with any.

    `pairs` are different values that go together all the same, and `never` pairs that are refused whatever `otherwise` says.
    Which others go with a value of `open` the text leaves open; with one of `vague`, not even whether an equal one does.
    """

    free: frozenset[int | str] = frozenset()
    vague: frozenset[int | str] = frozenset()
    pairs: frozenset[frozenset[int | str]] = frozenset()
    never: frozenset[frozenset[int | str]] = frozenset()
    open: frozenset[int | str] = frozenset()
    otherwise: Answer = Answer.REFUSED


class Merged(msgspec.Struct, frozen=True, tag=True):
    """Any values go together: the output makes the demands of both."""


class Common(msgspec.Struct, frozen=True, tag=True):
    """Bits for features: the output has a feature only if all inputs have it."""


Rule = Same | Merged | Common


class Field(msgspec.Struct, frozen=True):
    """A field: its name, place, clause, and the words for its values.

    Without `words` any value has a meaning; with `bits` they are words for bits. A value without words has no meaning, and no rule.
    `unless` gives a place and a value with which the file makes no demand on the field. A field that is `hidden` is compared and not printed.
    """

    name: str
    place: Place
    clause: str
    rule: Rule
    words: Mapping[int, str] = MappingProxyType({})
    bits: bool = False
    unless: tuple[Attribute, int] | None = None
    hidden: bool = False


class Tags(msgspec.Struct, frozen=True):
    """The rule of a text for a vendor's tags that it does not define: those that are `optional` modulo 128 can be ignored."""

    vendor: str
    clause: str
    optional: range = range(0)


class Rules(msgspec.Struct, frozen=True):
    """All rules on the files of a machine.

    `other_flags` are bits of `e_flags` that are known, of which nothing depends; `flags_clause` says what bits there are.
    """

    fields: tuple[Field, ...]
    flags_clause: str
    other_flags: int = 0
    tags: tuple[Tags, ...] = ()


def pairs(*values: tuple[int, int]) -> frozenset[frozenset[int | str]]:
    """Pairs of values, in either order."""
    return frozenset(frozenset[int | str](pair) for pair in values)


def words(**named: int) -> Mapping[int, str]:
    """Words for values, where each is one word."""
    return MappingProxyType({value: name.replace("_", " ") for name, value in named.items()})


def numbered(*names: str, start: int = 0) -> Mapping[int, str]:
    """Words for the values from `start` on."""
    return MappingProxyType(dict(enumerate(names, start)))
