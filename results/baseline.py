"""The ABI of declarations, kept in a file: layouts and places, without what explains them, to be compared with later ones.

A baseline is text for people as well: one line for each fact, sorted, so that a version control system shows what a
change of a header does to its ABI.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import msgspec

from abiprobe.oracles.lang import Prototype, Record, spelling
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Layout, Passed, Piece, Register, Unspecified, Unsupported
from abiprobe.results.quantity import quantity

SCHEMA = 1

Facts: TypeAlias = dict[str, str]
"""What a baseline says of one declaration: `size`, `alignment`, members by path; parameters by number, `result`."""


class Baseline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of each declaration, by target and by the declaration's name."""

    schema: int
    targets: dict[str, dict[str, Facts]]


class BaselineError(Exception):
    """A file that is no baseline: why, in one line."""


class Change(msgspec.Struct, frozen=True):
    """A fact that is another now; `before` is empty for a declaration or member that is new, `after` for one that is gone."""

    target: str
    declaration: str
    fact: str
    before: str
    after: str

    @property
    def breaks(self) -> bool:
        """Whether what was built before may fail: something is elsewhere, or gone."""
        return bool(self.before)

    @property
    def line(self) -> str:
        """The change in a line."""
        what = f"{self.declaration}: {self.fact}" if self.fact else self.declaration
        if not self.after:
            return f"{self.target}  {what} is gone" + (f" (was {self.before})" if self.fact else "")
        if not self.before:
            return f"{self.target}  {what} is new" + (f": {self.after}" if self.fact else "")
        return f"{self.target}  {what}: {self.before} -> {self.after}"


def baseline(parts: Iterable[tuple[str, AbiModel, Iterable[Record], Iterable[Prototype]]]) -> Baseline:
    """The baseline of declarations, which are given for each target with its model."""
    targets: dict[str, dict[str, Facts]] = {}
    for target, model, records, functions in parts:
        facts = targets.setdefault(target, {})
        facts |= {spelling(record): record_facts(model.layout(record)) for record in records}
        facts |= {f"{one.name}()": function_facts(model.assign(one)) for one in functions}
    return Baseline(SCHEMA, targets)


def record_facts(answer: Layout | Unspecified | Unsupported) -> Facts:
    """Size and alignment of a record, and where each scalar in it lies."""
    if not isinstance(answer, Layout):
        return no_answer(answer)
    members = {
        f"member {one.path}": f"bits {one.bit_offset} to {one.bit_offset + one.bit_width}"
        for one in answer.members
    }
    return {"size": quantity(answer.size, "byte"), "alignment": quantity(answer.align, "byte"), **members}


def function_facts(answer: Assignment | Unspecified | Unsupported) -> Facts:
    """Where each parameter of a function and its result travel; parameters go by number, since names are no ABI."""
    if not isinstance(answer, Assignment):
        return no_answer(answer)
    facts = {f"parameter {number}": passed(one) for number, one in enumerate(answer.params, 1)}
    if answer.result is not None:
        facts["result"] = passed(answer.result)
    return facts | {one.role: places(one.pieces) for one in answer.hidden}


def passed(value: Passed) -> str:
    """A value's type, and where it travels; on a GPU, its declaration."""
    where = places(value.pieces) if value.param is None else value.param.declaration
    return f"{value.type}, {value.passing.value}" + (f", {where}" if where else "")


def places(pieces: Iterable[Piece]) -> str:
    """The registers and stack slots of a value's bytes."""
    return "; ".join(f"bytes {piece.start} to {piece.end} in {place(piece)}" for piece in pieces)


def place(piece: Piece) -> str:
    """Where one piece lies."""
    return piece.place.name if isinstance(piece.place, Register) else f"stack+{piece.place.offset}"


def no_answer(answer: Unspecified | Unsupported) -> Facts:
    """Why the model says nothing."""
    if isinstance(answer, Unspecified):
        return {"unspecified": f"{answer.why} [{answer.clause}]"}
    return {"unsupported": answer.why}


def changes(before: Baseline, after: Baseline) -> Iterator[Change]:
    """Yield what has changed on the targets that both are about."""
    for target in (name for name in after.targets if name in before.targets):
        old, new = before.targets[target], after.targets[target]
        for name in sorted(old.keys() | new.keys()):
            if name not in new:
                yield Change(target, name, "", "declared", "")
            elif name not in old:
                yield Change(target, name, "", "", "declared")
            else:
                yield from changed_facts(target, name, old[name], new[name])


def changed_facts(
    target: str, name: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[Change]:
    """Yield what has changed of one declaration."""
    for fact in dict.fromkeys((*before, *after)):
        was, now = before.get(fact, ""), after.get(fact, "")
        if was != now:
            yield Change(target, name, fact, was, now)


def encoded(found: Baseline) -> bytes:
    """The text of a baseline's file."""
    return msgspec.json.format(msgspec.json.encode(found, order="deterministic"), indent=1) + b"\n"


def decoded(data: bytes) -> Baseline:
    """The baseline in a file's text; raises `BaselineError` for any other file."""
    try:
        found = msgspec.json.decode(data, type=Baseline)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BaselineError(f"no baseline of `abiprobe check --write-baseline`: {error}") from error
    if found.schema != SCHEMA:
        raise BaselineError(f"a baseline of schema {found.schema}, this abiprobe reads {SCHEMA}")
    return found
