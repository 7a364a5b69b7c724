"""The model of the Itanium C++ ABI: what the text says of a class, whatever its readings come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from abiprobe.oracles.abis.itanium.definitions import is_empty
from abiprobe.oracles.abis.itanium.laid import Laid
from abiprobe.oracles.abis.itanium.names import MangledName, mangle
from abiprobe.oracles.abis.itanium.names.writing import NamePolicy
from abiprobe.oracles.abis.itanium.open_points import open_points, other_readings
from abiprobe.oracles.abis.itanium.policy import (
    FAMILIES,
    OF_GCC,
    Policy,
    policy_of,
)
from abiprobe.oracles.abis.itanium.table import ClassTable
from abiprobe.oracles.abis.itanium.tables import tables_of
from abiprobe.oracles.engine.policies import ClassHabit
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.classes import Class, parts
from abiprobe.oracles.language.entities import AnyEntity
from abiprobe.oracles.language.lang import Pointer
from abiprobe.oracles.text.class_layout import BasePlace, ClassLayout, TablePointer
from abiprobe.oracles.text.place import MemberPlace, Unspecified, Unsupported
from abiprobe.oracles.text.tables import ClassTables


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

    def near(self, asked: Class, policy: Policy) -> Policy:
        """A policy that remembers no empty subobject beyond the size of the largest empty class that a class is made of."""
        sizes = (self.by(policy).laid(one).size for one in parts(asked) if is_empty(one))
        return msgspec.structs.replace(policy, near=max(sizes, default=1))

    def depends_on_unit(self, asked: Class) -> bool:
        """Return whether a larger empty class, somewhere before a class, changes its layout by the habit `NEAR_EMPTIES`."""
        family = FAMILIES[Reading.GCC]
        if not any(map(is_empty, parts(asked))):
            return False
        try:
            found = [one for one, _ in self.by(family).empties(asked)]
            if len(found) == len(set(found)):
                return False
            return any(
                places(told(asked, self.by(self.near(asked, policy)))) != places(told(asked, self.by(policy)))
                for policy in (family, msgspec.structs.replace(family, habits=OF_GCC))
            )
        except (SilentError, AbsentError):
            return False

    def name(self, asked: AnyEntity) -> MangledName | Unspecified | Unsupported:
        """Return the mangled name of an entity, if the text decides it."""
        return mangle(asked, NamePolicy(self.types.reading, self.types.policies.names))

    def tables(self, asked: Class) -> ClassTables | Unspecified | Unsupported:
        """Return the tables of a class that has some, if the text decides its layout."""
        found = self.layout(asked)
        if not isinstance(found, ClassLayout):
            return found
        policy = policy_of(self.types.reading, self.types.policies)
        if ClassHabit.NEAR_EMPTIES in policy.habits:
            policy = self.near(asked, policy)
        return tables_of(asked, self.by(policy))

    def layout(self, asked: Class) -> ClassLayout | Unspecified | Unsupported:
        """Return the places of the subobjects of a class, if the text decides them."""
        policy = policy_of(self.types.reading, self.types.policies)
        try:
            if ClassHabit.NEAR_EMPTIES in policy.habits:
                policy = self.near(asked, policy)
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
        tuple(member_places(laid, table)),
        bases,
        tuple(table_pointers(asked, table)),
        pod=laid.pod,
        empty=is_empty(asked),
        nearly_empty=laid.nearly_empty,
        virtual_pointer=table.extent(Pointer()).size if laid.virtual_pointer else 0,
        clause=laid.clause,
        align_clause=laid.align_clause,
        data_clause=laid.data_clause,
        non_virtual_clause=laid.non_virtual_clause,
    )


def member_places(laid: Laid, table: ClassTable, at: int = 0, clause: str = "") -> Iterator[MemberPlace]:
    """The members that have a name or members with names, from bit `at` on, which a clause decides if that is given."""
    for placed in laid.members:
        item, offset = placed.member, at + placed.bit_offset
        decided = placed.clause if placed.bit_offset or not clause else clause
        if item.name or isinstance(item.type, Class):
            yield MemberPlace(item.name, offset, placed.bit_width, decided, bit_field=item.width is not None)
        if not item.name and isinstance(item.type, Class):
            yield from member_places(table.laid(item.type), table, offset, decided)


def table_pointers(asked: Class, table: ClassTable) -> Iterator[TablePointer]:
    """The pointers to virtual tables in an object: a base that shares that of its primary base has none of its own."""
    laid = table.laid(asked)
    if laid.virtual_pointer:
        yield TablePointer((), 0)
    for one in laid.bases:
        if table.laid(one.node.type).virtual_pointer:
            yield TablePointer(one.node.path(asked), one.offset)
