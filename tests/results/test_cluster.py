"""Traits, and the clusters that they describe."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from abiprobe.harness.declarations import read
from abiprobe.oracles.question import Question
from abiprobe.results.blame import Blame, Stand
from abiprobe.results.cluster import Cluster, Finding, cluster
from abiprobe.results.fingerprint import Fingerprint, Symptom
from abiprobe.results.traits import described, traits

RISCV, X86 = "riscv64-lp64d", "x86_64-sysv"


def declared(text: str) -> Question:
    found = read(text, filename="t.h", triple="x86_64-linux-gnu")
    return (found.functions or found.records[-1:])[-1]


TRAITS = [
    ("struct S { float a; int : 0; float b; };", {"struct", "zero-width bit-field"}),
    ("union U { int : 3; };", {"union", "unnamed bit-field"}),
    ("struct S { unsigned char a : 3; };", {"struct", "bit-field"}),
    ("struct S { float a; int z[0]; };", {"struct", "zero-length array"}),
    ("struct S { float a; int z[]; };", {"struct", "flexible array"}),
    ("struct E {}; struct S { struct E a[2]; };", {"struct", "array of empty elements"}),
    ("struct S { char a[3][0]; };", {"struct", "array of empty elements"}),
    ("struct E {}; struct S { struct E a; };", {"struct", "empty record"}),
    ("struct S { int a; } __attribute__((packed));", {"struct", "packed record"}),
    ("void f(short a);", {"integer narrower than int"}),
    ("void f(_BitInt(65) a, _BitInt(7) b);", {"_BitInt wider than 64 bits", "_BitInt"}),
    (
        "typedef long double T __attribute__((aligned(64))); void f(T a);",
        {"typedef with an alignment of its own", "long double"},
    ),
    (
        "enum E { A, B = 255 } __attribute__((packed)); void f(enum E a);",
        {"packed enumeration", "integer narrower than int"},
    ),
    (
        "union U { int : 0; }; void f(struct { union U a; float b; } c);",
        {"struct", "union", "empty record", "zero-width bit-field", "record in a record"},
    ),
    ("void f(int a, double b, void *c);", set()),
]


@pytest.mark.parametrize(("text", "expected"), TRAITS, ids=[row[0] for row in TRAITS])
def test_traits_name_what_is_unusual(text: str, expected: set[str]) -> None:
    assert traits(declared(text)) == expected


def test_traits_of_the_value_that_is_blamed() -> None:
    function = declared("_Bool f(short a, __int128 b, long c);")
    assert traits(function, "b") == {"__int128"}
    assert traits(function, "c") == traits(function)
    moved = declared("struct S { float a; int : 0; }; struct S f(__int128 a, long double b);")
    assert traits(moved, "a") == {"struct", "zero-width bit-field", "__int128"}
    assert traits(function, "result") == {"integer narrower than int"}


def test_traits_as_a_phrase() -> None:
    assert described({"struct", "zero-width bit-field"}) == "struct with zero-width bit-field"
    assert described({"union"}) == "a plain union"
    assert described({"_BitInt"}) == "_BitInt"
    assert described(()) == "any types"


def finding(
    text: str,
    clause: str,
    *deviating: str,
    probes: tuple[str, ...] = ("p",),
    target: str = RISCV,
    symptom: Symptom = Symptom.MISPLACED,
    steady: bool = True,
) -> Finding:
    question = declared(text)
    return Finding(
        Fingerprint(target, symptom, clause),
        question,
        len(str(question)),
        traits(question),
        Blame(Stand.ALONE, deviating, ("tcc",)),
        "O2",
        "confirmed",
        steady,
        probes,
        dict.fromkeys(deviating, len(probes)),
    )


ZERO = "struct S { float a; int : 0; float b; }; "
PASSED = finding(ZERO + "void f(struct S a);", "riscv:zero", "clang-22", probes=("p", "q"))
RETURNED = finding(ZERO + "struct S f(void);", "riscv:zero", "clang-22", probes=("q", "r"))
UNION = finding("union U { int : 0; float a; }; void f(union U a);", "x86:zero", "gcc-12", target=X86)
LAYOUT = finding("struct S { int a; _BitInt(65) b; };", "riscv:type", "clang-22", symptom=Symptom.LAYOUT)
FOLLOWS = finding("void f(struct { int a; _BitInt(65) b; } a);", "riscv:int", "clang-22")


def one(*findings: Finding) -> Cluster:
    (found,) = cluster(findings)
    return found


def test_the_same_traits_of_the_same_subjects_are_one_cause() -> None:
    found = one(RETURNED, PASSED)
    assert found.traits == ("struct", "zero-width bit-field")
    assert found.probes == 3
    assert found.subjects == {"clang-22": 3}
    assert found.clauses == ("riscv:zero",)


def test_other_compilers_mean_another_cause() -> None:
    assert len(cluster([PASSED, UNION])) == 2


def test_more_around_a_cause_adds_nothing() -> None:
    more = finding(
        "struct S { float a; int : 0; char b[0]; }; void f(struct S a);", "riscv:other", "clang-22"
    )
    assert one(more, PASSED).first == PASSED


def test_who_agrees_with_the_text_has_not_that_cause() -> None:
    vector = "struct S { int a __attribute__((vector_size(16))); };"
    packed = "struct S { char a __attribute__((vector_size(8), packed)); };"
    everybody = finding(vector, "riscv:vector", "clang-22", "gcc-12", symptom=Symptom.LAYOUT)
    alone = finding(packed, "gnu:packed", "gcc-12", symptom=Symptom.LAYOUT)
    assert everybody.traits <= alone.traits
    assert (
        len(cluster([everybody, replace(alone, blame=Blame(Stand.ALONE, ("gcc-12",), ("clang-22",)))])) == 2
    )


def test_who_agrees_by_chance_does_not_part_a_cause() -> None:
    vector = "struct S { int a; int b __attribute__((vector_size(16))); };"
    wide = "struct S { __int128 a; int b __attribute__((vector_size(32))); };"
    everybody = finding(vector, "riscv:type", "clang-22", "gcc-12", symptom=Symptom.LAYOUT)
    alone = finding(wide, "riscv:type", "clang-22", symptom=Symptom.LAYOUT)
    lucky = replace(alone, blame=Blame(Stand.ALONE, ("clang-22",), ("gcc-12",)))
    assert one(everybody, lucky).id == one(everybody).id
    elsewhere = replace(lucky, fingerprint=Fingerprint(RISCV, Symptom.LAYOUT, "riscv:other"))
    assert len(cluster([everybody, elsewhere])) == 2
    older = replace(lucky, blame=Blame(Stand.ALONE, ("clang-22",), ("clang-13",)))
    both = replace(everybody, blame=Blame(Stand.ALONE, ("clang-13", "clang-22")))
    assert len(cluster([both, older])) == 2


def test_every_way_to_pack_is_one() -> None:
    on_record = finding(
        "struct S { char a; int b[0]; } __attribute__((packed)); void f(struct S a);", "x", "gcc-12"
    )
    on_member = finding(
        "struct S { char a; int b[0] __attribute__((packed)); }; void f(struct S a);", "x", "gcc-12"
    )
    assert one(on_record, on_member).probes == 1
    assert one(on_record).id == one(on_member).id


def test_on_another_target_the_traits_must_be_the_same() -> None:
    there = replace(RETURNED, fingerprint=Fingerprint(X86, Symptom.MISPLACED, "x86:zero"))
    more = finding(
        "struct S { float a; int : 0; char b[0]; }; void f(struct S a);", "x86:o", "clang-22", target=X86
    )
    assert one(PASSED, there).targets == (RISCV, X86)
    assert len(cluster([PASSED, more])) == 2
    assert one(PASSED, there, more).probes == 5


def test_a_call_follows_from_a_layout_and_not_the_other_way() -> None:
    assert one(FOLLOWS, LAYOUT).symptom is Symptom.LAYOUT
    unlike = finding("struct S { int a; short b; };", "riscv:type", "clang-22", symptom=Symptom.LAYOUT)
    assert len(cluster([PASSED, unlike])) == 2


def test_what_more_compilers_do_on_another_target_is_one_cause() -> None:
    flexible = "struct S { float a; int b[]; }; void f(struct S a);"
    everybody = finding(flexible, "riscv:flat", "clang-22", "gcc-12")
    assert one(finding(flexible, "x86:none", "clang-22", target=X86), everybody).targets == (RISCV, X86)


def test_versions_that_are_not_to_blame_for_a_cause_are_another() -> None:
    old = finding("void f(long a, __int128 b);", "x86:whole", "clang-14", target=X86)
    new = finding("void f(long a, __int128 b, long c);", "x86:integer", "clang-19", target=X86)
    first, second = cluster([old, new])
    assert first.id != second.id


def test_the_identity_does_not_depend_on_versions_examples_or_order() -> None:
    again = finding(
        "struct S { int a; double b; int : 0; }; void f(struct S a);", "riscv:zero", "clang-23", probes=("z",)
    )
    assert one(PASSED, RETURNED).id == one(RETURNED, PASSED).id == one(again).id


def test_what_is_flaky_explains_nothing_and_comes_last() -> None:
    flaky = replace(PASSED, steady=False)
    found = cluster([flaky, RETURNED])
    assert [item.first.steady for item in found] == [True, False]


def test_two_causes_at_once_are_none_of_their_own() -> None:
    gcc = finding("struct S { float a; char b[0]; }; void f(struct S a);", "riscv:length", "gcc-12")
    both = finding(
        "struct S { int : 0; float a; char b[0]; }; void f(struct S a);",
        "riscv:zero",
        "clang-22",
        "gcc-12",
        probes=("z",),
    )
    found = cluster([both, gcc, PASSED])
    assert len(found) == 2
    assert all("z" in {name for one in item.findings for name in one.probes} for item in found)
    assert all(len({one.blame.families for one in item.findings}) == 1 for item in found)


def test_a_crash_is_known_by_its_words() -> None:
    empty = finding("void f(union { int a; } a);", "", "clang-22", symptom=Symptom.CRASHED)
    array = finding("void f(short a);", "", "clang-22", symptom=Symptom.CRASHED, target=X86)
    said = [
        replace(item, fingerprint=replace(item.fingerprint, words="crash in f")) for item in (empty, array)
    ]
    assert len(cluster(said)) == 1
    other = replace(array, fingerprint=replace(array.fingerprint, words="crash in g"))
    assert len(cluster([*said, other])) == 2
