"""Observations of tables: the words of each in the object file, numbers and what addresses lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.readers.addresses import Data, with_addresses
from abiprobe.harness.machines.readers.elf import is_big_endian
from abiprobe.harness.machines.render.table_units import PREFIXES, name, unit, unscoped
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.names.observing import RTTI, standard
from abiprobe.harness.observers.tables.plan import TablePlan
from abiprobe.oracles.text.place import ByteOrder
from abiprobe.results.verdicts.record import Outcome

UNOPTIMISED = "-O0"
"""The level without optimisation: with any other, a compiler may let a table lead to the destructor of a base that does the same."""
GROUP, POINTERS, INFORMATION = "group", "pointers", "information"
TableObservation = Mapping[str, tuple[str, ...]]
"""The words of the group of virtual tables, of the table of those and of the type information, and of each table for construction."""


def observe_tables(
    attempt: Attempt, units: Iterable[Sequence[TablePlan]]
) -> Iterator[tuple[TablePlan, TableObservation | Failed]]:
    """Yield the tables of each class of some units."""
    for plans in units:
        yield from bisected(attempt, plans, _together)


def _together(
    attempt: Attempt, plans: Sequence[TablePlan], _text: str | None
) -> list[TableObservation | Failed] | Failed:
    text = unit([plan.asked for plan in plans])
    found = compiled(attempt, text, len(plans), RTTI, UNOPTIMISED, *standard(attempt.built.command))
    if isinstance(found, Failed):
        return found
    with stage("read"):
        data = found.read_bytes()
        order: ByteOrder = "big" if is_big_endian(data) else "little"
        try:
            tables = with_addresses(data, PREFIXES)
        except ValueError as error:
            return Failed(Outcome.REFUSED, f"the object file is not readable: {error}")
        return [shown(plan, index, tables, order) for index, plan in enumerate(plans)]


def shown(
    plan: TablePlan, index: int, tables: Mapping[str, Data], order: ByteOrder
) -> TableObservation | Failed:
    """The words that an object file has of one class."""
    named = {
        GROUP: name(index, "TV", plan.asked.of),
        POINTERS: name(index, "TT", plan.asked.of),
        INFORMATION: name(index, "TI", plan.asked.of),
    }
    if named[GROUP] not in tables:
        return Failed(Outcome.UNDECODED, "the object file has no virtual table of it")

    def read(symbol: str, sizes: Sequence[int]) -> tuple[str, ...]:
        return tuple(_words(tables[symbol], index, sizes, order)) if symbol in tables else ()

    def whole(symbol: str) -> tuple[str, ...]:
        return read(symbol, [plan.word] * (len(tables[symbol].data) // plan.word)) if symbol in tables else ()

    found = {GROUP: whole(named[GROUP]), POINTERS: whole(named[POINTERS])}
    found[INFORMATION] = read(named[INFORMATION], plan.sizes)
    led = tables[named[POINTERS]].addresses.values() if named[POINTERS] in tables else ()
    others = {symbol for symbol, _ in led if symbol != named[GROUP]}
    return {**found, **{unscoped(symbol, index): whole(symbol) for symbol in sorted(others)}}


def _words(data: Data, index: int, sizes: Sequence[int], order: ByteOrder) -> Iterator[str]:
    """Words of these sizes one after another, and `more` where that is not all."""
    at = 0
    for size in sizes:
        if at in data.addresses:
            symbol, beyond = data.addresses[at]
            yield unscoped(symbol, index) + (f"+{beyond}" if beyond else "")
        elif at + size <= len(data.data):
            yield str(data.number(at, size, order))
        at += size
    if at < len(data.data):
        yield "more"
