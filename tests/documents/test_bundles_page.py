"""What is new, gone and stays, from entries and from the rows of bundles."""

from __future__ import annotations

import importlib.util
from types import ModuleType

from abiprobe.results.known.deviations import Known, parse

from .snippets import ROOT

BENCHMARK = ROOT / "benchmarks" / "bundles.py"
ENTRIES = (
    ("old", "x86_64-sysv", "clang<20", "misplaced"),
    ("gone", "x86_64-sysv", "clang<24", "misplaced"),
    ("stays", "x86_64-*", "clang>=14", "misplaced"),
    ("new and gone again", "x86_64-sysv", "clang==23", "misplaced"),
    ("new", "riscv64*", "gcc>=14", "misplaced"),
    ("open, and seen until clang 23", "i386-sysv", 'clang", "gcc', "differs"),
    ("open, and seen in all", "i386-sysv", 'clang", "gcc', "differs"),
)
SIDES = "".join(f'[[deviation.sides]]\nsubjects = ["{family}"]\n' for family in ("clang", "gcc"))
BUNDLES = (
    {"cause": "stays", "shown by": "clang 14 to clang 23"},
    {"cause": "open, and seen until clang 23", "shown by": "clang 14 to clang 23; gcc 12 to gcc 16"},
    {"cause": "open, and seen in all", "shown by": "clang 14 to clang 24; gcc 12 to gcc 16"},
)
CHANGES = [
    ("clang", "gone", "gone", "x86-64"),
    ("clang", "stays", "stays", "x86-64, Windows"),
    ("gcc", "new", "new", "RISC-V"),
    ("no text decides", "gone", "open, and seen until clang 23", "i386"),
    ("no text decides", "stays", "open, and seen in all", "i386"),
]
COUNTED = {
    "RISC-V": {"gcc: new": 1},
    "x86-64": {"clang: gone": 1, "clang: stays": 1},
    "Windows": {"clang: stays": 1},
    "i386": {"no text decides: gone": 1, "no text decides: stays": 1},
    "all, each once": {
        "gcc: new": 1,
        "clang: gone": 1,
        "clang: stays": 1,
        "no text decides: gone": 1,
        "no text decides: stays": 1,
    },
}


def known() -> Known:
    return parse(
        "\n".join(
            f'[[deviation]]\nname = "{name}"\ntargets = ["{target}"]\nsubjects = ["{subjects}"]\n'
            f'shows."{symptom}" = ["a:b"]\nstatus = "bug"\nreason = "r"\nlink = "unreported"\n'
            'since = 2026-11-23\nexample = "void f(void);"\n' + (SIDES if symptom == "differs" else "")
            for name, target, subjects, symptom in ENTRIES
        ),
        "known.toml",
    )


def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bundles_of_known", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_new_gone_and_stays_is_counted() -> None:
    made = benchmark()
    rows = list(made.changes(known().entries, BUNDLES))
    assert [tuple(row.values()) for row in rows] == CHANGES
    counted = {row.pop("targets"): row for row in made.counted(rows)}
    assert {
        group: {name: int(count) for name, count in row.items() if count != "0"}
        for group, row in counted.items()
    } == COUNTED
    assert {len(row) for row in counted.values()} == {9}


def test_rules_are_told_in_words() -> None:
    told = benchmark().in_words
    assert told(("clang_22-O0", "clang_24-O0", "gcc_12-O2")) == "clang 22, clang 24 -O0; gcc 12 -O2"
    assert told(("a_1-O0-calls-b_2-O0", "b_2-O0-calls-a_1-O0")) == "a 1 with b 2, both ways"
    assert told(("b_2-O0-calls-a_1-O0",)) == "the caller of b 2 with the callee of a 1"
    assert told(("a_1-O0-calls-a_1-O0",)) == "a 1 with itself"
    assert told(("a_1-O0-beside-b_2-O0",)) == "a 1 beside b 2 -O0"
    assert told(()) == "-"
