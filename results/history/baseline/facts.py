"""The facts that a baseline keeps, as its file has them.

There is a line for each fact, sorted, so that a version control system shows what a change of a header does to its ABI.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from abiprobe.results.history.baseline.interface import Linkage

SCHEMA = 2

MemberText: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(bits \d+ to \d+|unplaced): .")]
"""The bits of a member and its type: `bits 64 to 96: int`; `unplaced` where no text gives its place."""
ValueText: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[^:]+: .")]
"""The places of a parameter or result and its type: `direct, bytes 0 to 4 in rdi: int`."""
UNPLACED = "unplaced"


class StoredFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of what is kept of a declaration."""


class RecordFacts(StoredFacts, frozen=True):
    """A struct or union: bytes of size and alignment, members by path, the attributes of layout.

    `by_value` says where it is when a function takes or returns it. `unanswered` says why there is no layout; the record is then kept as it is `declared`. An `included` one is there because
    the file uses it, and is not the file's own.
    """

    size: int | None = None
    alignment: int | None = None
    members: dict[str, MemberText] = {}
    attributes: tuple[str, ...] = ()
    by_value: dict[str, str] = {}
    opaque: bool = False
    included: bool = False
    unanswered: str = ""
    declared: str = ""


class EnumFacts(StoredFacts, frozen=True):
    """An enumeration: bytes of size and signedness, the type that it is declared with, if any, and its constants."""

    size: int | None = None
    signed: bool | None = None
    underlying: str = ""
    enumerators: dict[str, int] = {}
    included: bool = False


class SymbolFacts(StoredFacts, frozen=True):
    """The facts that linking needs: the linkage, and the assembler name if it differs from the declared one."""

    linkage: Linkage = Linkage.EXTERNAL
    symbol: str = ""


class FunctionFacts(SymbolFacts, frozen=True, kw_only=True):
    """A function: parameters (`None`: not declared), result, convention, and the arguments that C does not show, by role."""

    result: ValueText
    parameters: tuple[ValueText, ...] | None = ()
    variadic: bool = False
    attributes: tuple[str, ...] = ()
    hidden: dict[str, str] = {}
    unanswered: str = ""


class VariableFacts(SymbolFacts, frozen=True, kw_only=True):
    """An object: its type, bytes of size and alignment, whether each thread has its own, and whether it is never written to."""

    type: str
    size: int | None = None
    alignment: int | None = None
    thread: bool = False
    constant: bool = False


class Facts(StoredFacts, frozen=True):
    """All that is kept for one target, by name; `unread` is what cannot be compared, and why."""

    records: dict[str, RecordFacts] = {}
    enums: dict[str, EnumFacts] = {}
    functions: dict[str, FunctionFacts] = {}
    variables: dict[str, VariableFacts] = {}
    typedefs: dict[str, str] = {}
    unread: dict[str, str] = {}


class Baseline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of some targets."""

    schema: int
    targets: dict[str, Facts]


class BaselineError(Exception):
    """A file that is no baseline: why, in one line."""


class Dated(msgspec.Struct, frozen=True):
    """The one field that all schemas have."""

    schema: int


def encoded(found: Baseline) -> bytes:
    """The text of a baseline's file."""
    return msgspec.json.format(msgspec.json.encode(found, order="deterministic"), indent=1) + b"\n"


def decoded(data: bytes) -> Baseline:
    """The baseline in a file's text; raises `BaselineError` for any other file."""
    try:
        schema = msgspec.json.decode(data, type=Dated).schema
        if schema != SCHEMA:
            older = ", which has no types to compare" if schema < SCHEMA else ""
            raise BaselineError(f"a baseline of schema {schema}{older}; this abiprobe reads {SCHEMA}")
        return msgspec.json.decode(data, type=Baseline)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BaselineError(f"no baseline of `abiprobe predict --write-baseline`: {error}") from error
