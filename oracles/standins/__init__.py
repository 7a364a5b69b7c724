"""Stand-ins: compilers for other targets, and what they can and cannot say about one that has no compiler here.

`standins.toml` holds the facts; command lines are the harness's business.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

import msgspec

from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.lang import Array, Atomic, Complex, Kind, Member, Record, Scalar, Type, Typedef
from abiprobe.oracles.text.place import Files, RegisterFile


class CallRules(msgspec.Struct, frozen=True):
    """The rules by which calls of a stand-in reveal those of a target.

    It makes them as the target `follows` does, but for its names of registers; `stack` is what it adds to the byte
    offset of a stack argument, `None` if its stack tells nothing; `without` are clauses that it does not know, perhaps for
    the registers of one file only (`clause m`); `lacks` are features that it is not asked about, and with `scalars`
    records are neither.
    `instructions` names its assembly. Of the target's registers `floating` are for reals, and the others general ones.
    """

    follows: str
    instructions: str
    registers: dict[str, str]
    stack: int | None = None
    without: tuple[str, ...] = ()
    lacks: frozenset[str] = frozenset()
    scalars: bool = False
    floating: frozenset[str] = frozenset()

    @property
    def files(self) -> Files:
        """The files of the target's registers."""
        return {
            name: RegisterFile.FLOATING if name in self.floating else RegisterFile.GENERAL
            for name in self.registers
        }


class StandIn(msgspec.Struct, frozen=True):
    """One stand-in. `of` is what it really is, `targets` what it stands in for.

    `respell` gives a type (as C spells it), the one it is put as, and the alignment in bytes that a typedef gives it, 0
    for none. `lacks` are the features that it is not asked about; `witnesses` and `cannot` are what people are told.
    `reads` is its family: where that reads GNU C otherwise than the model, it is no witness.
    """

    of: str
    targets: tuple[str, ...]
    respell: tuple[tuple[str, str, int], ...]
    lacks: frozenset[str]
    witnesses: tuple[str, ...]
    cannot: tuple[str, ...]
    reads: Reading = Reading.CLANG
    layouts: bool = True
    calls: CallRules | None = None

    def put_type(self, c_type: Type) -> Type:
        """Return the type that affects the stand-in's calls as `c_type` does the target's: alignments decide nothing there."""
        return _respelled(c_type, _table(tuple((*names, 0) for *names, align in self.respell if not align)))

    def put(self, record: Record) -> Record:
        """Return the record by which the stand-in is asked what `record` asks the target."""
        return _respelled_record(record, _table(self.respell)) if self.respell else record


@cache
def stand_ins() -> Mapping[str, StandIn]:
    """Every stand-in by name."""
    text = resources.files("abiprobe.oracles.standins").joinpath("standins.toml").read_text("utf-8")
    return MappingProxyType(msgspec.convert(tomllib.loads(text), dict[str, StandIn]))


@cache
def _table(respell: tuple[tuple[str, str, int], ...]) -> Mapping[Type, Type]:
    return {_type(name): _put(_type(other), align) for name, other, align in respell}


def _type(name: str) -> Scalar | Complex:
    """The type of this spelling; raises `ValueError` for none."""
    kind = Kind(name.removesuffix(" _Complex"))
    return Complex(kind) if name.endswith(" _Complex") else Scalar(kind)


def _put(c_type: Scalar | Complex, align: int) -> Type:
    if not align:
        return c_type
    name = c_type.kind.value.replace(" ", "_") + ("_complex" if isinstance(c_type, Complex) else "")
    return Typedef(f"aligned_{name}", c_type, align)


def _respelled(c_type: Type, table: Mapping[Type, Type]) -> Type:
    match c_type:
        case Record():
            return _respelled_record(c_type, table)
        case Array(element=element):
            return msgspec.structs.replace(c_type, element=_respelled(element, table))
        case Atomic(base=base):
            return Atomic(_respelled(base, table))
        case Typedef(base=base):
            return msgspec.structs.replace(c_type, base=_respelled(base, table))
        case _:
            return table.get(c_type, c_type)


def _respelled_record(record: Record, table: Mapping[Type, Type]) -> Record:
    members: tuple[Member, ...] = tuple(
        msgspec.structs.replace(member, type=_respelled(member.type, table)) for member in record.members
    )
    return msgspec.structs.replace(record, members=members)
