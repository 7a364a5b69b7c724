"""The editions of C: which of them can say a question.

ISO/IEC 9899:1999 (C99), :2011 (C11) and :2024 (C23); what an edition has where an implementation likes (complex, atomic, decimal and
interchange types) is in it, and so are bit-fields of implementation-defined types. Everything else is GNU C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum as PyEnum

from abiprobe.oracles.language.constructs import constructs
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Array, Enum, Prototype, Record, Type, components, strip
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question

INT = range(-(1 << 31), 1 << 31)


class Edition(PyEnum):
    """An edition of C, or GNU C; the value is what a user calls it."""

    C99 = "c99"
    """ISO/IEC 9899:1999"""
    C11 = "c11"
    """ISO/IEC 9899:2011"""
    C23 = "c23"
    """ISO/IEC 9899:2024"""
    GNU = "gnu"
    """C with the extensions of compilers"""

    @property
    def words(self) -> str:
        """`C99`; `GNU C`."""
        return "GNU C" if self is Edition.GNU else self.value.upper()


OF_C99 = frozenset({"long double", "_Complex", "flexible array"})
OF_C11 = OF_C99 | {"_Atomic", "_Atomic record", "alignas"}
OF_C23 = OF_C11 | {
    *("_BitInt", "wide _BitInt", "_BitInt bit-field"),
    *("_Decimal", "_Float16", "half-precision complex", "_Float128"),
}
FEATURES = {Edition.C99: OF_C99, Edition.C11: OF_C11, Edition.C23: OF_C23}
"""The features of each edition (`abiprobe.oracles.language.features`)."""


def says(edition: Edition, question: Question) -> bool:
    """Return whether an edition of C can say a question without an extension."""
    if edition is Edition.GNU:
        return not isinstance(question, CXX_QUESTIONS)
    if isinstance(question, CXX_QUESTIONS) or features(question) - FEATURES[edition]:
        return False
    if edition is Edition.C99 and "anonymous record" in constructs(question):
        # 6.7.2.1p13 is new in C11.
        return False
    if isinstance(question, Prototype) and not is_plain(edition, question):
        return False
    roots = question.types if isinstance(question, Prototype) else (question,)
    return all(is_allowed(edition, one) for root in roots for one in within(root))


def edition_of(question: Question) -> Edition | None:
    """The first edition that can say a question; `None` for one about C++."""
    return next((one for one in Edition if says(one, question)), None)


def first_edition(questions: Iterable[Question]) -> Edition | None:
    """The first edition that can say any of some questions; `None` where none of them is about C."""
    found = set(map(edition_of, questions))
    return next((one for one in Edition if one in found), None)


def is_plain(edition: Edition, function: Prototype) -> bool:
    """Return whether a function has no attribute or pragma, and a parameter before `...` unless the edition is C23 (6.7.7.4)."""
    extended = (function.simd, function.vertex, function.kernel, function.symbol)
    return not any(extended) and (edition is Edition.C23 or bool(function.params) or not function.variadic)


def within(c_type: Type) -> Iterator[Type]:
    """Yield a type and all that it is made of."""
    yield c_type
    for inner in components(c_type):
        yield from within(inner)


def is_allowed(edition: Edition, c_type: Type) -> bool:
    """Return whether an edition allows a type by itself, of which it has every feature."""
    match c_type:
        case Enum(enumerators=enumerators):
            # 6.7.2.2p2 until C23: the value is one of an int.
            return edition is Edition.C23 or all(one.value in INT for one in enumerators)
        case Record(members=members):
            # 6.7.2.1p8: undefined without a named member; p3: a flexible array is in no record within another.
            named = any(one.name or one.width is None for one in members)
            return named and not any(map(is_flexible, components(c_type)))
        case Array(element=element):
            return not is_flexible(element)
        case _:
            return True


def is_flexible(c_type: Type) -> bool:
    """Return whether a type is a record that ends with a flexible array."""
    record = strip(c_type)
    return isinstance(record, Record) and any(
        isinstance(one.type, Array) and one.type.length is None for one in record.members
    )
