"""Compilers that are wrong on exactly one clause: the blame falls on that clause, and on the question that it decides."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.results.verdicts.record import Judgement

from .putting import Ask

RISCV, X86, I386, MS = "riscv64-lp64d", "x86_64-sysv", "i386-sysv", "x86_64-ms"
TRIPLES = {
    RISCV: "riscv64-linux-gnu",
    X86: "x86_64-linux-gnu",
    MS: "x86_64-linux-gnu",
    I386: "i386-linux-gnu",
}
CALLS = """
    struct One { double only; };
    struct Reals { float left; float right; };
    struct Mixed { float real; int whole; };
    struct Words { long low; long high; };
    struct Small { short near; short far; };
    struct Large { long first; long second; long third; };
    struct Half { double first; long last; };
    struct Deep { struct { float inner; } out; };
    void one(struct One a);
    void reals(struct Reals a);
    void mixed(struct Mixed a);
    void words(struct Words a);
    void small(struct Small a);
    void large(struct Large a);
    void half(struct Half a);
    void deep(struct Deep a);
    void real(double solo);
    void whole(long alone);
    void narrow(signed char thin);
    struct Words give_words(void);
    struct Reals give_reals(void);
    struct Large give_large(void);
    double give_real(void);
"""
RECORDS = """
    struct Packed { char p1; int p2; } __attribute__((packed));
    struct Aligned { char a1; int a2 __attribute__((aligned(32))); };
    #pragma pack(push, 2)
    struct Pragma { char m1; int m2; };
    #pragma pack(pop)
    struct Plain { char r1; int r2; };
    union Either { char u1; int u2; };
    struct Fields { int f1 : 3; int f2 : 20; };
    struct Typed { char t1; double t2; };
"""
NO_ALIAS = r"struct {0}_(\d+) {{[^}}]*}} => struct {0}_\1 {{ {1} }}"


def body(name: str, members: str) -> str:
    """The struct is taken for one of other members."""
    return NO_ALIAS.format(name, members)


CALL_LIES = [
    (RISCV, "one", body("One", "long only;"), "riscv:fp.one-real"),
    (RISCV, "mixed", body("Mixed", "int real, whole;"), "riscv:fp.real-and-integer"),
    (RISCV, "words", body("Words", "double low, high;"), "riscv:int.aggregate-pair"),
    (RISCV, "small", body("Small", "float both;"), "riscv:int.aggregate"),
    (RISCV, "large", body("Large", "long first, second;"), "riscv:int.aggregate-reference"),
    (RISCV, "deep", body("Deep", "int out;"), "riscv:fp.flatten"),
    (RISCV, "real", r"double( solo|\)\)|\s?\*\)\(abi_in) => long\1", "riscv:fp.real"),
    (X86, "mixed", body("Mixed", "float real, whole;"), "x86_64:pass.integer"),
    (X86, "half", body("Half", "long first, last;"), "x86_64:pass.sse"),
    (X86, "large", body("Large", "long first, second;"), "x86_64:pass.memory"),
    (X86, "small", body("Small", "float both;"), "x86_64:pass.integer"),
    (X86, "one", body("One", "long only;"), "x86_64:pass.sse"),
    (MS, "words", body("Words", "long low;"), "ms:pass.reference"),
    (MS, "one", body("One", "long only, other;"), "ms:pass.aggregate"),
]
LAYOUT_LIES = [
    ("Packed", r"(p2;[^}]*\}) __attribute__\(\(packed\)\) => \1", "gnu:packed"),
    ("Aligned", r"a2 __attribute__\(\(aligned\(32\)\)\) => a2", "gnu:aligned"),
    ("Pragma", r"pack\(push, 2\) => pack(push, 1)", "gnu:pragma-pack"),
    ("Plain", r"int r2; => int r2 __attribute__((packed));", "type.record"),
    ("Either", r"int u2; => int u2[2];", "type.union"),
    ("Fields", r"int f2 ?: ?20 => int : 2; int f2 : 20", "bits.storage-unit"),
    ("Typed", r"double t2; => double t2 __attribute__((packed));", "type.record"),
]
OTHERWISE_CALLED = {(RISCV, "bits.storage-unit"): "bits.packing"}
"""What another document calls the same clause."""


def calls(target: str) -> tuple[Prototype, ...]:
    return read(CALLS, filename="t.h", triple=TRIPLES[target]).functions


def records(target: str) -> tuple[Record, ...]:
    return read(RECORDS, filename="t.h", triple=TRIPLES[target]).records


@pytest.mark.parametrize(("target", "name", "lie", "clause"), CALL_LIES)
def test_a_call_wrong_by_one_clause(
    monkeypatch: pytest.MonkeyPatch, lied: Ask, target: str, name: str, lie: str, clause: str
) -> None:
    monkeypatch.setenv("ABIPROBE_TESTS_REWRITE", lie)
    # Where clang puts what an ms_abi call refers to is as aligned as it happens to be: a finding, and no lie.
    questions = tuple(one for one in calls(target) if target != MS or one.name != "large")
    verdicts = lied("rewrites", target, questions, Limits())
    wrong = {key: one for key, one in verdicts.items() if one.verdict is Judgement.DEVIATES}
    passed = {key[0] for key in wrong if not key[0].startswith("give_")}
    assert passed == {name}
    assert {one.clause for key, one in wrong.items() if key == (name, "caller")} == {clause}


@pytest.mark.parametrize("target", [X86, RISCV, I386])
@pytest.mark.parametrize(("name", "lie", "clause"), LAYOUT_LIES)
def test_a_layout_wrong_by_one_clause(
    monkeypatch: pytest.MonkeyPatch, lied: Ask, target: str, name: str, lie: str, clause: str
) -> None:
    monkeypatch.setenv("ABIPROBE_TESTS_REWRITE", lie)
    verdicts = lied("rewrites", target, records(target), Limits())
    assert {key[0] for key in verdicts} <= {name}
    blamed = {one.clause.partition(":")[2] for one in verdicts.values()}
    clause = OTHERWISE_CALLED.get((target, clause), clause)
    assert blamed <= {clause.partition(":")[2] or clause}
    assert verdicts or (name, target) == ("Typed", I386)
