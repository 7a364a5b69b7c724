"""The index of the search: a script that defines it, since a page that was opened from a file may fetch nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypedDict

import msgspec

from abiprobe.results.journal.printable import in_json
from abiprobe.results.site.addresses import abi_page, cause_page, clause_page, link
from abiprobe.results.site.content import Cause, ClauseAbout, Content, extent

VARIABLE = "abiprobeIndex"


class Item(TypedDict):
    """One page: what kind, where, its title, a line about it, and what else can be searched for."""

    kind: str
    at: str
    title: str
    about: str
    words: str


def search_index(content: Content) -> str:
    """The script."""
    data = in_json(msgspec.json.encode(list(items(content))).decode())
    # What would mean something if the script stood in a page.
    for mark in "<>&":
        data = data.replace(mark, f"\\u{ord(mark):04x}")
    return f"const {VARIABLE} = {data};\n"


def items(content: Content) -> Iterator[Item]:
    """Every page that can be found."""
    for cause in content.causes:
        about = "; ".join(extent(cause, content.compilers)) or cause.symptom.value
        yield Item(
            kind="cause",
            at=link(cause_page(cause.id)),
            title=cause.title,
            about=f"{about} · {', '.join(cause.targets)}",
            words=joined(words_of(cause)),
        )
    for abi in content.abis:
        document = "" if abi.source is None else abi.source.title
        yield Item(
            kind="ABI",
            at=link(abi_page(abi.name)),
            title=abi.name,
            about=abi.title,
            words=joined((document,)),
        )
    for one in content.clauses:
        yield Item(
            kind="clause",
            at=link(clause_page(one.clause.id)),
            title=one.clause.id,
            about=one.clause.says,
            words=joined(words_about(one)),
        )


def words_of(cause: Cause) -> Iterator[str]:
    """Yield the words by which a cause can be found, in addition to those shown."""
    yield from (cause.id, cause.traits, cause.symptom.value, cause.status, cause.words)
    yield from cause.clauses
    yield from cause.statuses
    yield cause.example
    for entry in cause.entries:
        yield from (entry.name, entry.reason)


def words_about(one: ClauseAbout) -> Iterator[str]:
    """Yield the words by which a clause can be found, in addition to those shown."""
    yield from (one.clause.section, one.source.title, one.clause.ambiguous)
    yield from one.targets


def joined(words: Iterable[str]) -> str:
    """Words in one line."""
    return " ".join(" ".join(filter(None, words)).split())
