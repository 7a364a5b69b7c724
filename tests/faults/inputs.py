"""Files that users give to commands: C, object files, corpora, known deviations; each is broken and must cost a line at most."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from abiprobe.harness.base.isolated import isolated
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.elf_facts.files import read_object
from abiprobe.harness.machines.readers import elf
from abiprobe.harness.machines.readers.dwarf import variable_types
from abiprobe.harness.machines.readers.objects import constants
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import encode

from .commands import called
from .damage import BYTES, HOSTILE, LINES, places
from .runs import deviating
from .table import SEED, Line

TARGETS = ("x86_64-sysv", "riscv64-lp64d", "i386-sysv", "aarch64-aapcs64", "riscv32-ilp32")
TOKEN = re.compile(rb"\s+|\w+|.", re.DOTALL)
WORDS = (
    *(b"struct", b"union", b"enum", b"typedef", b"int", b"double", b"char", b"_BitInt(65535)", b"_Complex", b"_Atomic"),
    *(b"__attribute__((packed))", b"__attribute__((aligned(1<<28)))", b"__attribute__((vector_size(64)))", b"..."),
    *(b"_Alignas(99999)", b"{", b"}", b"(", b")", b";", b":", b"[0]", b"[9223372036854775807]", b"[]", b"*", b"\0"),
    *(b"99999999999999999999", b"-1", b": 0", b": 65", b'asm("x y")', b'#line 1 "/dev/zero"\n', b"#pragma pack(3)\n"),
    *(b"#include __FILE__\n", b'#include "/dev/null"\n', b"\\\n", b"/*", b'"', b"??/", b"\xff\xfe", b"__int128"),
    *(b"const", b"volatile", b"restrict", b"static", b"inline", b"_Float16", b"__bf16", b"wchar_t", b"typeof(x)"),
)  # fmt: skip
"""What is put into C text."""
SECONDS = 20.0
"""After which a command counts as one that hangs."""
CHUNK = 100
COMPILED = 50
"""One of so many files of C goes to a compiler as well."""


def texts() -> tuple[bytes, ...]:
    """C to begin with: the declarations of the corpus, a few lines each."""
    folder = resources.files("abiprobe.generators.corpus")
    found = []
    for item in folder.iterdir():
        if item.name.endswith(".h"):
            lines = item.read_bytes().splitlines(keepends=True)
            found += [b"".join(lines[at : at + 12]) for at in range(0, len(lines), 12)]
    return tuple(found)


def mutated(draw: random.Random, seeds: Sequence[bytes]) -> bytes:
    """One of some texts, changed in a few tokens, or in bytes, or continued by another."""
    text = draw.choice(seeds)
    if draw.random() < 0.15:
        return draw.choice(BYTES)(draw, text)
    tokens = TOKEN.findall(text)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(tokens) + 1)
        match draw.randrange(5):
            case 0:
                tokens[at : at + draw.randrange(1, 4)] = []
            case 1:
                tokens.insert(at, draw.choice(WORDS))
            case 2:
                tokens[at : at + 1] = [draw.choice(WORDS)]
            case 3:
                tokens[at:at] = tokens[at : at + draw.randrange(1, 20)]
            case _:
                other = TOKEN.findall(draw.choice(seeds))
                tokens[at:] = other[draw.randrange(len(other) + 1) :]
    return b"".join(tokens)


def c_files(times: int, folder: Path) -> Iterator[Line]:
    """Broken C for `predict` and `explain`, and some of it for `check`."""
    seeds, draw, path = texts(), random.Random(SEED), folder / "input.c"
    read, checked = (
        Line("a fuzzed file of C: `predict`, `explain`"),
        Line("a fuzzed file of C: `check --cc gcc-12`"),
    )
    for number in range(times):
        path.write_bytes(mutated(draw, seeds))
        target = draw.choice(TARGETS)
        command = "explain" if number % 4 == 0 else "predict"
        said = called(command, str(path), "--target", target)
        read.count(survived=said.clean)
        if not said.clean:
            path.rename(folder / f"fell-{number}-{target}.c")
        elif number % COMPILED == 0:
            said = called("check", str(path), "--target", "x86_64-sysv", "--cc", "gcc-12", "--opt", "O0")
            # One deviation that is known would be told as such: nothing of fuzzed C may deviate.
            checked.count(survived=said.clean and said.status != 1)
            if not said.clean or said.status == 1:
                path.rename(folder / f"fell-check-{number}.c")
    yield read
    yield checked


SOURCE = """struct S { int a; long b : 7; double c[3]; union { char d; float e; }; } abi_object0 = {1, 2, {3}};
const unsigned long long abi_layout[] = {sizeof(struct S), 2, 3}; int f(struct S s) { return s.a; }
"""
COMPILERS = (
    ("clang-22", "--target=x86_64-linux-gnu"),
    ("clang-22", "--target=riscv64-linux-gnu"),
    ("clang-22", "--target=i386-linux-gnu", "-gdwarf-2"),
    ("clang-22", "--target=aarch64_be-linux-gnu"),
    ("clang-22", "--target=x86_64-w64-mingw32"),
    ("clang-22", "--target=x86_64-apple-darwin"),
    ("clang-22", "--target=x86_64-linux-gnu", "-S"),
    ("clang-22", "--target=nvptx64", "-S"),
    ("gcc-12",),
    ("riscv64-linux-gnu-gcc-12",),
)
EMBEDDED = (sys.executable, "-m", "ziglang", "cc", "--target=x86_64-linux-gnu")


def object_files(folder: Path) -> list[bytes]:
    """Object files, PTX and assembly of the same declarations, from the embedded compiler where no other is installed."""
    source, output = folder / "seed.c", folder / "seed.o"
    source.write_text(SOURCE, "utf-8")
    found = []
    for command in (*COMPILERS, EMBEDDED):
        if found and command is EMBEDDED:
            continue
        words = (*command, "-g", "-c", str(source), "-o", str(output))
        words = tuple(word for word in words if word != "-c" or "-S" not in command)
        try:
            subprocess.run(words, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        found.append(output.read_bytes())
    return found


def dented(draw: random.Random, data: bytes) -> bytes:
    """An object file with a few bytes changed: in its head, in its tables at the end, or anywhere."""
    if draw.random() < 0.25:
        return draw.choice(BYTES)(draw, data)
    found = bytearray(data)
    for _ in range(draw.choice((1, 2, 4, 16))):
        at = draw.choice(
            (
                draw.randrange(min(64, len(found))),
                len(found) - 1 - draw.randrange(min(2048, len(found))),
                draw.randrange(len(found)),
            )
        )
        found[at] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))
    return bytes(found)


def readers(path: Path) -> None:
    """Read a file in every way; whatever these raise is no mistake of the file's."""
    for reader in (
        constants,
        lambda one: variable_types(one, "abi_"),
        lambda one: elf.functions(one.read_bytes()),
    ):
        with suppress(ValueError):
            reader(path)
    with suppress(Problem):
        read_object(path)


