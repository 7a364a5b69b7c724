"""The types within a type, as a tree in which every type is known as written and without its names."""

from __future__ import annotations

from functools import cached_property

import msgspec

from abiprobe.oracles.language.lang import Array, Atomic, Member, Record, Type, Typedef


class Part(msgspec.Struct, frozen=True, dict=True):
    """A type as written, with the parts that it is directly made of: its base, its element, or its members' types.

    `member` is the declaration of a part that is the type of a member.
    """

    type: Type
    inside: tuple[Part, ...] = ()
    member: Member | None = None

    @cached_property
    def bare(self) -> Part:
        """The part under typedef names and `_Atomic`: what a calling convention classifies."""
        return self.inside[0].bare if isinstance(self.type, (Typedef, Atomic)) else self

    @cached_property
    def is_empty(self) -> bool:
        """Return whether it has neither elements nor members that take a bit."""
        bare = self.bare
        match bare.type:
            case Record():
                return all(one.takes_no_bit for one in bare.inside)
            case Array(length=length):
                return not length or bare.inside[0].is_empty
            case _:
                return False

    @property
    def takes_no_bit(self) -> bool:
        """Return whether a member takes no bit: a bit-field of no width, or a type that is empty."""
        width = self.member.width if self.member is not None else None
        return not width if width is not None else self.is_empty

    @property
    def is_record(self) -> bool:
        """Return whether it is a record, perhaps under names."""
        return isinstance(self.bare.type, Record)


def part_of(c_type: Type, member: Member | None = None) -> Part:
    """A type with all that is within it."""
    match c_type:
        case Typedef(base=inner) | Atomic(base=inner) | Array(element=inner):
            return Part(c_type, (part_of(inner),), member)
        case Record(members=members):
            return Part(c_type, tuple(part_of(one.type, one) for one in members), member)
        case _:
            return Part(c_type, (), member)
