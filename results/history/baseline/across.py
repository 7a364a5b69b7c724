"""Declarations that are not the same on several targets: what differs in memory, and the types that make it so.

Nothing has changed and nobody is wrong: a file, a message or an `ioctl` that passes from one to the other is read otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple, TypeVar

import msgspec

from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Layout
from abiprobe.results.history.baseline.facts import (
    Baseline,
    EnumFacts,
    Facts,
    FunctionFacts,
    RecordFacts,
    VariableFacts,
)
from abiprobe.results.history.baseline.functions import value
from abiprobe.results.history.baseline.records import member, offset
from abiprobe.results.history.baseline.types import QUALIFIERS, represented

Fact = TypeVar("Fact")
LONG = re.compile(r"(?<!long )\blong\b(?! (?:long|double))")
"""The word `long` where it is not one of `long long`, nor of `long double`."""
NESTED = re.compile(r"\b(?:struct|union) \w+")


class Why(Enum):
    """The reason why a declaration differs; those that nobody would expect come first."""

    ALIGNMENT = "an alignment"
    ENUM = "an enum"
    CHAR = "the sign of char"
    TYPE = "a type"
    RECORD = "a record that differs"
    LONG = "a long"
    POINTER = "a pointer"
    ABSENT = "declared on one only"

    @property
    def expected(self) -> bool:
        """Return whether whoever writes it knows that it is not the same on machines of other word sizes."""
        return self in {Why.LONG, Why.POINTER}


class Across(msgspec.Struct, frozen=True):
    """A declaration that differs on `target` from what it is on the first one, what makes it differ, and in what.

    `plain` says that it has neither a pointer nor a `long`, nor has a record in it.
    """

    declaration: str
    target: str
    why: tuple[Why, ...]
    text: str
    plain: bool

    @property
    def line(self) -> str:
        """It in a line."""
        return f"{self.declaration}: {self.text} ({', '.join(one.value for one in self.why)})"


class Uncompared(msgspec.Struct, frozen=True):
    """A declaration that was not compared, and why."""

    declaration: str
    target: str
    why: str


class SameOn(msgspec.Struct, frozen=True):
    """The comparison of declarations on several targets: those that differ, those that were not compared, and how many were.

    `aligned` are records whose alignment alone differs, which shows only in what contains them. `order` says in words that numbers of more than one byte are stored in another order; empty where they are not.
    """

    targets: tuple[str, ...]
    differing: tuple[Across, ...]
    uncompared: tuple[Uncompared, ...]
    records: int
    functions: int
    aligned: tuple[str, ...] = ()
    order: str = ""


class Pair(NamedTuple):
    """Two targets, and all that is kept of the declarations on each."""

    first: str
    second: str
    before: Facts
    after: Facts


def same_on(found: Baseline) -> SameOn:
    """Compare the declarations on the first target with those on each other one."""
    (first, before), *others = found.targets.items()
    pairs = [Pair(first, target, before, after) for target, after in others]
    every = [one for pair in pairs for one in differences(pair)]
    differing = [one for one in every if isinstance(one, Across)]
    names = [one for pair in pairs for one in own(pair.before.records) | own(pair.after.records)]
    functions = [one for pair in pairs for one in pair.before.functions.keys() | pair.after.functions.keys()]
    return SameOn(
        tuple(found.targets),
        tuple(sorted(differing, key=rank)),
        tuple(one for one in every if isinstance(one, Uncompared)),
        len(set(names)),
        len(set(functions)),
        tuple(dict.fromkeys(name for pair in pairs for name in aligned_otherwise(pair))),
        byte_order(found.targets),
    )


def rank(one: Across) -> tuple[bool, int, str, str]:
    """Sort key: those without a pointer and a `long` first, then by what makes them differ."""
    return not one.plain, list(Why).index(one.why[0]), one.declaration, one.target


def own(records: Mapping[str, RecordFacts]) -> frozenset[str]:
    """The names of the records that a file declares itself, and not as opaque ones."""
    return frozenset(name for name, one in records.items() if not one.included and not one.opaque)


def aligned_otherwise(pair: Pair) -> Iterator[str]:
    """Yield the records of which nothing differs on two targets but the alignment."""
    before, after = pair.before.records, pair.after.records
    for name in sorted(own(before) & own(after)):
        one, other = before[name], after[name]
        if one.alignment != other.alignment and record_difference(pair, name, one, other) is None:
            yield name


def byte_order(targets: Iterable[str]) -> str:
    """The byte orders of targets in words, where they are not the same."""
    orders = {target: find_model(target).types.data.order for target in targets}
    if len(set(orders.values())) == 1:
        return ""
    told = ", ".join(f"{order}-endian on {target}" for target, order in orders.items())
    return f"every number of more than one byte is stored in another order: {told}"


def differences(pair: Pair) -> Iterator[Across | Uncompared]:
    """Yield the declarations that differ on two targets, and those that are not compared."""
    before, after = pair.before, pair.after
    unread = before.unread | after.unread
    yield from (Uncompared(name, pair.second, why) for name, why in sorted(unread.items()))
    yield from compared(pair, before.records, after.records, unread, record_difference)
    yield from compared(pair, before.functions, after.functions, unread, function_difference)
    yield from compared(pair, before.variables, after.variables, unread, variable_difference)
    yield from compared(pair, before.enums, after.enums, unread, enum_difference)


def compared(
    pair: Pair,
    before: Mapping[str, Fact],
    after: Mapping[str, Fact],
    unread: Mapping[str, str],
    differs: Callable[[Pair, str, Fact, Fact], Across | Uncompared | None],
) -> Iterator[Across | Uncompared]:
    """Yield what differs of one kind of declarations; those of other files are theirs."""
    for name in sorted((before.keys() | after.keys()) - unread.keys()):
        here, there = before.get(name), after.get(name)
        if getattr(here or there, "included", False) or getattr(here or there, "opaque", False):
            continue
        if here is None or there is None:
            where = pair.first if there is None else pair.second
            yield Across(name, pair.second, (Why.ABSENT,), f"it is declared on {where} only", plain=True)
        elif (found := differs(pair, name, here, there)) is not None:
            yield found


def record_difference(
    pair: Pair, name: str, before: RecordFacts, after: RecordFacts
) -> Across | Uncompared | None:
    """Return the difference of a record; one whose alignment alone differs has the same bytes."""
    unanswered = before.unanswered or after.unanswered
    if unanswered:
        return Uncompared(name, pair.second, unanswered)
    found = list(member_differences(pair, before, after))
    resized = before.size != after.size
    if resized and not found:
        found.append((Why.ALIGNMENT, alignments(pair, before, after)))
    if not found:
        return None
    size = f"; size {before.size} against {after.size}" if resized else ""
    why = tuple(dict.fromkeys(sorted((one for one, _ in found), key=list(Why).index)))
    plain = not any(has_word(facts, one) for facts, one in ((pair.before, before), (pair.after, after)))
    return Across(name, pair.second, why, f"{found[0][1]}{more(found)}{size}", plain)


def alignments(pair: Pair, before: RecordFacts, after: RecordFacts) -> str:
    """The alignments of a record whose members are where they are on the other target, with the first member that they come of."""
    types = ((path, member(text).type) for path, text in before.members.items())
    each = (f"{c_type} {path} {said}" for path, c_type in types if (said := aligned(pair, c_type, c_type)))
    return f"{next(each, '')}alignment {before.alignment} against {after.alignment}"


def more(found: list[tuple[Why, str]]) -> str:
    """Return the number of further differences in words."""
    return f", and {len(found) - 1} more" if found[1:] else ""


def member_differences(pair: Pair, before: RecordFacts, after: RecordFacts) -> Iterator[tuple[Why, str]]:
    """Yield what makes the members of a record differ.

    Those that are another type or size, and the first that is elsewhere though nothing before it is.
    """
    displaced = False
    for path, text in before.members.items():
        if path not in after.members:
            yield Why.ABSENT, f"{path} is declared on {pair.first} only"
            displaced = True
            continue
        here, there = member(text), member(after.members[path])
        bits, other = width(here.start, here.end), width(there.start, there.end)
        why = of_type(pair, here.type, there.type, resized=bits != other)
        if why is not None:
            yield (
                why,
                f"{here.type} {path} is {amounts(bits, other)}"
                if bits != other
                else f"{here.type} {path} is {signs(pair, here.type, there.type)}",
            )
        if here.start != there.start and not displaced and here.start is not None and there.start is not None:
            yield (
                Why.ALIGNMENT,
                f"{here.type} {path} {aligned(pair, here.type, there.type)}at {offset(here.start)} against {offset(there.start)}",
            )
        displaced |= bits != other or here.start != there.start
    yield from (
        (Why.ABSENT, f"{path} is declared on {pair.second} only")
        for path in after.members
        if path not in before.members
    )


def width(start: int | None, end: int | None) -> int | None:
    """The number of bits of a member, where its place is known."""
    return None if start is None or end is None else end - start


def amounts(bits: int | None, other: int | None) -> str:
    """Two sizes in words, in bytes where both are of bytes."""
    if bits is None or other is None:
        return "without a place on one of them"
    whole = bits % 8 == other % 8 == 0
    return f"{bits // 8} against {other // 8} bytes" if whole else f"{bits} against {other} bits"


def of_type(pair: Pair, here: str, there: str, *, resized: bool) -> Why | None:
    """Return what makes a type differ on two targets, `None` if it has the same representation.

    An array of `char` is text, whose bytes are the same whatever its sign is.
    """
    one, other = represented(pair.first, here), represented(pair.second, there)
    bare = QUALIFIERS.sub("", here).strip()
    if not resized and one == other:
        return None
    if not resized and bare.startswith("char"):
        return Why.CHAR if bare == "char" else None
    if "*" in here:
        return Why.POINTER if resized else None
    if LONG.search(here) or LONG.search(there):
        return Why.LONG if resized else None
    if re.match(r"enum\b", bare):
        return Why.ENUM
    return Why.RECORD if NESTED.search(bare) else Why.TYPE


def signs(pair: Pair, here: str, there: str) -> str:
    """Two representations of a type, in words."""
    return f"{represented(pair.first, here)} against {represented(pair.second, there)}"


def aligned(pair: Pair, here: str, there: str) -> str:
    """The alignments of a scalar type in words, where they are known and differ."""
    one, other = alignment(pair.first, here), alignment(pair.second, there)
    return f"is aligned to {one} against {other} bytes, " if one != other and one and other else ""


def alignment(target: str, text: str) -> int | None:
    """The alignment of an arithmetic type in bytes, as text or an array of it; `None` for others."""
    name = re.sub(r"\[.*", "", QUALIFIERS.sub("", text)).strip()
    if name not in {kind.value for kind in Kind}:
        return None
    found = find_model(target).layout(Scalar(Kind(name)))
    return found.align if isinstance(found, Layout) else None


def has_word(facts: Facts, record: RecordFacts, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a record has a pointer or a `long`, itself or in a record in it."""
    types = [member(text).type for text in record.members.values()]
    if any("*" in one or LONG.search(one) for one in types):
        return True
    nested = {found[0] for one in types for found in NESTED.finditer(one)} - seen
    return any(
        has_word(facts, facts.records[name], seen | nested) for name in nested if name in facts.records
    )