def broken_objects(times: int, folder: Path) -> Iterator[Line]:
    """Broken object files for every reader of them; some thousand in a process that has limits of time and memory."""
    seeds, draw, path = object_files(folder), random.Random(SEED), folder / "broken.o"
    line = Line(f"an object file ({len(seeds)} formats and machines), all readers")

    def read(some: Sequence[bytes]) -> list[str]:
        fallen = []
        for data in some:
            path.write_bytes(data)
            try:
                readers(path)
            except Exception as error:  # noqa: BLE001 - this is what is looked for
                fallen.append(f"{type(error).__name__}: {error}")
                path.rename(folder / f"fell-{len(list(folder.glob('fell-*')))}.o")
        return fallen

    for begin in range(0, times if seeds else 0, CHUNK):
        some = [dented(draw, draw.choice(seeds)) for _ in range(min(CHUNK, times - begin))]
        try:
            fallen = isolated(partial(read, some), "object files", seconds=SECONDS * 3, memory=1 << 30)
        except Problem as problem:
            fallen = [str(problem)]
        for number in range(len(some)):
            line.count(survived=number >= len(fallen))
    yield line


QUESTIONS = (
    Record(
        "S",
        (Member(Scalar(Kind.INT), "a"), Member(Scalar(Kind.DOUBLE), "b"), Member(Scalar(Kind.INT), "c", 3)),
    ),
    Prototype(
        "f",
        Scalar(Kind.INT),
        (Param("a", Scalar(Kind.LONG)), Param("b", Record("T", (Member(Scalar(Kind.FLOAT), "x"),)))),
    ),
)


def misquoted(draw: random.Random, data: bytes) -> bytes:
    """JSON in which one value is another."""
    value: Any = json.loads(data)
    inside, key = draw.choice(list(places(value)))
    inside[key] = draw.choice(HOSTILE)
    return json.dumps(value).encode()


def mistoml(draw: random.Random, data: bytes) -> bytes:
    """TOML in which a word or a value is another."""
    lines = data.splitlines(keepends=True)
    at = draw.randrange(len(lines))
    value = b"= " + json.dumps(draw.choice(HOSTILE), ensure_ascii=draw.random() < 0.5).encode()
    lines[at] = re.sub(rb"=.*", lambda _: value, lines[at])
    return b"".join(lines)


def lists(times: int, folder: Path) -> Iterator[Line]:
    """Broken files of a corpus and of known deviations."""
    draw = random.Random(SEED)
    yield broken(
        Line("a file of a corpus: `corpus list`"),
        times // 2,
        lambda: draw.choice((misquoted, *BYTES))(draw, encode(draw.choice(QUESTIONS))),
        folder / "corpus" / "question.json",
        ("corpus", "list", "--folder", str(folder / "corpus")),
    )
    known = resources.files("abiprobe.results.known").joinpath("known.toml").read_bytes()
    entries = [b"[[" + entry for entry in known.split(b"\n[[")[1:]]
    yield broken(
        Line("a file of known deviations: `report --known-only`"),
        times - times // 2,
        lambda: draw.choice((mistoml, mistoml, *BYTES, *LINES))(draw, draw.choice(entries)),
        folder / "known.toml",
        ("report", str(deviating(folder)), "--known-only", str(folder / "known.toml")),
    )


def broken(line: Line, times: int, make: Callable[[], bytes], path: Path, command: tuple[str, ...]) -> Line:
    """So many broken files for a command."""
    path.parent.mkdir(exist_ok=True)
    for number in range(times):
        data = make()
        path.write_bytes(data)
        said = called(*command)
        line.count(survived=said.clean)
        if not said.clean:
            (path.parent.parent / f"fell-{path.name}-{number}").write_bytes(data)
    return line
