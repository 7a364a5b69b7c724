"""Verdicts on the tables of classes from the words in an object file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.observers.tables.observing import GROUP, INFORMATION, POINTERS, TableObservation
from abiprobe.harness.observers.tables.plan import TablePlan
from abiprobe.oracles.abis.itanium.tables.information import KIND
from abiprobe.oracles.abis.itanium.tables.pointers import ELEMENTS
from abiprobe.oracles.abis.itanium.tables.virtual_tables import ORDER
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Unspecified
from abiprobe.oracles.text.tables import ClassTables, Entry, Undecided, VirtualPointer, VirtualTable, spelled
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.readings import left_open
from abiprobe.results.verdicts.record import Difference, Verdict, from_differences
from abiprobe.results.verdicts.values import Words

TABLES = Named("the tables")
NOTHING = "nothing"


def judge_tables(plan: TablePlan, shows: TableObservation) -> Verdict:
    """The verdict on what a compiler writes for a class."""
    if isinstance(plan.tables, Unspecified):
        return left_open(plan.probe, ProbeKind.TABLES, plan.tables, (), compared=False)
    found = (
        *in_group(plan.tables, shows[GROUP]),
        *in_pointers(plan, plan.tables, shows),
        *in_information(plan.tables, shows[INFORMATION]),
    )
    return from_differences(plan.probe, ProbeKind.TABLES, found)


def in_group(tables: ClassTables, shows: Sequence[str]) -> Iterator[Difference]:
    """Yield what is otherwise in the virtual tables."""
    wanted = [(title(one), entry) for one in tables.group for entry in one.entries]
    if len(shows) != len(wanted):
        yield differs("words of all virtual tables", str(len(wanted)), str(len(shows)), ORDER)
        return
    for (of, entry), seen in zip(wanted, shows, strict=True):
        yield from otherwise(of, entry, seen)


def in_pointers(plan: TablePlan, tables: ClassTables, shows: TableObservation) -> Iterator[Difference]:
    """Yield what is otherwise in the table of virtual tables, and in those that it leads to."""
    if len(shows[POINTERS]) != len(tables.pointers):
        yield differs("virtual pointers", str(len(tables.pointers)), str(len(shows[POINTERS])), ELEMENTS)
        return
    group = f"_ZTV{len(plan.asked.of.tag)}{plan.asked.of.tag}"
    for index, (pointer, seen) in enumerate(zip(tables.pointers, shows[POINTERS], strict=True)):
        symbol, _, beyond = seen.partition("+")
        wanted = f"{group}+{pointer.at}"
        if pointer.at is not None and seen != wanted:
            yield differs(f"virtual pointer {index}", wanted, seen, ELEMENTS)
            continue
        words = shows[GROUP] if symbol == group else shows.get(symbol, ())
        at = int(beyond or 0) // plan.word - pointer.table.address_point
        found = words[at : at + len(pointer.table.entries)] if at >= 0 else ()
        for entry, one in zip(
            pointer.table.entries, (*found, *[NOTHING] * len(pointer.table.entries)), strict=False
        ):
            yield from otherwise(title_of(pointer, index), entry, one)


def in_information(tables: ClassTables, shows: Sequence[str]) -> Iterator[Difference]:
    """Yield what is otherwise in the type information; of another kind of it nothing but that."""
    kind = tables.information[0][0]
    if tuple(shows[:1]) != (spelled(kind),):
        yield differs("type information", spelled(kind), shows[0] if shows else NOTHING, KIND)
        return
    seen = (*shows, *[NOTHING] * len(tables.information))
    for (entry, _), one in zip(tables.information, seen, strict=False):
        yield from otherwise("type information", entry, one)


def otherwise(of: str, entry: Entry, seen: str) -> Iterator[Difference]:
    """Yield one entry if it is not what the text has there."""
    if not isinstance(entry, Undecided) and spelled(entry) != seen:
        yield differs(f"{of}: {entry.what}", spelled(entry), seen, entry.clause)


def differs(what: str, expected: str, seen: str, clause: str) -> Difference:
    """A difference in a table."""
    return Difference("object", what, TABLES, Words(expected), Words(seen), clause)


def title(table: VirtualTable) -> str:
    """A table by the way to its subobject."""
    return f"table of {'::'.join(table.path)}" if table.path else "table"


def title_of(pointer: VirtualPointer, index: int) -> str:
    """A table that an element of the table of virtual tables leads to."""
    return f"virtual pointer {index}: {title(pointer.table)} in {pointer.of}"
