"""Bindings in D, which ldc2 describes on each target: a module, and a header as ImportC reads it, with planted faults and their lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.braces import lines_of
from abiprobe.harness.bindings.checking import OnTarget
from abiprobe.harness.cli.commands.bindings import language_of
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.registry import find_target

from .holding import HEADER, line_of, on_target, planted

HERE = Path(__file__).parent
BINDING = HERE / "library.d"
LDC = parse_subject("ldc2")
BITS = ["flags.text", "flags.level"]
"""A bit-field has no place in D 2.100, and a struct has none in a module that is written by hand."""
MACROS = ("Z_OK", "Z_DATA_ERROR", "ZLIB_VERSION")
"""ImportC before D 2.101 reads what a preprocessor has left."""


def on(target: str, binding: Path = BINDING, header: Path = HEADER) -> OnTarget:
    """A binding held against its header on a target; skips without ldc2."""
    if build(LDC, find_target(target), "O0") is None:
        pytest.skip("ldc2 is not installed")
    return on_target(target, LDC, binding, header)


def imported(folder: Path, *changes: tuple[str, str]) -> Path:
    """The header as a file of C for ImportC, with other words."""
    text = HEADER.read_text().replace("#include <stddef.h>", "typedef unsigned long size_t;")
    path = folder / "library.c"
    path.write_text(re.sub(r"^#.*$", "", text, flags=re.MULTILINE))
    return planted(folder, path, *changes)


@pytest.mark.parametrize("target", ["x86_64-sysv", "i386-sysv", "s390x"])
def test_a_module_that_says_what_its_header_says(target: str) -> None:
    found = on(target)
    assert (found.wrong, found.lacks, found.why) == ((), (), "")
    assert [one.name for one in found.left] == BITS
    assert (found.facts, found.calls) == (41, 5)


@pytest.mark.parametrize("target", ["x86_64-sysv", "i386-sysv", "s390x"])
def test_a_header_that_importc_reads(tmp_path: Path, target: str) -> None:
    found = on(target, imported(tmp_path))
    assert (found.wrong, found.lacks, found.why) == ((), MACROS, "")
    assert [one.name for one in found.left] == BITS
    assert (found.facts, found.calls) == (38, 5)


FAULTS = [
    ("    uInt avail_in", "    ushort avail_in", "z_stream_s.avail_in", "2 bytes", "4 bytes"),
    ("    const(char)* msg;\n", "\n", "z_stream_s.msg", "no such member", ""),
    ("        double real_", "        float real_", "flags.real", "4 bytes", "8 bytes"),
    ("short[3] extra", "short[4] extra", "flags.extra", "8 bytes", "6 bytes"),
    ("Z_HUFFMAN_ONLY = 2", "Z_HUFFMAN_ONLY = 3", "Z_HUFFMAN_ONLY", "3", "2"),
    ("Z_DATA_ERROR = -3", "Z_DATA_ERROR = -4", "Z_DATA_ERROR", "-4", "-3"),
    ('"1.2.13"', '"1.2.14"', "ZLIB_VERSION", '"1.2.14"', '"1.2.13"'),
    ("uLong = c_ulong", "uLong = uint", "uLong", "4 bytes", "8 bytes"),
    ("size_t length", "int length", "crc32", "parameter 3 is a signed integer of 4 bytes", "of 8 bytes"),
    ("short good, ", "", "tuned", "2 parameters", "3"),
    ("format, ...", "format", "gzprintf", "not variadic", "variadic"),
    ("const(char)* zlibVersion", "void zlibVersion", "zlibVersion", "no result", "one"),
]


def test_planted_faults_in_a_module(tmp_path: Path) -> None:
    found = on("x86_64-sysv", planted(tmp_path, BINDING, *((old, new) for old, new, *_ in FAULTS)))
    for old, _, what, said, expected in FAULTS:
        # What is not there has the line of its record.
        line = line_of(BINDING, old.rstrip() if what != "z_stream_s.msg" else "struct z_stream_s")
        assert [
            one
            for one in found.wrong
            if (one.what, one.line) == (what, line) and said in one.said and expected in one.expected
        ], (what, found.wrong)


IMPORTED = [
    ("  uInt avail_in", "  short avail_in", "z_stream_s.avail_in", "2 bytes"),
    ("    double real", "    float real", "flags.real", "4 bytes"),
    ("short extra[3]", "short extra[4]", "flags.extra", "8 bytes"),
    ("Z_HUFFMAN_ONLY = 2", "Z_HUFFMAN_ONLY = 3", "Z_HUFFMAN_ONLY", "3"),
    ("size_t length", "int length", "crc32", "parameter 3 is a signed integer of 4 bytes"),
]


def test_planted_faults_in_what_importc_reads(tmp_path: Path) -> None:
    path = imported(tmp_path, *((old, new) for old, new, *_ in IMPORTED))
    found = on("x86_64-sysv", path)
    for _, new, what, said in IMPORTED:
        line = line_of(path, new)
        assert [one for one in found.wrong if (one.what, one.line) == (what, line) and said in one.said], (
            what,
            found.wrong,
        )


def test_what_d_refuses_costs_itself(tmp_path: Path) -> None:
    """`const` makes another struct of one without a tag, and the first is left without members (ldc2 1.30)."""
    header, binding = tmp_path / "d.h", tmp_path / "d.c"
    header.write_text("typedef struct { int w; } D; int put(D *w); int set(const D *m);")
    binding.write_text(header.read_text())
    found = on("x86_64-sysv", binding, header)
    assert not found.wrong
    assert found.calls == 2
    assert {one.why for one in found.left} <= {"ldc2 refuses it"}
    assert found.left or found.facts


@pytest.mark.parametrize("name", ["x.d", "x.c"])
def test_a_file_that_cannot_be_compiled(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("int f(;\n")
    with pytest.raises(Problem, match="cannot be compiled: "):
        on("x86_64-sysv", path)


def test_endings_tell_the_language() -> None:
    assert {language_of(name) for name in ("lib.d", "lib.c", "lib.i")} == {"ldc2"}


def test_another_target_is_not_compared() -> None:
    found = on_target("nvptx64-cuda", LDC, BINDING)
    assert (found.facts, found.calls) == (0, 0)
    assert "ldc2 is not here" in found.why


def test_lines() -> None:
    text = "/* S\n*/\nstruct S;\nstruct S {\n  int a; // x\n};\ntypedef struct {\n  int b;\n} T;\n#define N 3\nint f(void);"
    found = lines_of(text)
    assert {name: found[name] for name in ("S", "S.a", "T", "T.b", "N", "f")} == {
        "S": 4,
        "S.a": 5,
        "T": 9,
        "T.b": 8,
        "N": 10,
        "f": 11,
    }
