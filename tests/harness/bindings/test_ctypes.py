"""Bindings with ctypes: one that says what its header says, and planted faults, each of which is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.checking import OnTarget
from abiprobe.harness.subjects.families.libraries import here
from abiprobe.harness.subjects.find import parse_subject

from .holding import line_of, on_target, planted

HERE = Path(__file__).parent
BINDING = HERE / "library.py"
TARGET = "x86_64-sysv"


def on(binding: Path, target: str = TARGET) -> OnTarget:
    """A binding held against its header; skips where this Python is of another target."""
    if target == TARGET and not here(target):
        pytest.skip(f"no Python for {target}")
    return on_target(target, parse_subject("ctypes"), binding)


def test_a_binding_that_says_what_its_header_says() -> None:
    found = on(BINDING)
    assert (found.wrong, found.left, found.lacks) == ((), (), ("enum strategy",))
    assert (found.calls, found.why) == (5, "")
    assert found.facts > 35


FAULTS = [
    ('("avail_in", uInt)', '("avail_in", c_short)', "z_stream_s.avail_in", "2 bytes", "4 bytes"),
    ('        ("msg", c_char_p),\n', "\n", "z_stream_s.msg", "no such member", ""),
    ('("level", c_ubyte, 5)', '("level", c_ubyte, 4)', "flags.level", "4 bits wide", "5"),
    ('("extra", c_short * 3)', '("extra", c_short * 2)', "flags.extra", "4 bytes", "6 bytes"),
    ("Z_HUFFMAN_ONLY = 2", "Z_HUFFMAN_ONLY = 3", "Z_HUFFMAN_ONLY", "3", "2"),
    ("uLong = c_ulong", "uLong = c_int", "uLong", "4 bytes", "8 bytes"),
    ('"1.2.13"', '"1.2.14"', "ZLIB_VERSION", "1.2.14", "1.2.13"),
    (
        "c_size_t]",
        "c_int]",
        "crc32",
        "parameter 3 is a signed integer of 4 bytes",
        "unsigned integer of 8 bytes",
    ),
    ("tuned.restype = flags", "tuned.restype = c_int", "tuned", "the result is a signed integer", "record"),
    ("flags, c_short, c_int", "flags, c_int", "tuned", "2 parameters", "3"),
    ("zlibVersion.restype = c_char_p", "zlibVersion.restype = None", "zlibVersion", "no result", "one"),
]


@pytest.mark.parametrize(("old", "new", "what", "said", "expected"), FAULTS)
def test_a_planted_fault(tmp_path: Path, old: str, new: str, what: str, said: str, expected: str) -> None:
    found = on(planted(tmp_path, BINDING, (old, new)))
    faults = [
        one for one in found.wrong if one.what == what and said in one.said and expected in one.expected
    ]
    assert faults, found.wrong
    if what.startswith(("z_stream_s.avail", "flags", "Z_", "uLong", "ZLIB")):
        assert faults[0].line == line_of(BINDING, old)


def test_a_function_without_argtypes_is_no_agreement(tmp_path: Path) -> None:
    found = on(planted(tmp_path, BINDING, ("lib.deflate.argtypes = [POINTER(z_stream), c_int]\n", "")))
    assert [(one.name, one.why) for one in found.left] == [("deflate", "the binding gives it no argtypes")]
    assert found.calls == 4


def test_what_a_class_makes_of_a_value_is_not_known(tmp_path: Path) -> None:
    text = "class Text(Union):\n    _fields_ = [('raw', c_char_p)]\n    from_param = classmethod(lambda own, value: value)\n"
    changes = (
        ("lib = CDLL(", f"{text}lib = CDLL("),
        ("gzprintf.argtypes = [c_char_p]", "gzprintf.argtypes = [Text]"),
    )
    path = planted(tmp_path, BINDING, *changes)
    found = on(path)
    (left,) = found.left
    assert (left.name, found.wrong, found.calls) == ("gzprintf", (), 4)
    assert left.why.startswith("parameter 1 has a type of which")


@pytest.mark.parametrize(
    ("new", "left"),
    [("c_char * 9, c_int", ()), ("value, c_int", ("deflate",))],
)
def test_arrays_are_addresses_and_records_of_that_size_may_be(
    tmp_path: Path, new: str, left: tuple[str, ...]
) -> None:
    found = on(planted(tmp_path, BINDING, ("POINTER(z_stream), c_int", new)))
    assert found.wrong == ()
    assert tuple(one.name for one in found.left) == left


def test_another_target_is_not_compared() -> None:
    found = on(BINDING, "s390x")
    assert (found.facts, found.calls) == (0, 0)
    assert "ctypes is not here" in found.why


@pytest.mark.parametrize(
    ("text", "words"), [("import none_such\n", "none_such"), ("lib.f()\n", "f is called")]
)
def test_a_file_that_cannot_be_imported(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "library.py"
    path.write_text(f"from ctypes import CDLL\nlib = CDLL('z')\n{text}")
    with pytest.raises(Problem, match=words):
        on(path)
