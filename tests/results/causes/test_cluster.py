"""Traits, and the clusters that they describe."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from abiprobe.harness.input import read
from abiprobe.oracles.language.question import Question
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster, with_names_of
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.traits import described, traits

RISCV, RISCV32, X86 = "riscv64-lp64d", "riscv32-ilp32d", "x86_64-sysv"


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
    ("struct S { char a[3][0]; };", {"struct", "array of empty elements", "zero-length array"}),
    (
        "struct E { int a[]; }; struct S { struct E a[2]; };",
        {"struct", "array of empty elements", "flexible array"},
    ),
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


def test_on_another_target_of_a_document_the_traits_must_be_the_same() -> None:
    there = replace(RETURNED, fingerprint=Fingerprint(RISCV32, Symptom.MISPLACED, "riscv:zero"))
    more = finding(
        "struct S { float a; int : 0; char b[0]; }; void f(struct S a);",
        "riscv:o",
        "clang-22",
        target=RISCV32,
    )
    assert one(PASSED, there).targets == (RISCV32, RISCV)
    assert one(PASSED, there).id == one(PASSED).id == one(there).id
    assert len(cluster([PASSED, more])) == 2
    assert one(PASSED, there, more).probes == 5


def test_what_departs_from_two_documents_is_two_causes() -> None:
    there = replace(PASSED, fingerprint=Fingerprint(X86, Symptom.MISPLACED, "x86:zero"))
    found = cluster([PASSED, there])
    assert {item.id for item in found} == {one(PASSED).id, one(there).id}
    assert one(PASSED).id != one(there).id


def test_a_call_follows_from_a_layout_and_not_the_other_way() -> None:
    assert one(FOLLOWS, LAYOUT).symptom is Symptom.LAYOUT
    unlike = finding("struct S { int a; short b; };", "riscv:type", "clang-22", symptom=Symptom.LAYOUT)
    assert len(cluster([PASSED, unlike])) == 2


def test_what_more_compilers_do_on_another_target_is_one_cause() -> None:
    flexible = "struct S { float a; int b[]; }; void f(struct S a);"
    everybody = finding(flexible, "riscv:flat", "clang-22", "gcc-12")
    there = finding(flexible, "riscv:flat", "clang-22", target=RISCV32)
    assert one(there, everybody).targets == (RISCV32, RISCV)


SPLIT = finding("void f(long a, __int128 b);", "x86:whole", "clang-14", target=X86)
UNUSED = finding("void f(long a, __int128 b, long c);", "x86:integer", "clang-19", target=X86)


def test_two_bugs_with_the_same_traits_have_two_identities_whatever_else_a_run_has() -> None:
    first, second = cluster([SPLIT, UNUSED])
    assert first.id != second.id
    assert {first.id, second.id} == {one(SPLIT).id, one(UNUSED).id}
    # The rules before gave both the same one, by which a file that somebody keeps may still name them.
    assert set(one(SPLIT).former) & set(one(UNUSED).former)


def test_a_cause_is_found_by_the_identity_of_each_of_its_findings() -> None:
    """Which clause breaks may depend on where a value stands: a run that has one way alone names the cause by it."""
    returned = replace(RETURNED, fingerprint=Fingerprint(RISCV, Symptom.MISPLACED, "riscv:result"))
    both = one(PASSED, returned)
    names = {one(PASSED).id, one(returned).id}
    assert len(names) == 2
    assert both.id in names
    assert all(map(both.is_called, names))
    assert not both.is_called(one(FOLLOWS).id)


def test_a_cause_is_found_by_the_name_that_it_had_before_it_was_reduced() -> None:
    """A large example has more traits, and so another identity, than the small one that it is reduced to."""
    large = finding(
        "struct S { char c; float a; int z[0]; }; void f(struct S a);",
        "riscv:flat",
        "clang-22",
        probes=("l",),
    )
    (told,) = cluster([large])
    small = replace(PASSED, probes=(*PASSED.probes, *large.probes))
    assert not one(small).is_called(told.id)
    other = one(FOLLOWS)
    joined, same = with_names_of([told], [one(small), other])
    assert joined.is_called(told.id)
    assert joined.id == one(small).id
    assert same == other


def test_no_two_causes_of_a_run_have_the_same_identity() -> None:
    again = finding("void f(double a, long b, __int128 c);", "x86:whole", "clang-19", target=X86)
    found = cluster([SPLIT, again, UNUSED, PASSED])
    assert len({item.id for item in found}) == len(found) == 3
    assert one(SPLIT, again).subjects == {"clang-14": 1, "clang-19": 1}


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


def crashing(text: str, words: str, *subjects: str, target: str = RISCV) -> Finding:
    found = finding(text, "", *subjects, symptom=Symptom.CRASHED, target=target)
    return replace(found, fingerprint=replace(found.fingerprint, words=words))


def test_a_crash_is_known_by_its_words() -> None:
    empty = crashing("void f(union { int a; } a);", "crash in f", "clang-22")
    array = crashing("void f(short a);", "crash in f", "clang-22", target=X86)
    other = crashing("void f(short a);", "crash in g", "clang-22", target=X86)
    assert len(cluster([empty, array])) == 1
    assert len(cluster([empty, array, other])) == 2


def test_one_crash_is_one_cause_across_versions_drivers_and_examples() -> None:
    old = crashing("void f(union { int a; } a);", "Cannot select: v8i16 = load", "clang-16")
    new = crashing("void f(short a);", "Cannot select: v8i16 = load", "clang-22", "zig")
    assert one(old, new).id == one(old).id == one(new).id
    assert one(old, new).subjects == {"clang-16": 1, "clang-22": 1, "zig": 1}
    assert len(cluster([old, crashing("void f(short a);", "Cannot select: v8i16 = load", "gcc-12")])) == 2


def test_a_crash_without_words_is_known_by_its_traits() -> None:
    died = "the compiler died (SIGSEGV)"
    union = crashing("void f(union { short a; } a);", died, "clang-16")
    newer = crashing("void f(union { unsigned short a; } a);", died, "zig")
    real = crashing("void f(__float128 a);", died, "clang-16")
    assert one(union, newer).id == one(union).id
    assert len(cluster([union, real])) == 2
    assert one(union).id != one(real).id


def test_what_differs_is_no_consequence_and_is_not_split_by_family() -> None:
    """Where no text decides, two families part together; another clause that is silent is another cause."""
    text = "struct S { float a; int : 8; }; void f(struct S a);"
    undecided = Blame(Stand.UNDECIDED, ("clang-22", "gcc-12"))
    one = replace(
        finding(text, "x86_64:open", "clang-22", "gcc-12", target=X86, symptom=Symptom.DIFFERS),
        blame=undecided,
    )
    larger = replace(one, example=declared(text.replace("float a", "double a, b, c")))
    other = replace(one, fingerprint=Fingerprint(X86, Symptom.DIFFERS, "x86_64:another"))
    layout = finding(text, "x86_64:open", "clang-22", "gcc-12", target=X86, symptom=Symptom.LAYOUT)
    found = cluster([one, larger, other, layout])
    assert sorted((item.symptom.value, len(item.findings)) for item in found) == [
        ("differs", 1),
        ("differs", 2),
        ("layout", 1),
    ]
    assert all(item.subjects.keys() == {"clang-22", "gcc-12"} for item in found)