def function_difference(pair: Pair, name: str, before: FunctionFacts, after: FunctionFacts) -> Across | None:
    """Return the difference in the values that a function takes and returns; a pointer is one of its own machine."""
    found: list[tuple[Why, str]] = []
    values = [("result", before.result, after.result)]
    both = zip(before.parameters or (), after.parameters or (), strict=False)
    values += ((f"parameter {number}", *each) for number, each in enumerate(both, 1))
    for what, one, other in values:
        here, there = value(what, one).type, value(what, other).type
        differing = differing_record(pair, here)
        resized = size_text(pair.first, here) != size_text(pair.second, there)
        why = Why.RECORD if differing else of_type(pair, here, there, resized=resized and "*" not in here)
        if why is not None:
            found.append(
                (why, f"{what} ({here})" if differing else f"{what} ({here}) is {signs(pair, here, there)}")
            )
    if len(before.parameters or ()) != len(after.parameters or ()) or before.variadic != after.variadic:
        found.append((Why.TYPE, "it has other parameters"))
    if not found:
        return None
    every = tuple(dict.fromkeys(one for one, _ in found))
    plain = not any(LONG.search(value("", text).type) for _, *texts in values for text in texts)
    return Across(name, pair.second, every, f"{found[0][1]}{more(found)}", plain)


