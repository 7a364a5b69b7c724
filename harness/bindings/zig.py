"""Zig's answers about a binding: its compiler describes what the binding declares while it compiles it, for every target that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.comparing import Compared, compared
from abiprobe.harness.bindings.described import Described, DescribedField, DescribedFunction, Module
from abiprobe.harness.bindings.header import Header
from abiprobe.harness.machines.readers.objects import constants
from abiprobe.harness.subjects.compile import Limits, run_compiler
from abiprobe.harness.subjects.find import build
from abiprobe.harness.subjects.subject import Built, Subject

PRELUDE = (Path(__file__).parent / "describing.zig").read_text("utf-8")
ROUNDS = 8
"""So often declarations that Zig refuses are left out and the others tried again."""
TRACE = "-freference-trace=64"
"""Makes Zig tell what a refused declaration is needed for."""
SECONDS = 300.0
DECLARED = re.compile(
    r'^(?:pub )?(?:const|extern fn|fn|export fn) (?P<name>\w+|@"[^"]+")(?P<rest>.*)$', re.MULTILINE
)
MEMBER = re.compile(r'^\s*(?P<name>\w+|@"[^"]+"): [^;]*,$')
UNASKED = ("@compileError(", "@import(")
ERROR = re.compile(r"\berror: (.*)$", re.MULTILINE)
PLACE = re.compile(r"\.zig:(\d+):\d+")
PREFIX = re.compile(r"(?:struct|union|enum)_(?=\w)")
"""How `zig translate-c` names what has a tag in C."""
ANONYMOUS = re.compile(r"unnamed_\d+")
"""How it names a member without a name."""


class SaidField(msgspec.Struct, frozen=True):
    """A field as Zig describes it: in a packed record the first bit and a width, else the byte."""

    name: str
    at: int
    width: int
    type: Described


class Said(msgspec.Struct, frozen=True):
    """The description of one declaration, of which it has what its kind has; texts are in hexadecimal."""

    type: Described | None = None
    fields: tuple[SaidField, ...] = ()
    enumerators: tuple[tuple[str, int], ...] = ()
    function: DescribedFunction | None = None
    number: int | None = None
    text: str | None = None


def compared_by_zig(
    file: str, text: bytes, header: Header, compiler: Subject, scratch: Path
) -> Compared | None:
    """The declarations of a binding, held against a header; `None` where the compiler does not build for the target.

    Raises `Problem` for a binding that Zig does not compile.
    """
    built = build(compiler, header.target, "O0")
    if built is None:
        return None
    source = text.decode(errors="replace")
    tracing = msgspec.structs.replace(built, command=(*built.command, TRACE))
    said, refused = answers(file, source, tracing, scratch)
    module = module_of(said, is_big=header.target.model().types.data.order == "big")
    left = tuple(refused.items())
    return compared(file, msgspec.structs.replace(module, left=left), lines_of(source), header)


def names_of(source: str) -> Iterator[str]:
    """Yield the names of what a binding declares, but for what Zig can say nothing of."""
    for found in DECLARED.finditer(source):
        if not any(word in found["rest"] for word in UNASKED):
            yield found["name"]


def answers(file: str, source: str, built: Built, scratch: Path) -> tuple[dict[str, Said], dict[str, str]]:
    """The descriptions of declarations by their names, and of those that Zig refuses the reasons; raises `Problem` if it refuses all."""
    names = list(dict.fromkeys(names_of(source)))
    refused: dict[str, str] = {}
    for number in range(ROUNDS):
        asked = [name for name in names if name not in refused]
        unit, output = unit_of(source, asked), scratch / f"described{number}.o"
        done = run_compiler(built, unit, output, Limits(base_seconds=SECONDS), len(asked))
        if done.ok:
            found = constants(output)
            decoder = msgspec.json.Decoder(Said)
            texts = {name: found[f"abi_said_{at}"] for at, name in enumerate(asked)}
            return {plain(name): decoder.decode(text) for name, text in texts.items()}, {
                plain(name): why for name, why in refused.items()
            }
        words = done.stderr.decode(errors="replace")
        first = unit.count("\n") - len(asked) + 1
        now = {asked[at - first]: why for at, why in blamed(words) if 0 <= at - first < len(asked)}
        if not now:
            error = ERROR.search(words)
            why = error[1] if error else "it does not say why"
            raise Problem(
                f"{file} cannot be compiled: {why}", f"does `{built.words[0]} build-obj` compile it?"
            )
        refused |= now
    raise Problem(f"{file} cannot be compiled: Zig refuses something else each time", "give a smaller file")


def unit_of(source: str, names: Sequence[str]) -> str:
    """The unit that describes declarations, each in a line at its end."""
    rows = (
        f"const abi_text_{at} = abi_declared(abi_binding.{name}); "
        f"export const abi_said_{at} = abi_text_{at}[0..abi_text_{at}.len].*;\n"
        for at, name in enumerate(names)
    )
    return f"{PRELUDE}const abi_binding = struct {{\n{source}\n}};\n{''.join(rows)}"


def blamed(words: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of the unit that Zig's errors lead to, each with the first error that does."""
    found: dict[int, str] = {}
    why = ""
    for line in words.splitlines():
        if error := ERROR.search(line):
            why = error[1]
        for number in PLACE.findall(line):
            found.setdefault(int(number), f"zig: {why}")
    yield from found.items()


