"""Names that a reader expects: members and parameters from `a` on, tags `S`, `S1`, ..."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from abiprobe.oracles.language.lang import Array, Atomic, Enum, Param, Prototype, Record, Type, Typedef
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question

LETTERS = "abcdeghijklmnopqrstuvwxyz"  # no f: that is the function


def renamed(question: Question) -> Question:
    """The same question under the shortest names; what was one type stays one."""
    if isinstance(question, CXX_QUESTIONS):
        return question
    names = _Names()
    if isinstance(question, Record):
        made = names.rename(question)
        assert isinstance(made, Record)
        return made
    return Prototype(
        "f",
        None if question.result is None else names.rename(question.result),
        tuple(
            Param(name, names.rename(param.type))
            for name, param in zip(letters(), question.params, strict=False)
        ),
        question.variadic,
        tuple(map(names.rename, question.unnamed)),
        convention=question.convention,
        isa=question.isa,
        regparm=question.regparm,
    )


def letters() -> Iterator[str]:
    """`a`, `b`, ... `z`, `a1`, ..."""
    for turn in count():
        yield from (f"{letter}{turn or ''}" for letter in LETTERS)


class _Names:
    """The names given so far, by what they were given to."""

    def __init__(self) -> None:
        self.made: dict[Type, Type] = {}
        self.counts = {"S": count(), "U": count(), "E": count(), "T": count()}

    def fresh(self, letter: str) -> str:
        number = next(self.counts[letter])
        return f"{letter}{number or ''}"

    def rename(self, c_type: Type) -> Type:
        if c_type not in self.made:
            self.made[c_type] = self._rename(c_type)
        return self.made[c_type]

    def _rename(self, c_type: Type) -> Type:
        match c_type:
            case Array(element=element):
                return replace(c_type, element=self.rename(element))
            case Atomic(base=base):
                return Atomic(self.rename(base))
            case Typedef(base=base, align=align):
                return Typedef(self.fresh("T"), self.rename(base), align)
            case Enum(enumerators=enumerators):
                tag = self.fresh("E")
                items = tuple(
                    replace(one, name=f"{tag}_{letter}")
                    for one, letter in zip(enumerators, "ABCDEFGH", strict=False)
                )
                return replace(c_type, tag=tag, enumerators=items)
            case Record():
                return self._record(c_type, letters())
            case _:
                return c_type

    def _record(self, record: Record, fresh: Iterator[str]) -> Record:
        """Members of an anonymous record share the names of the one around it."""
        tag = self.fresh("U" if record.union else "S") if record.tag else ""
        members = []
        for member in record.members:
            if not member.name and member.width is None and isinstance(member.type, Record):
                members.append(replace(member, type=self._record(member.type, fresh)))
            else:
                c_type = self.rename(member.type)
                members.append(replace(member, type=c_type, name=next(fresh) if member.name else ""))
        return replace(record, tag=tag, members=tuple(members))
