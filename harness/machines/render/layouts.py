"""Translation units that ask about layouts: constants whose values are sizes, alignments and offsets.

`abi_layout` holds for each record its size, its alignment and the byte offset of each member that `offsetof`
can name. For each bit-field there is one constant object with all bits of that member set. Of records about which
the text is silent, the alignment that the compiler prefers for the type of each member (`__alignof__`) follows, and last
come the alignments of the types of members and of members themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from abiprobe.harness.machines.render.c import GNU_C, declare, definitions
from abiprobe.harness.machines.render.own_names import own_path
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.harness.machines.render.sve import sve_names
from abiprobe.oracles.language.lang import Array, Kind, Member, Record, Scalar, Type, strip
from abiprobe.oracles.text.place import MemberAlignment, MemberPlace

WORD = 8
"""Bytes in each constant of `abi_layout`."""

OFFSET = f"""\
#if {GNU_C}
#define ABI_OFFSET(type, member) __builtin_offsetof(type, member)
#else
#define ABI_OFFSET(type, member) (unsigned long long)&((type *)0)->member
#endif
"""
"""The expression for the offset of a member, which in plain C without its headers is the address in an object at 0."""

ALIGNMENT = """\
#if defined __cplusplus || (__STDC_VERSION__ + 0) >= 201112L || defined __TINYC__ || defined __PCC__
#define ABI_ALIGNOF(type, declared) _Alignof(type)
#else
#define ABI_ALIGNOF(type, declared) ((unsigned long long)&((struct { char before; declared; } *)0)->it)
#endif
"""
"""The alignment of a type, which before C11 is the offset of an object of the type, declared as `it`, behind a character."""

PREFERRED = """\
#ifdef __PCC__
#define ABI_PREFERRED(type, member) 0
#else
#define ABI_PREFERRED(type, member) __alignof__(__typeof__(((type *)0)->member))
#endif
"""
"""The expression for the preferred alignment of a member's type; pcc, which has no `typeof`, tells 0."""

OF_MEMBER = """\
#if (defined __GNUC__ || defined __TINYC__) && !defined __PCC__
#define ABI_ALIGNMENT(type, member) __alignof__(((type *)0)->member)
#else
#define ABI_ALIGNMENT(type, member) 0
#endif
"""
"""The expression for the alignment of a member, which is GNU C; compilers that do not claim to have that tell 0."""


def layouts_unit(
    probes: Sequence[tuple[Record, Sequence[MemberPlace], Sequence[MemberPlace]]],
    preferred: Sequence[Sequence[MemberPlace]] = (),
    alignments: Sequence[Sequence[MemberAlignment]] = (),
) -> str:
    """The C text for records with the members to ask by `offsetof` and the bit-fields to ask by their bits.

    `preferred` are, for each record, the members of whose types the preferred alignment is asked as well, and
    `alignments` the alignments of members and of their types to ask for.
    """
    constants: list[str] = []
    lines: list[str] = [ALIGNMENT]
    lines += [OFFSET] if any(offsets for _, offsets, _ in probes) else []
    lines += [PREFERRED] if any(preferred) else []
    lines += [OF_MEMBER] if any(alignments) else []
    for index, (record, offsets, bit_fields) in enumerate(probes):
        suffix = f"_{index}"
        name = f"{record.keyword} {record.tag}{suffix}"
        lines += [marker(index), definitions((record,), suffix)]
        constants += [f"sizeof({name})", f"ABI_ALIGNOF({name}, {name} it)"]
        constants += [f"ABI_OFFSET({name}, {own_path(member.path, suffix)})" for member in offsets]
        if preferred:
            paths = [own_path(complete(record, member), suffix) for member in preferred[index]]
            constants += [f"ABI_PREFERRED({name}, {path})" for path in paths]
        if alignments:
            constants += [alignment(name, asked, suffix) for asked in alignments[index]]
        lines += [
            f"const {name} {bits_symbol(index, number)} = {{ .{own_path(member.path, suffix)} = "
            f"{all_bits(record, member)} }};"
            for number, member in enumerate(bit_fields)
        ]
    lines.append(f'#line 1 "table"\nconst unsigned long long abi_layout[] = {{ {", ".join(constants)} }};')
    return sve_names(lines) + "\n".join(lines) + "\n"


def alignment(name: str, asked: MemberAlignment, suffix: str) -> str:
    """The constant that tells an alignment in the record called `name`."""
    if asked.type is not None:
        return f"ABI_ALIGNOF({declare(asked.type, '', suffix)}, {declare(asked.type, 'it', suffix)})"
    return f"ABI_ALIGNMENT({name}, {own_path(asked.path, suffix)})"


def complete(record: Record, place: MemberPlace) -> str:
    """A member whose type is complete: that of a flexible array is not, but that of its elements."""
    c_type, dimensions = _type_at(record, place.path), 0
    while isinstance(c_type, Array):
        c_type, dimensions = c_type.element, dimensions + 1
    return place.path + "[0]" * (dimensions - place.path.rpartition(".")[2].count("["))


def bits_symbol(index: int, number: int) -> str:
    """The symbol of the object in which only bit-field `number` of probe `index` is set."""
    return f"abi_bits_{index}_{number}"


def all_bits(record: Record, place: MemberPlace) -> str:
    """An initialiser that sets every bit of a bit-field."""
    return "1" if strip(_type_at(record, place.path)) == Scalar(Kind.BOOL) else "-1"


def _type_at(record: Record, path: str) -> Type:
    """The declared type of the bit-field at `path`, looked up through nested and anonymous records."""
    head, _, rest = path.partition(".")
    member = _by_name(record)[head.partition("[")[0]]
    if not rest:
        return member.type
    inner = strip(member.type)
    while not isinstance(inner, Record):
        inner = strip(inner.element)  # type: ignore[union-attr]  # a path goes on through records and arrays only
    return _type_at(inner, rest)


@lru_cache(maxsize=256)
def _by_name(record: Record) -> dict[str, Member]:
    """The members that a record's scope shows, those of anonymous members included."""
    found: dict[str, Member] = {}
    for member in record.members:
        inner = strip(member.type)
        if not member.name and member.width is None and isinstance(inner, Record):
            found |= _by_name(inner)
        else:
            found[member.name] = member
    return found