def plain(name: str) -> str:
    """A name without the quotes that a keyword has."""
    return name.removeprefix('@"').removesuffix('"')


def module_of(said: Mapping[str, Said], *, is_big: bool) -> Module:
    """The declarations as a module; what `translate-c` calls `struct_x` is called `x`, too, if nothing else is."""
    types = {name: record_of(one, is_big=is_big) for name, one in said.items() if one.type is not None}
    short = {PREFIX.sub("", name, count=1): one for name, one in types.items() if PREFIX.match(name)}
    constants: dict[str, int | str] = {}
    for name, one in said.items():
        constants |= {f"{name}::{text(each)}": value for each, value in one.enumerators}
        if one.number is not None:
            constants[name] = one.number
        elif one.text is not None:
            constants[name] = bytes.fromhex(one.text).decode("latin-1")
    functions = {name: one.function for name, one in said.items() if one.function is not None}
    return Module({**short, **types}, constants, functions)


def record_of(said: Said, *, is_big: bool) -> Described:
    """A type, with its fields if it is a record."""
    own = named(said.type)
    if own.kind != "record":
        return own
    fields = {text(one.name): field_of(one, own, is_big=is_big) for one in said.fields}
    return msgspec.structs.replace(own, fields=fields)


def field_of(field: SaidField, owner: Described, *, is_big: bool) -> DescribedField:
    """A field; bits of a packed record are counted from the first of memory, as those of C."""
    inner, name = named(field.type), text(field.name)
    if not field.width:
        anonymous = ANONYMOUS.fullmatch(name) is not None
        return DescribedField(field.at, inner.size, 0, 0, inner, anonymous)
    bit = 8 * owner.size - field.at - field.width if is_big else field.at
    return DescribedField(0, inner.size, bit, field.width, inner, anonymous=False)


def named(one: Described | None) -> Described:
    """A type by the last part of its name in Zig, which has that of its file before it."""
    assert one is not None, "types are described as such"
    element = None if one.element is None else named(one.element)
    return msgspec.structs.replace(one, name=text(one.name).rpartition(".")[2], element=element)


def text(digits: str) -> str:
    """A text that is written in hexadecimal."""
    return bytes.fromhex(digits).decode(errors="replace")


def lines_of(source: str) -> dict[str, int]:
    """The line of each declaration and of each field (`S.x`)."""
    found: dict[str, int] = {}
    owner = ""
    for number, line in enumerate(source.splitlines(), 1):
        if declared := DECLARED.match(line):
            owner = plain(declared["name"])
            for name in (owner, PREFIX.sub("", owner, count=1)):
                found.setdefault(name, number)
        elif member := MEMBER.match(line):
            found.setdefault(f"{owner}.{plain(member['name'])}", number)
    return found
