"""The facts in which a binding is held against its header: sizes, alignments, places of members, values of constants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

import msgspec

from abiprobe.harness.bindings.binding import Binding, Bits, BoundConstant, BoundType, Left
from abiprobe.harness.bindings.header import Header
from abiprobe.harness.bindings.ways import HIDDEN, LackingError, UnnamedError, way
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Record, Type
from abiprobe.oracles.text.place import MemberPlace
from abiprobe.results.history.baseline.interface import UNNAMED
from abiprobe.results.verdicts.quantity import quantity

ELEMENT, FIRST = re.compile(r"\[(\d+)\]"), re.compile(r"(?<=\w)\[0\]")
LACKING = "the binding has no such member"
ASKED_ELEMENTS = 2
"""Of an array the first and the last element are asked for: neither language leaves anything open between them."""


class OfType(msgspec.Struct, frozen=True):
    """The size of a type in bytes, or its alignment."""

    type: BoundType
    alignment: bool = False


class OfMember(msgspec.Struct, frozen=True):
    """The byte at which a member is, or its size in bytes; `way` leads there by names of members and numbers of elements."""

    type: BoundType
    way: tuple[str | int, ...]
    size: bool = False


Asked: TypeAlias = OfType | OfMember | BoundConstant


class Fact(msgspec.Struct, frozen=True):
    """A fact of a header: `asked` is what the binding is asked for, `what` names it, `line` is that of the binding.

    The answer is in bytes, or is a number or a text. A bit-field is at bit `bit` of the memory at the answer; then `expected`
    is a bit, too.
    """

    what: str
    line: int
    asked: Asked
    expected: int | bytes
    clause: str = ""
    bit: int | None = None

    def answer(self, observed: int | bytes) -> int | bytes:
        """The answer of a binding as it is compared: of a bit-field its first bit."""
        return observed if self.bit is None or isinstance(observed, bytes) else 8 * observed + self.bit

    def said(self, answer: int | bytes) -> str:
        """An answer in words."""
        if isinstance(answer, bytes):
            return f'"{answer.decode(errors="replace").removesuffix(chr(0))}"'
        match self.asked:
            case OfType(alignment=True):
                return f"aligned to {answer}"
            case OfType() | OfMember(size=True):
                return f"{answer} bytes" if answer != 1 else "1 byte"
            case OfMember():
                return f"at byte {answer}" if self.bit is None else f"at bit {answer}"
            case BoundConstant():
                return str(answer)


class Wrong(msgspec.Struct, frozen=True):
    """A fault that shows without a compiler: a member, a parameter or a bit that the binding lacks."""

    what: str
    line: int
    said: str
    expected: str
    clause: str = ""


class Facts(msgspec.Struct):
    """The facts of a header on a target; `wrong` are faults already, `lacks` what the binding has not, `left` what cannot be asked."""

    facts: list[Fact] = []
    wrong: list[Wrong] = []
    lacks: list[str] = []
    left: list[Left] = []

    def add_plain(
        self, what: str, line: int, member: OfMember, place: MemberPlace, *, sized: bool = True
    ) -> None:
        """Add the byte of a member that is no bit-field, and its size."""
        self.facts.append(Fact(what, line, member, place.bit_offset // 8, place.clause))
        if sized:
            size = msgspec.structs.replace(member, size=True)
            self.facts.append(Fact(what, line, size, place.bit_width // 8, place.clause))

    def add_bits(self, what: str, line: int, member: OfMember, bits: Bits, place: MemberPlace) -> None:
        """Add the first bit of a bit-field, which the accessor of a member reads, and a fault if that reads more or less."""
        if bits.width != place.bit_width:
            said = f"{quantity(bits.width, 'bit')} wide"
            self.add_wrong(Wrong(what, line, said, str(place.bit_width), place.clause))
        storage = OfMember(member.type, (*member.way[:-1], bits.storage))
        self.facts.append(Fact(what, line, storage, place.bit_offset, place.clause, bits.at))

    def add_wrong(self, wrong: Wrong) -> None:
        """Add a fault, once."""
        if wrong not in self.wrong:
            self.wrong.append(wrong)


def arrays_on_the_way(path: str) -> Iterator[str]:
    """Yield the paths of the arrays through whose first elements a path leads: `a` and `a[0].b` of `a[0].b[0][0]`."""
    return (
        path[: found.start()]
        for found in FIRST.finditer(path)
        if set(ELEMENT.findall(path[: found.start()])) <= {"0"}
    )


class Gatherer:
    """Gathers the facts of a header for a target, by what the binding calls everything."""

    def __init__(self, header: Header, binding: Binding) -> None:
        self.header, self.binding = header, binding
        self.types: TypeTable = header.target.model().types
        self.found = Facts()
        self.names: dict[str, list[str]] = {}
        """Typedef names by what they stand for."""
        for interface in header.declared.interfaces:
            for name, text in interface.typedefs:
                self.names.setdefault(text, []).append(name)

    def gathered(self) -> Facts:
        """All facts."""
        for record in self.header.declared.records:
            try:
                self._record(record)
            except (SilentError, AbsentError) as error:
                self.found.left.append(
                    Left(0, f"{record.keyword} {record.tag}", f"the text has no answer: {error}")
                )
        for interface in self.header.declared.interfaces:
            for enum in interface.enums:
                if not enum.included:
                    self._enum(enum.name, enum.value, enum.enumerators)
        self._typedefs()
        self._macros()
        return self.found

    def called(self, name: str) -> tuple[str, ...]:
        """The names of a record or enumeration: its tag, and typedef names of it."""
        tag = name.rpartition(" ")[2]
        return (tag, *self.names.get(name, ()))

    def _record(self, record: Record) -> None:
        what = f"{record.keyword} {record.tag}"
        named = self.binding.type(*self.called(what))
        bound = self.binding.resolved(named)
        if named is None:
            self.found.lacks.append(what)
        elif bound is None or bound.opaque:
            self.found.lacks.append(f"{what} ({HIDDEN})")
        else:
            extent = self.types.extent(record)
            self._fact(what, bound.line, OfType(bound), extent.size, extent.clause)
            self._fact(
                what, bound.line, OfType(bound, alignment=True), self.types.alignof(record), extent.clause
            )
            arrays: dict[str, str] = {}
            for place in self.types.leaves(record, whole=ASKED_ELEMENTS):
                self._member(record, bound, place)
                arrays |= dict.fromkeys(arrays_on_the_way(place.path), place.clause)
            for path, clause in arrays.items():
                self._array(record, bound, path, clause)

    def _fact(
        self,
        what: str,
        line: int,
        asked: Asked,
        expected: int | bytes,
        clause: str = "",
        bit: int | None = None,
    ) -> None:
        self.found.facts.append(Fact(what, line, asked, expected, clause, bit))

    def _member(self, record: Record, bound: BoundType, place: MemberPlace) -> None:
        what = f"{record.tag}.{place.path}"
        try:
            found = way(self.binding, record, bound, place.path)
        except LackingError as error:
            lacking = f"{record.tag}.{error.path}"
            self.found.add_wrong(Wrong(lacking, error.line, LACKING, "", place.clause))
            return
        except UnnamedError as error:
            self.found.left.append(Left(error.line, what, error.why))
            return
        member = OfMember(bound, found.steps)
        if place.bit_field:
            bits = found.owner.bits[str(found.steps[-1])]
            self.found.add_bits(what, found.line, member, bits, place)
        else:
            self.found.add_plain(what, found.line, member, place)

    def _array(self, record: Record, bound: BoundType, path: str, clause: str) -> None:
        """Ask for the size of an array, whose last elements may be in what would be padding."""
        with suppress(LackingError, UnnamedError):
            found = way(self.binding, record, bound, path)
            size = self.types.extent(found.type).size
            self._fact(
                f"{record.tag}.{path}", found.line, OfMember(bound, found.steps, size=True), size, clause
            )

    def _enum(self, name: str, value: Type | None, enumerators: tuple[tuple[str, int], ...]) -> None:
        names = () if name == UNNAMED else self.called(name)
        bound = self.binding.resolved(self.binding.type(*names))
        named = self.binding.type(*names)
        if bound is not None and value is not None:
            self._fact(name, bound.line, OfType(bound), self.types.extent(value).size)
        elif named is not None and value is not None:
            self._fact(name, named.line, OfType(named), self.types.extent(value).size)
        elif names:
            self.found.lacks.append(name)
        for one, number in enumerators:
            constant = self.binding.constant(one, *names)
            if constant is None:
                self.found.lacks.append(one)
            else:
                self._fact(one, constant.line, constant, number)

    def _typedefs(self) -> None:
        records = {f"{one.keyword} {one.tag}" for one in self.header.declared.records}
        for interface in self.header.declared.interfaces:
            enums = {enum.name for enum in interface.enums}
            for name, text in interface.typedefs:
                bound = self.binding.types.get(name)
                size = self.header.sizes.get(name)
                if (
                    size is None
                    or text in records | enums
                    or name in {one.partition(" ")[2] for one in records}
                ):
                    continue
                if bound is None:
                    self.found.lacks.append(name)
                elif not bound.opaque:
                    self._fact(name, bound.line, OfType(bound), size)

    def _macros(self) -> None:
        for name, value in self.header.macros.items():
            constant = self.binding.constant(name)
            if constant is None:
                self.found.lacks.append(name)
            elif isinstance(value, bytes) is not bool(constant.length):
                said = "a text" if constant.length else "a number"
                self.found.wrong.append(Wrong(name, constant.line, said, "not"))
            else:
                self._fact(name, constant.line, constant, value)
