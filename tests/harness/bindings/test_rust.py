"""Bindings in Rust: one that says what its header says, and planted faults, each of which is told with its line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from skipping import needs_executor

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.binding import Bits
from abiprobe.harness.bindings.checking import OnTarget
from abiprobe.harness.bindings.rust_cfg import Conditions
from abiprobe.harness.bindings.rust_text import RustText
from abiprobe.harness.subjects.find import parse_subject

from .holding import HEADER, line_of, on_target, planted

pytest.importorskip("tree_sitter_rust", reason="tree-sitter-rust is not installed")

HERE = Path(__file__).parent
BINDING = HERE / "library.rs"
LINUX = Conditions('unix\ntarget_os="linux"\ntarget_arch="x86_64"')


def on(target: str, binding: Path, header: Path = HEADER) -> OnTarget:
    """A binding held against its header on a target; skips where rustc, or what runs programs, is missing."""
    if not shutil.which("rustc"):
        pytest.skip("rustc is not installed")
    needs_executor(target)
    return on_target(target, parse_subject("rustc"), binding, header)


@pytest.mark.parametrize("target", ["x86_64-sysv", "i386-sysv", "s390x", "riscv64-lp64d"])
def test_a_binding_that_says_what_its_header_says(target: str) -> None:
    found = on(target, BINDING)
    assert (found.wrong, found.left, found.lacks, found.why) == ((), (), (), "")
    assert found.calls == 5
    assert found.facts > 40


FAULTS = [
    ("pub avail_in: uInt", "pub avail_in: u16", "pub avail_in", "z_stream_s.avail_in", "2 bytes", "4 bytes"),
    ("    pub msg: *const c_char,\n", "\n", "pub struct z_stream_s", "z_stream_s.msg", "no such member", ""),
    ("get(3usize, 5u8)", "get(24usize, 5u8)", "pub _bitfield_1", "flags.level", "at bit 32", "at bit 11"),
    ("get(3usize, 5u8)", "get(3usize, 4u8)", "pub _bitfield_1", "flags.level", "4 bits wide", "5"),
    ("c_short; 3usize", "c_short; 2usize", "pub extra", "flags.extra", "4 bytes", "6 bytes"),
    ("c_short; 3usize", "c_short; 4usize", "pub extra", "flags.extra", "8 bytes", "6 bytes"),
    ("Z_HUFFMAN_ONLY = 2", "Z_HUFFMAN_ONLY = 3", "Z_HUFFMAN_ONLY", "Z_HUFFMAN_ONLY", "3", "2"),
    ("#[repr(u32)]", "#[repr(u8)]", "pub enum strategy", "enum strategy", "1 byte", "4 bytes"),
    ("uLong = c_ulong", "uLong = i32", "type uLong", "uLong", "4 bytes", "8 bytes"),
    ("1.2.13\\0", "1.2.14\\0", "ZLIB_VERSION", "ZLIB_VERSION", '"1.2.14"', '"1.2.13"'),
    ("DATA_ERROR: i32 = -3", "DATA_ERROR: u32 = 3", "DATA_ERROR", "Z_DATA_ERROR", "3", "-3"),
    ("flush: c_int)", "flush: c_int, x: u8)", "fn deflate", "deflate", "3 parameters", "2"),
    ("flush: c_int) -> c_int", "flush: c_int)", "fn deflate", "deflate", "returns nothing", "a value"),
    ("char, ...)", "char)", "fn gzprintf", "gzprintf", "not variadic", "variadic"),
    ("length: usize)", "length: u32)", "fn sum", "crc32", "length in rdx", ""),
    ("flags, good", "*const flags, good", "fn tuned", "tuned", "flags in stack+8", ""),
]


@pytest.mark.parametrize(("old", "new", "line", "what", "said", "expected"), FAULTS)
def test_a_planted_fault(
    tmp_path: Path, old: str, new: str, line: str, what: str, said: str, expected: str
) -> None:
    found = on("x86_64-sysv", planted(tmp_path, BINDING, (old, new)))
    faults = [
        one for one in found.wrong if one.what == what and said in one.said and expected in one.expected
    ]
    assert faults, found.wrong
    assert faults[0].line == line_of(BINDING, line)


def test_long_as_i32_is_wrong_where_long_has_64_bits(tmp_path: Path) -> None:
    path = tmp_path / "library.rs"
    path.write_text(BINDING.read_text().replace("uLong = c_ulong", "uLong = u32"))
    assert on("i386-sysv", path).wrong == ()
    wrong = on("riscv64-lp64d", path).wrong
    assert {"uLong", "crc32"} <= {one.what for one in wrong}


def test_bit_fields_behind_a_char_in_a_unit_of_their_own(tmp_path: Path) -> None:
    """As bindgen wrote them (rust-bindgen#3105): where C continues in the unit of the char, the binding begins another."""
    text = BINDING.read_text().replace("_bitfield_align_1: [u8; 0]", "_bitfield_align_1: [u32; 0]")
    path = tmp_path / "library.rs"
    path.write_text(text)
    wrong = {(one.what, one.said, one.expected) for one in on("x86_64-sysv", path).wrong}
    assert ("flags.text", "at bit 32", "at bit 8") in wrong


OLD = """\
#!/bin/sh
for word; do
    if test -f "$word" && grep -qs "mod binding" "$word"; then
        printf 'error: attributes starting with `rustc` are reserved\\n --> unit.rs:2:5\\n' >&2
        exit 1
    fi
done
exec rustc "$@"
"""


def test_a_rustc_that_is_too_old_is_named(tmp_path: Path) -> None:
    if not shutil.which("rustc"):
        pytest.skip("rustc is not installed")
    old = tmp_path / "rustc"
    old.write_text(OLD)
    old.chmod(0o755)
    with pytest.raises(Problem, match="compiles no binding: attributes starting with `rustc`") as told:
        on_target("x86_64-sysv", parse_subject(f"rustc:{old}"), BINDING, HEADER)
    assert "newer" in told.value.hint


def test_what_cannot_be_asked_is_no_agreement(tmp_path: Path) -> None:
    text = BINDING.read_text().replace("uLong = c_ulong", "uLong = other::Unknown")
    path = tmp_path / "library.rs"
    path.write_text(text)
    found = on("x86_64-sysv", path)
    left = {one.name: one.why for one in found.left}
    assert "Unknown" in left["uLong"] or "other" in left["uLong"]
    assert "crc32" in left
    assert found.calls == 3


def read(text: str, conditions: Conditions = LINUX) -> RustText:
    """A text of Rust that is read."""
    return RustText("lib.rs", text.encode(), conditions)


def test_every_item_stays_on_its_line() -> None:
    text = BINDING.read_text()
    left = read(text).text.decode()
    assert left.count("\n") == text.count("\n")
    for word in ("pub struct flags ", "fn zlibVersion", "Z_HUFFMAN_ONLY"):
        (there,) = [number for number, line in enumerate(left.splitlines(), 1) if word in line]
        assert there == line_of(BINDING, word)
    assert "derive" not in left
    assert "transmute" not in left


def test_accessors_tell_bits() -> None:
    assert read(BINDING.read_text()).binding.types["flags"].bits == {
        "text": Bits("_bitfield_1", 0, 3),
        "level": Bits("_bitfield_1", 3, 5),
    }


@pytest.mark.parametrize(
    ("predicate", "holds"),
    [
        ("unix", True),
        ("windows", False),
        ('target_os = "linux"', True),
        ('not(target_os = "macos")', True),
        ('all(unix, not(target_arch = "x86_64"))', False),
        ('any(windows, all(unix, target_arch = "x86_64"),)', True),
        ("all()", True),
        ("any()", False),
        ('version("1.89")', True),
    ],
)
def test_conditions(predicate: str, holds: bool) -> None:  # noqa: FBT001
    assert LINUX.hold(predicate) is holds
    there = "f" in read(f'extern "C" {{ #[cfg({predicate})] fn f(); }}').binding.functions
    assert there is holds


def test_a_layout_under_a_condition_is_kept() -> None:
    text = (
        "#[cfg_attr(unix, repr(C, align(16)))] pub struct A(u8);\n#[cfg_attr(windows, repr(C))] struct B(u8);"
    )
    left = read(text).text.decode()
    assert "#[repr(C, align(16))]" in left
    assert "repr(C))" not in left


def test_numbers_in_a_struct_are_read_through_it() -> None:
    """As bindgen writes enumerations with `--newtype-enum`, before the struct."""
    text = "impl E { pub const A: E = E(1); }\n#[repr(transparent)] pub struct E(pub u32);"
    assert read(text).binding.constants["E::A"].value == "binding::E::A.0 as i128"
