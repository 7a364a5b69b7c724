"""Bindings with cffi: one that says what its header says, planted faults with their lines, and what cffi leaves to a C compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.checking import OnTarget
from abiprobe.harness.cli.commands.bindings import language_of
from abiprobe.harness.subjects.families.libraries import here
from abiprobe.harness.subjects.find import parse_subject

from .holding import line_of, on_target, planted

HERE = Path(__file__).parent
BINDING = HERE / "library_cffi.py"
TARGET = "x86_64-sysv"


def on(binding: Path, target: str = TARGET) -> OnTarget:
    """A binding held against its header; skips where this Python is of another target."""
    if target == TARGET and not here(target):
        pytest.skip(f"no Python for {target}")
    return on_target(target, parse_subject("cffi"), binding)


def test_a_binding_that_says_what_its_header_says() -> None:
    found = on(BINDING)
    assert (found.wrong, found.left, found.lacks) == ((), (), ("ZLIB_VERSION",))
    assert (found.calls, found.why) == (5, "")
    assert found.facts > 35


FAULTS = [
    ("  uInt avail_in;", "  short avail_in;", "z_stream_s.avail_in", "2 bytes", "4 bytes"),
    ("  const char *msg;\n", "\n", "z_stream_s.msg", "no such member", ""),
    ("  unsigned level : 5;", "  unsigned level : 4;", "flags.level", "4 bits wide", "5"),
    ("    double real;", "    float real;", "flags.real", "4 bytes", "8 bytes"),
    ("  short extra[3];", "  short extra[2];", "flags.extra", "4 bytes", "6 bytes"),
    ("Z_HUFFMAN_ONLY = 2", "Z_HUFFMAN_ONLY = 3", "Z_HUFFMAN_ONLY", "3", "2"),
    ("#define Z_DATA_ERROR -3", "#define Z_DATA_ERROR -4", "Z_DATA_ERROR", "-4", "-3"),
    ("typedef unsigned long uLong;", "typedef unsigned int uLong;", "uLong", "4 bytes", "8 bytes"),
    ("size_t length", "int length", "crc32", "parameter 3 is a signed integer of 4 bytes", "of 8 bytes"),
    ("struct flags tuned(", "int tuned(", "tuned", "the result is a signed integer", "record"),
    ("short good, ", "", "tuned", "2 parameters", "3"),
    ("const char *format, ...", "const char *format", "gzprintf", "not variadic", "variadic"),
    ("const char *zlibVersion", "void zlibVersion", "zlibVersion", "no result", "one"),
]


@pytest.mark.parametrize(("old", "new", "what", "said", "expected"), FAULTS)
def test_a_planted_fault(tmp_path: Path, old: str, new: str, what: str, said: str, expected: str) -> None:
    found = on(planted(tmp_path, BINDING, (old, new)))
    faults = [
        one for one in found.wrong if what in one.what and said in one.said and expected in one.expected
    ]
    assert faults, found.wrong
    if what != "z_stream_s.msg":
        assert faults[0].line == line_of(BINDING, old)


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("  uLong adler;", "  ...;", {"z_stream_s"}),
        ("#define Z_OK 0", "#define Z_OK ...", {"Z_OK"}),
        ("Z_FILTERED = 1, Z", "Z_FILTERED = ..., Z", {"Z_FILTERED", "Z_HUFFMAN_ONLY", "strategy"}),
        ("typedef unsigned long uLong;", "typedef int... uLong;", {"uLong", "z_stream_s", "crc32"}),
    ],
)
def test_what_cffi_asks_a_compiler_about_is_no_agreement(
    tmp_path: Path, old: str, new: str, left: set[str]
) -> None:
    found = on(planted(tmp_path, BINDING, (old, new)))
    assert not found.wrong
    assert left <= {one.name for one in found.left}
    assert any("asks a C compiler" in one.why for one in found.left)
    assert not left & set(found.lacks)


def test_a_builder_is_read_and_nothing_is_compiled(tmp_path: Path) -> None:
    text = (
        BINDING.read_text()
        .partition("lib = ")[0]
        .replace("ffi = FFI()", "ffi = FFI()\nffi.set_source('_z', '')")
    )
    path = tmp_path / "build.py"
    path.write_text(f"{text}\nffi.compile(verbose=True)\n")
    found = on(path)
    assert (found.wrong, found.calls) == ((), 5)
    assert list(tmp_path.iterdir()) == [path]


def test_declarations_for_newer_libraries_are_read(tmp_path: Path) -> None:
    newer = 'if lib.number() >= 2:\n    ffi.cdef("int newer(int a);")'
    path = planted(tmp_path, BINDING, ("version = lib.zlibVersion()", newer))
    text = path.read_text().replace("int gzprintf(const char *format, ...);\n", "")
    path.write_text(text.replace("int newer(int a);", "int gzprintf(const char *format, ...);"))
    assert on(path).calls == 5


def test_a_file_that_imports_cffi_is_read_by_it(tmp_path: Path) -> None:
    assert language_of(str(BINDING)) == "cffi"
    assert language_of(str(HERE / "library.py")) == "ctypes"
    assert language_of(str(tmp_path / "none.py")) == "ctypes"
    assert language_of("lib.go") is None


def test_another_target_is_not_compared() -> None:
    found = on(BINDING, "s390x")
    assert (found.facts, found.calls) == (0, 0)
    assert "cffi is not here" in found.why


def test_a_text_that_cffi_does_not_read(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="cannot be imported: <cdef source string>:29:1"):
        on(planted(tmp_path, BINDING, ("short extra[3];", "short extra[3]")))
