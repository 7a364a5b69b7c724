"""The model of the Itanium C++ ABI: what the text says of a class, whatever its readings come to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import msgspec

from abiprobe.oracles.abis.itanium.definitions import is_empty
from abiprobe.oracles.abis.itanium.laid import Laid
from abiprobe.oracles.abis.itanium.policy import OPEN, TEXT, Policy
from abiprobe.oracles.abis.itanium.table import ClassTable
from abiprobe.oracles.cxx.classes import Class
from abiprobe.oracles.cxx.layout import BasePlace, ClassLayout
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.place import MemberPlace, Unspecified, Unsupported


@dataclass(frozen=True)
class CxxModel:
    """The Itanium C++ ABI above a C ABI, whose types `types` measures."""

    types: TypeTable

    @cached_property
    def readings(self) -> tuple[tuple[str, ClassTable], ...]:
        """The text, and each other reading of a point on which it is silent, with the clause that is."""
        flipped = [
            (clause, ClassTable(self.types, msgspec.structs.replace(TEXT, **{name: not getattr(TEXT, name)})))
            for name, clause in OPEN.items()
        ]
        every = Policy(**{name: not getattr(TEXT, name) for name in OPEN})
        return (("", ClassTable(self.types, TEXT)), *flipped, (flipped[-1][0], ClassTable(self.types, every)))

    def layout(self, asked: Class) -> ClassLayout | Unspecified | Unsupported:
        """Where the subobjects of a class lie, if the text decides it."""
        (_, text), *others = self.readings
        try:
            found = told(asked, text.laid(asked))
            for clause, table in others:
                if told(asked, table.laid(asked)) != found:
                    return Unspecified(clause, f"{asked.tag} is laid out otherwise by another reading")
        except SilentError as silence:
            return Unspecified(silence.clause, silence.why)
        except AbsentError as absence:
            return Unsupported(str(absence))
        return found


def told(asked: Class, laid: Laid) -> ClassLayout:
    """A layout as it is told: without what is no question, and whatever made it a POD or not."""
    members = tuple(
        MemberPlace(
            placed.member.name,
            placed.bit_offset,
            placed.bit_width,
            placed.clause,
            bit_field=placed.member.width is not None,
        )
        for placed in laid.members
        if placed.member.name
    )
    bases = tuple(
        BasePlace(
            one.node.path(asked),
            one.offset,
            one.clause,
            virtual=one.node.virtual,
            primary=one.node == laid.primary,
            empty=is_empty(one.node.type),
        )
        for one in laid.bases
    )
    return ClassLayout(
        laid.size,
        laid.align,
        laid.data_size,
        laid.non_virtual_size,
        laid.non_virtual_align,
        members,
        bases,
        pod=laid.pod,
        empty=is_empty(asked),
        nearly_empty=laid.nearly_empty,
        virtual_pointer=laid.virtual_pointer,
        clause=laid.clause,
    )
