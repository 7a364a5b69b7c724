"""Classes whose tables are asked about: those that are drawn, with constructors that write every table."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from abiprobe.generators.classes import stream as drawn
from abiprobe.generators.overriding import is_lawful, varied
from abiprobe.generators.streams import once, seeded
from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.language.classes import (
    Access,
    Base,
    Class,
    Declared,
    Destruction,
    Specials,
    parts,
    pure_functions,
    with_parts,
)
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.language.tables import Tables


def stream(*, seed: int) -> Iterator[Tables]:
    """The questions of a run one by one, without end; none comes twice."""
    return once(made for number, one in enumerate(drawn(seed=seed)) if (made := _numbered(seed, number, one)))


def _numbered(seed: int, number: int, one: Class) -> Tables | None:
    """The question about a drawn class; every other one has virtual functions of all sorts."""
    return tables(varied(one, seeded(Sort.TABLES, seed, number)) if number % 2 else one)


def tables(one: Class) -> Tables | None:
    """The question about a class, or nothing if it has no tables or no object of it can be made."""
    made = constructed(one)
    # Of packed classes and unions no text says how they are laid out.
    usual = not any(part.union or part.packed or part.pack is not None for part in parts(made))
    possible = usual and is_lawful(made) and not pure_functions(made)
    return Tables(made) if possible and is_dynamic(made) else None


def constructed(one: Class) -> Class:
    """A class that nothing but its default constructor makes, and whose bases and members are such."""
    made = with_parts(one, constructed)
    bases = tuple(replace(base, access=_access(base)) for base in made.bases)
    return replace(made, bases=bases, specials=_specials(one.specials))


def _access(base: Base) -> Access:
    """The access of a base; who is derived from a class needs its virtual bases."""
    return Access.PUBLIC if base.virtual else base.access


def _specials(own: Specials) -> Specials:
    gone = own.destructor.virtual or own.destructor.declared is not Declared.IMPLICIT
    declared = Declared.PROVIDED if gone else Declared.IMPLICIT
    behind = own.destructor.behind if gone else 0
    return Specials(
        Declared.PROVIDED, destructor=Destruction(declared, own.destructor.virtual, behind=behind)
    )
