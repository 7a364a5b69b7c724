"""What Swift's importer makes of a header: as the header says, planted faults with their lines, and what it has but accessors of."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.checking import OnTarget
from abiprobe.harness.bindings.described import Described, DescribedFunction
from abiprobe.harness.bindings.swift import element
from abiprobe.harness.bindings.swift_types import behind, described, function_of, parts
from abiprobe.harness.cli.commands.bindings import language_of
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.registry import find_target

from .holding import HEADER, line_of, on_target, planted

SWIFT = parse_subject("swift")
LEFT = {"flags.text", "flags.level", "ZLIB_VERSION"}
"""Bit-fields, which Swift has by functions alone, and a text."""


def on(binding: Path, target: str = "x86_64-sysv", header: Path = HEADER) -> OnTarget:
    """A binding held against its header on a target; skips without Swift."""
    if build(SWIFT, find_target(target), "O2") is None:
        pytest.skip("swift-frontend is not installed")
    return on_target(target, SWIFT, binding, header)


@pytest.mark.long
@pytest.mark.parametrize("target", ["x86_64-sysv", "arm-aapcs", "riscv64-lp64d"])
def test_a_header_that_says_what_itself_says(target: str) -> None:
    found = on(HEADER, target)
    assert (found.wrong, found.lacks, found.why) == ((), (), "")
    assert {one.name for one in found.left} == LEFT
    assert (found.facts, found.calls) == (40, 5)


@pytest.mark.long
def test_a_module_map(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(HEADER.read_text())
    path = tmp_path / "module.modulemap"
    path.write_text('module Own { header "own.h" }\n')
    found = on(path)
    assert (found.wrong, found.facts, found.calls) == ((), 40, 5)


FAULTS = [
    ("  uInt avail_in", "  short avail_in", "z_stream_s.avail_in", "2 bytes"),
    ("  const char *msg;\n", "\n", "z_stream_s.msg", "no such member"),
    ("    double real", "    float real", "flags.real", "4 bytes"),
    ("short extra[3]", "short extra[4]", "flags.extra", "8 bytes"),
    ("Z_HUFFMAN_ONLY = 2", "Z_HUFFMAN_ONLY = 3", "Z_HUFFMAN_ONLY", "3"),
    ("Z_DATA_ERROR (-3)", "Z_DATA_ERROR (-4)", "Z_DATA_ERROR", "-4"),
    ("typedef unsigned long uLong", "typedef unsigned uLong", "uLong", "4 bytes"),
    ("size_t length", "int length", "crc32", "parameter 3 is a signed integer of 4 bytes"),
    ("short good, ", "", "tuned", "2 parameters"),
    ("format, ...", "format", "gzprintf", "not variadic"),
    ("const char *zlibVersion", "void zlibVersion", "zlibVersion", "no result"),
]


@pytest.mark.long
def test_planted_faults(tmp_path: Path) -> None:
    path = planted(tmp_path, HEADER, *((old, new) for old, new, *_ in FAULTS))
    found = on(path)
    for _, new, what, said in FAULTS:
        line = line_of(path, new.strip() or ("struct flags tuned" if what == "tuned" else "z_stream_s {"))
        assert [one for one in found.wrong if one.what == what and said in one.said and one.line == line], (
            what,
            found.wrong,
        )


@pytest.mark.long
def test_members_of_a_union_are_where_their_accessors_write(tmp_path: Path) -> None:
    header, binding = tmp_path / "a.h", tmp_path / "b.h"
    text = "struct s { long head; union { int number; struct { %s double real; } both; void *address; }; };"
    header.write_text(text % "")
    binding.write_text(text % "char before;")
    assert on(header, header=header).wrong == ()
    wrong = {(one.what, one.said) for one in on(binding, header=header).wrong}
    assert ("s.both.real", "at byte 16") in wrong, wrong


@pytest.mark.long
def test_a_file_that_is_not_c(tmp_path: Path) -> None:
    path = tmp_path / "x.h"
    path.write_text("int f(;\n")
    with pytest.raises(Problem, match="cannot be imported: "):
        on(path)


def test_endings_tell_the_language() -> None:
    assert {language_of(name) for name in ("lib.h", "module.modulemap")} == {"swift"}


def test_another_target_is_not_compared() -> None:
    found = on_target("nvptx64-cuda", SWIFT, HEADER)
    assert (found.facts, found.calls) == (0, 0)
    assert "swift is not here" in found.why


def test_types_behind_their_names() -> None:
    assert behind("'alias' (aka 'Optional<UInt8>')") == "Optional<UInt8>"
    assert behind("'UInt32'") == "UInt32"
    assert parts("A<B, C>, (D, E) -> F, G") == ["A<B, C>", "(D, E) -> F", "G"]
    assert element("((Int8, Int8), (Int8, Int8))") == "Int8"


def test_functions_by_their_spelling() -> None:
    record = Described("record", 24, 8, "S")
    own = function_of("(S, Optional<UnsafePointer<Int8>>, UInt, Any...) -> ()", {"S": record}, 4)
    address = Described("pointer", 4, 4, "UnsafePointer<Int8>")
    number = Described("integer", 4, 4, "UInt")
    assert own == DescribedFunction((record, address, number), Described("none"), variadic=True)
    assert function_of("Int32", {}, 8) is None
    assert described("CVaListPointer", {}, 8).kind == "unknown"
