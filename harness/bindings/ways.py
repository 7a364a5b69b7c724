"""The way to a member of a header's record in the record of a binding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from abiprobe.harness.bindings.binding import Binding, BoundType
from abiprobe.oracles.language.lang import Array, Member, Record, Type, strip

STEP = re.compile(r"\w+")
DROPPED = re.compile(r"(?:[\w:]*::)?ManuallyDrop\s*<(.*)>")
HIDDEN = "the binding does not say what is in it"


class LackingError(Exception):
    """A binding lacks a member: `path` leads there, `line` is that of its record."""

    def __init__(self, path: str, line: int) -> None:
        super().__init__(path, line)
        self.path, self.line = path, line


class UnnamedError(Exception):
    """A member of a header cannot be found in a binding, which may have it; `why` says how."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(line, why)
        self.line, self.why = line, why


class Way(msgspec.Struct, frozen=True):
    """The way to a member: names of members and numbers of elements; the line of the last name, the record that has it, and its type in C."""

    steps: tuple[str | int, ...]
    line: int
    owner: BoundType
    type: Type


def way(binding: Binding, record: Record, bound: BoundType, path: str) -> Way:
    """The way to the member at a path of C.

    Raises `LackingError` for a member that the binding lacks, and `UnnamedError` for one that it may have under another name.
    """
    steps: list[str | int] = []
    here: Type = record
    inside: BoundType | None = bound
    line, owner, passed = bound.line, bound, ""
    for step in STEP.findall(path):
        here = strip(here)
        if isinstance(here, Array):
            here = here.element
            steps.append(int(step))
            passed += f"[{step}]"
            continue
        assert isinstance(here, Record), "a path goes on through records and arrays only"
        passed += f".{step}" if passed else step
        for member, name in flattened(passed_members(here, step), step, inside):
            if inside is None:
                raise UnnamedError(line, HIDDEN)
            owner, own = inside, own_name(inside, name, member.width is not None, passed, line)
            steps.append(own)
            there = inside.members or {}
            if member.width is not None:
                line, _ = there.get(inside.bits[own.removeprefix("r#")].storage, (line, ""))
            else:
                line, text = there[own.removeprefix("r#")]
                inside = binding.resolved(binding.type(inner_name(text)))
            here = member.type
    return Way(tuple(steps), line, owner, here)


def own_name(bound: BoundType, name: str, is_bit_field: bool, path: str, line: int) -> str:  # noqa: FBT001 - as members have it
    """The name of a member in the record of a binding; raises as `way` does."""
    known = bound.bits if is_bit_field else bound.members or {}
    found = next((one for one in (name, f"{name}_") if one in known), None)
    if found is not None:
        return found if found not in KEYWORDS else f"r#{found}"
    if is_bit_field:
        raise UnnamedError(line, "the binding has no accessor of the bit-field that can be read")
    if name.startswith("__bindgen_anon_"):
        raise UnnamedError(line, "the binding calls what has no name otherwise than bindgen")
    raise LackingError(path, bound.line)


KEYWORDS = frozenset(
    (
        *(
            "as",
            "async",
            "await",
            "break",
            "const",
            "continue",
            "dyn",
            "else",
            "enum",
            "extern",
            "false",
            "fn",
        ),
        *("for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return"),
        *(
            "static",
            "struct",
            "trait",
            "true",
            "type",
            "unsafe",
            "use",
            "where",
            "while",
            "abstract",
            "become",
        ),
        *("box", "do", "final", "macro", "override", "priv", "typeof", "unsized", "virtual", "yield", "try"),
    )
)
"""Words that are names behind `r#` only."""


def passed_members(record: Record, name: str) -> Iterator[tuple[Member, str]]:
    """Yield the members from a record to one of this name, as bindgen calls them: itself, or those without a name around it."""
    unnamed = 0
    for member in record.members:
        if member.name == name:
            yield member, name
            return
        inner = strip(member.type)
        if not member.name and member.width is None and isinstance(inner, Record):
            unnamed += 1
            if rest := list(passed_members(inner, name)):
                yield from ((member, f"__bindgen_anon_{unnamed}"), *rest)
                return


def flattened(
    passed: Iterable[tuple[Member, str]], step: str, inside: BoundType | None
) -> Iterable[tuple[Member, str]]:
    """The members that a step passes; the last alone where the binding has it as a member of the outer record, as D and Swift have."""
    if inside is None or not {step, f"{step}_"} & {*(inside.members or ()), *inside.bits}:
        return passed
    return list(passed)[-1:]


def inner_name(text: str) -> str:
    """The last name of the innermost type of a member: of the elements of an array, and of what must not be dropped."""
    while True:
        text = text.strip()
        if text.startswith("["):
            text = text[1:].rpartition(";")[0]
        elif found := DROPPED.fullmatch(text):
            text = found[1]
        else:
            return text.partition("<")[0].rpartition("::")[2].strip()
