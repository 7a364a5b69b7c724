"""Zig's answers about a binding: its compiler describes what the binding declares while it compiles it, for every target that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.comparing import Compared, compared
from abiprobe.harness.bindings.header import Header
from abiprobe.harness.bindings.said import PREFIX, Said, module_of
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
    return compared(file, module_of(said, refused, header), lines_of(source), header)


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
