"""cffi as a subject: what it lays out, what it cannot read, and what happens when it breaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.machines.render.cdef import cdefs, steps
from abiprobe.harness.subjects.families.libraries import CFFI
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome
from tests.harness.observers.foreign.asking import wrapper

from .conftest import X86, put, records

OBJECT = (ProbeKind.LAYOUT,)
RISCV = "riscv64-lp64d"


@pytest.fixture(autouse=True)
def _present() -> None:
    if not installed(parse_subject("cffi"), (find_target(X86),)):
        pytest.skip("cffi is not installed on an x86-64 Linux")


AGREEING = [
    "struct S { char a; long b; double c[2][3]; void (*f)(void); long double d; };",
    "struct S { int a : 3, b : 9; long c : 40; _Bool d : 1; int : 0; char e; };",
    "union S { int a; char b[7]; long long c : 33; };",
    "struct S { char a; struct { short b; union { int c; char d : 2; }; }; char e[]; };",
    "struct In { char a; int b : 5; }; struct S { struct In in[2]; char c; };",
    "struct S { char a; int b; } __attribute__((packed));",
    "struct In { char a; int b; }; struct S { char c; struct In in; } __attribute__((packed));",
    "#pragma pack(push, 2)\nstruct S { char a; long b; };\n#pragma pack(pop)",
    "enum E { A = -1, B = 5 }; struct S { char a; enum E e; };",
]


@pytest.mark.parametrize("text", AGREEING)
def test_it_lays_out_plain_records_as_the_text_does(text: str) -> None:
    verdicts = put("cffi", records(text), witnesses=OBJECT)
    assert verdicts["S", "layout"].verdict is Judgement.AGREES


UNSUPPORTED = [
    ("struct S { char a; int b __attribute__((packed)); };", "cannot parse"),
    ("struct S { int a; } __attribute__((aligned(16)));", "cannot parse"),
    ("struct S { int v __attribute__((vector_size(16))); };", "cannot parse"),
    ("struct S { __int128 a; };", "Unsupported type"),
    ("struct S { _BitInt(7) a; };", "parse error"),
    (
        "#pragma pack(push, 1)\nstruct S { char a; int b __attribute__((packed)); };\n#pragma pack(pop)",
        "CDefError",
    ),
]


@pytest.mark.parametrize(("text", "words"), UNSUPPORTED)
def test_what_it_cannot_read_is_unsupported_in_its_words(text: str, words: str) -> None:
    verdict = put("cffi", records(text), witnesses=OBJECT)["S", "layout"]
    assert verdict.outcome is Outcome.UNSUPPORTED
    assert words in verdict.detail


def test_it_ignores_an_alignment_specifier() -> None:
    verdict = put("cffi", records("struct S { char a; _Alignas(16) int b; };"), witnesses=OBJECT)[
        "S", "layout"
    ]
    assert verdict.verdict is Judgement.DEVIATES
    assert "b in bits: expected 128:32, saw 32:32" in verdict.detail


def test_it_has_no_other_witness() -> None:
    verdicts = put("cffi", records(AGREEING[0]))
    others = [verdict for (_, kind), verdict in verdicts.items() if kind != "layout"]
    assert {verdict.outcome for verdict in others} == {Outcome.UNSUPPORTED}


def test_it_serves_the_machine_it_runs_on() -> None:
    assert not installed(parse_subject("cffi"), (find_target(RISCV),))


def test_its_version_is_its_identity() -> None:
    built = build(parse_subject("cffi"), find_target(X86), "O0")
    assert built is not None
    assert identity(built.command).version.startswith("cffi ")


def test_it_takes_no_options() -> None:
    verdict = put("cffi -fshort-enums", records(AGREEING[0]), witnesses=OBJECT)["S", "layout"]
    assert (verdict.outcome, verdict.detail) == (Outcome.REFUSED, "error: cffi takes no options")


CRASHING = """\
import json, os, sys
if sys.argv[1:] == ["--version"]:
    sys.exit(print("cffi that crashes"))
asked = json.load(sys.stdin)
if any("odd" in text for each in asked for text, _ in each["definitions"]):
    os.abort()
json.dump([{"size": 4, "align": 4, "places": [[0, None]]} for each in asked], sys.stdout)
"""


def test_a_crash_costs_one_record(tmp_path: Path) -> None:
    program = wrapper(tmp_path, CRASHING, CFFI)
    asked = records("struct A { int a; }; struct B { int odd; }; struct C { float c; };")
    verdicts = put(f"cffi:{program}", asked, witnesses=OBJECT)
    assert verdicts["B", "layout"].outcome is Outcome.CRASHED
    assert verdicts["A", "layout"].verdict is verdicts["C", "layout"].verdict is Judgement.AGREES


def test_settings_reach_as_far_as_the_attributes_they_stand_for() -> None:
    text = "struct In { char a; int b; }; struct S { struct In in; char c; } __attribute__((packed));"
    parts = [(part.text, part.packed) for part in cdefs(records(text)[-1])]
    assert parts == [("struct In { char a; int b; };", False), ("struct S { struct In in; char c; };", True)]


def test_the_steps_of_a_path() -> None:
    assert steps("in[0].b[12].c3") == ["in", 0, "b", 12, "c3"]
