"""The union of the declarations of several files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec import structs

from abiprobe.results.history.baseline.facts import EnumFacts, RecordFacts
from abiprobe.results.history.baseline.interface import UNNAMED

Value = TypeVar("Value", bound=object)
OTHERWISE = "two files declare it otherwise"


def merged(named: Iterable[tuple[str, Value]], unread: dict[str, str]) -> dict[str, Value]:
    """Facts by name; a name for which two files have other facts goes to `unread` as well."""
    found: dict[str, Value] = {}
    for name, one in named:
        if name in found and found[name] != one:
            unread[name] = OTHERWISE
        found.setdefault(name, one)
    return found


def merged_records(
    named: Iterable[tuple[str, RecordFacts]], unread: dict[str, str]
) -> dict[str, RecordFacts]:
    """Records by name: a complete one is what an opaque one stands for, and one is a file's own if it is so of any."""
    every = list(named)
    own = {name for name, one in every if not one.included}
    complete = {name for name, one in every if not one.opaque}
    known = ((name, one) for name, one in every if not one.opaque or name not in complete)
    return merged(((name, structs.replace(one, included=name not in own)) for name, one in known), unread)


def merged_enums(named: Iterable[tuple[str, EnumFacts]], unread: dict[str, str]) -> dict[str, EnumFacts]:
    """Enumerations by name; the constants of all those without one are together."""
    every = list(named)
    own = {name for name, one in every if not one.included}
    complete = {name for name, one in every if one.enumerators}
    constants: dict[str, int] = {}
    for name, one in every:
        if name == UNNAMED:
            unread |= {
                key: OTHERWISE
                for key, value in one.enumerators.items()
                if constants.setdefault(key, value) != value
            }
    found = merged(
        (
            (name, structs.replace(one, included=name not in own))
            for name, one in every
            if name != UNNAMED and (one.enumerators or name not in complete)
        ),
        unread,
    )
    return found | ({UNNAMED: EnumFacts(enumerators=constants)} if constants else {})
