"""D's answers about a binding: a module of D, or a file of C that ImportC reads, which ldc2 describes for every target that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.braces import lines_of
from abiprobe.harness.bindings.comparing import Compared, compared
from abiprobe.harness.bindings.header import Header
from abiprobe.harness.bindings.said import Said, module_of
from abiprobe.harness.subjects.compile import Limits, run_compiler
from abiprobe.harness.subjects.find import build
from abiprobe.harness.subjects.subject import Built, Subject

PRELUDE = (Path(__file__).parent / "describing.d").read_text("utf-8")
NAMED = re.compile(r"^\s*module\s+([\w.]+)\s*;", re.MULTILINE)
"""How a module of D says its name, by which alone it can be imported."""
UNNAMED = "abi_binding_file"
ERROR = re.compile(r"\bError: (.*)$", re.MULTILINE)
SAID = re.compile(r"^abi_(said|refused) (\w+) ?(.*)$", re.MULTILINE)
OWN = "__builtins"
"""The module that ImportC itself imports into each."""
SECONDS = 300.0


class Declared(msgspec.Struct):
    """The descriptions of declarations, by their names, and what ldc2 refuses to describe."""

    said: dict[str, Said]
    refused: list[str]


def compared_by_d(
    file: str, text: bytes, header: Header, compiler: Subject, scratch: Path
) -> Compared | None:
    """The declarations of a binding, held against a header; `None` where the compiler does not build for the target.

    Raises `Problem` for a binding that is not compiled.
    """
    built = build(compiler, header.target, "O0")
    if built is None:
        return None
    source = text.decode(errors="replace")
    found = declared(file, source, built, scratch)
    refused = dict.fromkeys(found.refused, f"{compiler} refuses it")
    return compared(file, module_of(found.said, refused, header), lines_of(source), header)


def declared(file: str, source: str, built: Built, scratch: Path) -> Declared:
    """The declarations of a file as ldc2 describes them."""
    suffix = Path(file).suffix
    name = found[1] if suffix == ".d" and (found := NAMED.search(source)) else UNNAMED
    path = scratch / f"{name.replace('.', '/')}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    asking = msgspec.structs.replace(built, command=tuple(asking_words(built, file, scratch)))
    # A record of C in another is declared once the module has been read, which it is where it is imported first.
    unit = f"static import abi_binding = {name};\n{PRELUDE}"
    done = run_compiler(
        asking, unit, scratch / "described.o", Limits(base_seconds=SECONDS), source.count("\n")
    )
    words = done.stderr.decode(errors="replace")
    if not done.ok:
        error = ERROR.search(words)
        raise Problem(
            f"{file} cannot be compiled: {error[1] if error else 'it does not say why'}",
            f"does `{built.words[0]} -c` compile it? ldc2 before 1.31 reads C only behind a preprocessor",
        )
    every = {one[2]: one for one in SAID.finditer(words) if one[2] != OWN}
    decoder = msgspec.json.Decoder(Said)
    said = {name: decoder.decode(one[3]) for name, one in every.items() if one[1] == "said"}
    return Declared(said, [name for name, one in every.items() if one[1] == "refused"])


def asking_words(built: Built, file: str, scratch: Path) -> Iterator[str]:
    """Yield the command that compiles nothing, for which what a binding imports lies beside it."""
    yield from ("-o-" if word.startswith("-of=") else word for word in built.command)
    yield from (f"-I={scratch}", f"-I={Path(file).resolve().parent}")
