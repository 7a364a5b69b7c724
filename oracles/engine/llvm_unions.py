"""The one member by which clang describes a union to LLVM, and the reals that it sees through it."""

from __future__ import annotations

from abiprobe.oracles.engine.records import Field, round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Complex, Kind, Record, Scalar, Type

HALVES = frozenset({Kind.FLOAT16, Kind.BF16})


def storage(types: TypeTable, union: Record) -> Field | None:
    """The member that stands for a union: of those that are aligned most the largest, and of these the first."""
    fields = [item for item in types.shape(union).fields if item.bit_width or not item.is_bit_field]
    return max(fields, key=lambda item: size_order(types, item), default=None)


def size_order(types: TypeTable, item: Field) -> tuple[int, int]:
    """The alignment of a member as its type has it, and its size in bits."""
    extent = types.extent(item.type)
    return (extent.align, extent.size * 8) if not item.is_bit_field else (1, item.bit_width)


def real_at(types: TypeTable, c_type: Type, at: int) -> Kind | None:
    """The real that starts at byte `at` of a value, as LLVM is told of it."""
    match types.plain(c_type):
        case Record(union=True) as union:
            item = storage(types, union)
            return None if item is None or item.is_bit_field else real_at(types, item.type, at)
        case Record() as struct:
            return real_of_member(types, struct, at)
        case Array(element=element, length=length) if length and types.extent(element).size:
            return real_at(types, element, at % types.extent(element).size)
        case Complex(kind):
            return kind if at in {0, types.extent(Scalar(kind)).size} else None
        case Scalar(kind) if kind.is_floating and not at:
            return kind
        case _:
            return None


def real_of_member(types: TypeTable, struct: Record, at: int) -> Kind | None:
    """The real at byte `at` of a struct, in the last member that begins no later.

    In padding that is none of its own LLVM finds an element of an array that ends before it.
    """
    members = [item for item in types.shape(struct).fields if item.bit_width and types.extent(item.type).size]
    begun = [item for item in members if item.bit_offset <= at * 8]
    if not begun or begun[-1].is_bit_field:
        return None
    last, behind = begun[-1], members[len(begun) :]
    if is_in_padding_of_its_own(types, last, behind, at):
        return None
    return real_at(types, last.type, at - last.bit_offset // 8)


def is_in_padding_of_its_own(types: TypeTable, item: Field, behind: list[Field], at: int) -> bool:
    """Return whether byte `at` lies in padding before the next member that LLVM is told of: more than that member's type asks for."""
    end = item.bit_offset // 8 + types.extent(item.type).size
    if at < end or not behind or behind[0].is_bit_field:
        return False
    return behind[0].bit_offset // 8 > round_up(end, types.extent(behind[0].type).align)


def bytes_of_reals(types: TypeTable, c_type: Type, at: int, size: int) -> int:
    """Return how many bytes of the eightbyte at byte `at` of a value of `size` bytes go in a vector register."""
    first = real_at(types, c_type, at)
    if first is None or first not in HALVES | {Kind.FLOAT}:
        return 8
    own = types.extent(Scalar(first)).size
    next_ = real_at(types, c_type, at + own) if size - at > own else None
    fourth = real_at(types, c_type, at + 4) if size - at > 4 else None
    if first is Kind.FLOAT:
        return 8 if next_ is not None else 4
    if next_ is None:
        return 8 if fourth is not None else 2
    return 8 if fourth is not None or next_ not in HALVES else 4