def size_text(target: str, c_type: str) -> str:
    """A type by the sizes of the arithmetic types in it, whatever their signs are."""
    return re.sub(r"\b(?:un)?signed ", "", represented(target, c_type))


def differing_record(pair: Pair, c_type: str) -> bool:
    """Return whether a type is a record, by value, that is not the same on both targets."""
    name = QUALIFIERS.sub("", c_type).strip()
    before, after = pair.before.records.get(name), pair.after.records.get(name)
    if before is None or after is None:
        return False
    return isinstance(record_difference(pair, name, before, after), Across)


def variable_difference(pair: Pair, name: str, before: VariableFacts, after: VariableFacts) -> Across | None:
    """Return the difference of an object."""
    resized = before.size != after.size
    why = of_type(pair, before.type, after.type, resized=resized)
    if why is None:
        return None
    said = f"size {before.size} against {after.size}" if resized else signs(pair, before.type, after.type)
    plain = not ("*" in before.type or LONG.search(before.type))
    return Across(name, pair.second, (why,), f"{before.type}: {said}", plain)


def enum_difference(pair: Pair, name: str, before: EnumFacts, after: EnumFacts) -> Across | None:
    """Return the difference of an enumeration: its size and its constants."""
    if before.size != after.size:
        return Across(name, pair.second, (Why.ENUM,), f"size {before.size} against {after.size}", plain=True)
    other = [
        one for one, number in before.enumerators.items() if after.enumerators.get(one, number) != number
    ]
    if not other:
        return None
    texts = f"{other[0]} is {before.enumerators[other[0]]} against {after.enumerators[other[0]]}"
    return Across(name, pair.second, (Why.ENUM,), texts, plain=True)
