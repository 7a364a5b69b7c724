"""Bindings in Zig, which its compiler describes on each target: one as `zig translate-c` writes it, and planted faults with their lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.checking import OnTarget
from abiprobe.harness.bindings.zig import blamed, lines_of
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.registry import find_target

from .holding import HEADER, line_of, on_target, planted

HERE = Path(__file__).parent
BINDING = HERE / "library.zig"
ZIG = parse_subject("zig-lang")
WITHOUT_ACCESSORS = ["flags.text", "flags.level"]
"""Zig has no bit-fields, and translates no record with one."""


def on(target: str, binding: Path = BINDING, header: Path = HEADER) -> OnTarget:
    """A binding held against its header on a target; skips without Zig."""
    if build(ZIG, find_target(target), "O0") is None:
        pytest.skip("zig is not installed")
    return on_target(target, ZIG, binding, header)


@pytest.mark.parametrize("target", ["x86_64-sysv", "i386-sysv", "s390x"])
def test_a_binding_that_says_what_its_header_says(target: str) -> None:
    found = on(target)
    assert (found.wrong, found.lacks, found.why) == ((), (), "")
    assert [one.name for one in found.left] == WITHOUT_ACCESSORS
    assert (found.facts, found.calls) == (41, 5)


FAULTS = [
    ("    avail_in: uInt = 0", "    avail_in: u16 = 0", "z_stream_s.avail_in", "2 bytes", "4 bytes"),
    ("    real: f64", "    real: f32", "flags.real", "4 bytes", "8 bytes"),
    ("    extra: [3]c_short", "    extra: [4]c_short", "flags.extra", "8 bytes", "6 bytes"),
    ("Z_HUFFMAN_ONLY: c_int = 2", "Z_HUFFMAN_ONLY: c_int = 3", "Z_HUFFMAN_ONLY", "3", "2"),
    ("-@as(c_int, 3)", "-@as(c_int, 4)", "Z_DATA_ERROR", "-4", "-3"),
    ('"1.2.13"', '"1.2.14"', "ZLIB_VERSION", '"1.2.14"', '"1.2.13"'),
    ("uLong = c_ulong", "uLong = c_uint", "uLong", "4 bytes", "8 bytes"),
    ("length: usize", "length: c_int", "crc32", "parameter 3 is a signed integer of 4 bytes", "of 8 bytes"),
    ("good: c_short, ", "", "tuned", "2 parameters", "3"),
    ("const u8, ...)", "const u8)", "gzprintf", "not variadic", "variadic"),
    ("zlibVersion() [*c]const u8", "zlibVersion() void", "zlibVersion", "no result", "one"),
]


def test_planted_faults(tmp_path: Path) -> None:
    found = on("x86_64-sysv", planted(tmp_path, BINDING, *((old, new) for old, new, *_ in FAULTS)))
    for old, _, what, said, expected in FAULTS:
        line = line_of(BINDING, old)
        assert [
            one
            for one in found.wrong
            if (one.what, one.line) == (what, line) and said in one.said and expected in one.expected
        ], (what, found.wrong)


def test_what_zig_refuses_costs_itself(tmp_path: Path) -> None:
    changes = ("good: c_short", "good: struct_internal_state"), ("uInt = c_uint", "uInt = std.none")
    found = on("x86_64-sysv", planted(tmp_path, BINDING, *changes))
    assert not found.wrong
    left = {one.name: one.why for one in found.left}
    assert "opaque type" in left["tuned"]
    assert "none" in left["uInt"]
    # What has such a member is refused, too, but no pointer to it.
    assert "z_stream_s" in {one.rpartition(" ")[2] for one in (*left, *found.lacks)}
    assert found.calls == 4


def test_packed_fields_are_bits(tmp_path: Path) -> None:
    header, binding = tmp_path / "p.h", tmp_path / "p.zig"
    header.write_text("struct p { unsigned a : 3, b : 29; };")
    binding.write_text("pub const p = packed struct(u32) {\n    a: u3,\n    b: u29,\n};\n")
    for target in ("x86_64-sysv", "s390x"):
        found = on(target, binding, header)
        # The first bit-field of C is in the low bits here and in the high ones there; that of Zig is always in the low ones.
        wrong = [] if target == "x86_64-sysv" else ["p.a", "p.b"]
        assert [one.what for one in found.wrong][:1] == wrong[:1]
        assert found.left == ()


def test_another_target_is_not_compared() -> None:
    found = on("x86_64-sysv")
    assert found.facts
    found = on_target("nvptx64-cuda", ZIG, BINDING)
    assert (found.facts, found.calls) == (0, 0)
    assert "zig-lang is not here" in found.why


def test_a_file_that_is_no_zig(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="cannot be compiled: expected"):
        on(
            "x86_64-sysv",
            planted(tmp_path, BINDING, ("pub const Z_OK = @as(c_int, 0);", "pub const Z_OK = ;")),
        )


def test_errors_lead_to_lines() -> None:
    words = "u.zig:9:1: error: no\nu.zig:12:3: note: called\nu.zig:20:1: error: never\n  x: u.zig:12:3\n"
    assert dict(blamed(words)) == {9: "zig: no", 12: "zig: no", 20: "zig: never"}


def test_lines() -> None:
    lines = lines_of(
        'pub const struct_s = extern struct {\n    @"type": u8,\n};\npub extern fn f(a: u8) void;'
    )
    assert lines == {"struct_s": 1, "s": 1, "struct_s.type": 2, "f": 4}
