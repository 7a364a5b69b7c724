"""Layouts of classes, POD or not, under one reading of the text and above the type table of a C ABI."""

from __future__ import annotations

from dataclasses import dataclass, field

from abiprobe.oracles.abis.itanium.construction import construct
from abiprobe.oracles.abis.itanium.definitions import is_empty, is_pod, lends_padding
from abiprobe.oracles.abis.itanium.graph import REMEMBERED, Node
from abiprobe.oracles.abis.itanium.laid import Laid, Placed
from abiprobe.oracles.abis.itanium.policy import Policy
from abiprobe.oracles.abis.itanium.underlying import as_member, as_record, c_type_of, extent_of
from abiprobe.oracles.engine.attributes import Extent
from abiprobe.oracles.engine.policies import ClassHabit
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.classes import Class, CxxArray, CxxType
from abiprobe.oracles.language.lang import Array, Member, Type
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
POD = cite("pod.layout", "oracles.abis.itanium.table.ClassTable.as_pod")


@dataclass(eq=False)
class ClassTable:
    """See `abiprobe.oracles.abis.itanium.laid.Table`; answers are remembered."""

    types: TypeTable
    policy: Policy
    _laid: dict[Class, Laid] = field(default_factory=dict, repr=False)
    _empties: dict[CxxType, tuple[tuple[Class, int], ...]] = field(default_factory=dict, repr=False)

    def laid(self, asked: Class) -> Laid:
        """See `Table.laid`."""
        known = self._laid.get(asked)
        if known is None:
            known = self.as_pod(asked) if self.is_pod_for_layout(asked) else construct(self, asked)
            if len(self._laid) >= REMEMBERED:
                self._laid.clear()
            self._laid[asked] = known
        return known

    def measured(self, asked: Class) -> tuple[int, int]:
        """Size and alignment of a class in bytes."""
        found = self.laid(asked)
        return found.size, found.align

    def extent(self, c_type: CxxType) -> Extent:
        """See `Table.extent`."""
        return extent_of(c_type, self.types, self.measured)

    @implements("pod.not-for-layout")
    def is_pod_for_layout(self, asked: Class) -> bool:
        """Return whether a class is a POD for the purpose of layout."""
        apart = ClassHabit.ANONYMOUS_ENDS in self.policy.habits
        return (
            is_pod(asked, self.policy)
            and not lends_padding(asked, self.policy)
            and not any(
                member.no_unique_address
                or (apart and not member.name and isinstance(member.type, Class))
                or (member.width is not None and member.width > self.extent(member.type).size * 8)
                for member in asked.members
            )
        )

    def c_type(self, c_type: CxxType) -> Type:
        """See `Table.c_type`; of a POD its record, so that what C says of its members holds."""
        match c_type:
            case Class() if not is_empty(c_type) and self.is_pod_for_layout(c_type):
                return as_record(c_type, self.c_members(c_type))
            case CxxArray(element, length):
                return Array(self.c_type(element), length)
            case _:
                return c_type_of(c_type, self.types, self.measured)

    def c_members(self, asked: Class) -> tuple[Member, ...]:
        """The data members of a class as members of C."""
        return tuple(as_member(member, self.c_type(member.type)) for member in asked.members)

    def as_pod(self, asked: Class) -> Laid:
        """The layout of a POD for the purpose of layout: that of the base C ABI."""
        shape = self.types.shape(as_record(asked, self.c_members(asked)))
        size = shape.size or shape.align
        members = tuple(
            Placed(member, item.bit_offset, item.bit_width, item.clause)
            for member, item in zip(asked.members, shape.fields, strict=False)
        )
        return Laid(
            size,
            shape.align,
            size,
            size,
            shape.align,
            size,
            max((-(-(one.bit_offset + one.bit_width) // 8) for one in members), default=0),
            members,
            pod=True,
            clause=POD,
            align_clause=POD,
            data_clause=POD,
            non_virtual_clause=POD,
        )

    def empties(self, c_type: CxxType) -> tuple[tuple[Class, int], ...]:
        """See `Table.empties`."""
        known = self._empties.get(c_type)
        if known is None:
            known = tuple(self._find_empties(c_type))
            if len(self._empties) >= REMEMBERED:
                self._empties.clear()
            self._empties[c_type] = known
        return known

    def _find_empties(self, c_type: CxxType) -> list[tuple[Class, int]]:
        match c_type:
            case CxxArray(element, length):
                inner, stride = self.empties(element), self.extent(element).size
                return [(found, index * stride + at) for found, at in inner for index in range(length)]
            case Class():
                laid = self.laid(c_type)
                nodes = [(Node(c_type), 0), *((one.node, one.offset) for one in laid.bases)]
                return [
                    *((node.type, at) for node, at in nodes if is_empty(node.type)),
                    *(
                        (found, at + placed.bit_offset // 8 + inner)
                        for node, at in nodes
                        for placed in self.laid(node.type).members
                        if placed.member.width is None
                        for found, inner in self.empties(placed.member.type)
                    ),
                ]
            case _:
                return []
