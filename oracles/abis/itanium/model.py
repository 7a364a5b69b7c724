"""The model of the Itanium C++ ABI: what the text says of a class, whatever its readings come to."""

from __future__ import annotations

from dataclasses import dataclass, field

from abiprobe.oracles.abis.itanium.definitions import is_empty
from abiprobe.oracles.abis.itanium.policy import Policy, open_points, other_readings, policy_of
from abiprobe.oracles.abis.itanium.table import ClassTable
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.lang import Pointer
from abiprobe.oracles.text.class_layout import BasePlace, ClassLayout
from abiprobe.oracles.text.place import MemberPlace, Unspecified, Unsupported


@dataclass(frozen=True)
class CxxModel:
    """The Itanium C++ ABI above a C ABI, whose types `types` measures; where they follow a family, so does this.

    `layouts` is what is said of every layout where no text is followed.
    """

    types: TypeTable
    layouts: Unspecified | None = None
    _tables: dict[Policy, ClassTable] = field(default_factory=dict, repr=False, compare=False)

    def by(self, policy: Policy) -> ClassTable:
        """Layouts under one reading."""
        return self._tables.setdefault(policy, ClassTable(self.types, policy))

    def layout(self, asked: Class) -> ClassLayout | Unspecified | Unsupported:
        """Return the places of the subobjects of a class, if the text decides them."""
        policy = policy_of(self.types.reading, self.types.policies)
        try:
            found = told(asked, self.by(policy))
            if self.layouts is not None:
                return self.layouts
            if policy.family is not None:
                return found
            for clause, other in other_readings(open_points(asked)):
                if places(told(asked, self.by(other))) != places(found):
                    return Unspecified(clause, f"{asked.tag} is laid out otherwise by another reading")
        except SilentError as silence:
            return Unspecified(silence.clause, silence.why)
        except AbsentError as absence:
            return Unsupported(str(absence))
        return found


def places(layout: ClassLayout) -> object:
    """Return the observable part of a layout: all but clauses, and whether the class is a POD."""
    return (
        *(layout.size, layout.align, layout.data_size, layout.non_virtual_size, layout.non_virtual_align),
        tuple((one.path, one.bit_offset) for one in layout.members),
        tuple((one.path, one.offset) for one in layout.bases),
    )


def told(asked: Class, table: ClassTable) -> ClassLayout:
    """A layout by one reading as it is told: without what is no question, and whatever made it a POD or not."""
    laid = table.laid(asked)
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
            0 if is_empty(one.node.type) else table.laid(one.node.type).non_virtual_size,
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
        virtual_pointer=table.extent(Pointer()).size if laid.virtual_pointer else 0,
        clause=laid.clause,
        align_clause=laid.align_clause,
        data_clause=laid.data_clause,
        non_virtual_clause=laid.non_virtual_clause,
    )
