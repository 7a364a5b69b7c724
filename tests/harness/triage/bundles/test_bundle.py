"""What is in a bundle: which compilers, the stack that a callee finds, and what has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import read
from abiprobe.harness.machines.runtime.build import Trusted
from abiprobe.harness.machines.runtime.loongarch import LOONGARCH64
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.ppc64 import PPC64
from abiprobe.harness.machines.runtime.s390x import S390X
from abiprobe.harness.machines.runtime.x86 import X86_64, X86_64_WINDOWS
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.triage.bundles import bundle
from abiprobe.harness.triage.bundles.bundle import linker, shown
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

WIDE = "void f(int a, ...); static void g(void) { f(*(int *)0, *(__int128 *)0); }"
NARROW = "void f(int a, ...); static void g(void) { f(*(int *)0, *(long *)0); }"


def declared(text: str, triple: str = "riscv64-linux-gnu") -> Question:
    found = read(text, filename="t.h", triple=triple)
    return (found.functions or found.records)[0]


def case(*agreeing: str) -> Case:
    what = Fingerprint("x86_64-sysv", Symptom.MISPLACED, "x86_64:pass.integer")
    deviating, others = (("clang-22", "O2"),), tuple((name, "O2") for name in agreeing)
    return Case("c", declared("void f(int a);"), what, deviating, others, (*deviating, *others))


SHOWN = [
    ((), ["clang-22"]),
    (("gcc-12", "gcc-16", "clang-19"), ["gcc-12", "gcc-16", "clang-19", "clang-22"]),
    (("gcc-11", "gcc-12", "gcc-16", "clang-16", "clang-19"), ["gcc-16", "clang-19", "clang-22"]),
]


@pytest.mark.parametrize(("agreeing", "expected"), SHOWN)
def test_all_who_follow_the_text_are_shown_if_they_are_few(
    agreeing: tuple[str, ...], expected: list[str]
) -> None:
    assert [name for name, level in shown(case(*agreeing)) if level == "O2"] == expected


@pytest.mark.parametrize(("text", "biases"), [(WIDE, [(0, 0), (8, 0)]), (NARROW, [(0, 0), (8, 8)])])
def test_a_callee_finds_the_stack_aligned_as_its_arguments_ask(
    text: str, biases: list[tuple[int, int]]
) -> None:
    target, question = "riscv64-lp64e", declared(text)
    what = Fingerprint(target, Symptom.MISPLACED, "riscv:int.variadic")
    values = observer_of(find_target(target), question).bundle(probe(question), what).files["values.h"]
    found = re.findall(
        r"(\d+), (\d+), \d+, (?:store_\d+|\w+), \d+, \w+, \d+, \w+, \d+, \w+, \d+, \w+, \d+\}", values
    )
    assert [(int(call), int(enter)) for call, enter in found] == biases


ALIGNED = [
    ("x86_64-ms", "struct S { int a; int b; int c; }; void f(struct S a);", "x86_64_ms:pass.other", [16], 16),
    (
        "x86_64-sysv",
        "struct S { int a; } __attribute__((aligned(64))); void f(struct S a);",
        "x86_64:pass.memory",
        [],
        64,
    ),
]


@pytest.mark.parametrize(("target", "text", "clause", "memory", "stack"), ALIGNED)
def test_alignments_that_the_text_asks_for_are_checked(
    target: str, text: str, clause: str, memory: list[int], stack: int
) -> None:
    question = declared(text)
    what = Fingerprint(target, Symptom.MISPLACED, clause)
    made = observer_of(find_target(target), question).bundle(probe(question), what)
    found = re.findall(r"MEMORY, [^}]*, (\d+)\}", made.files["values.h"])
    assert sorted({int(align) for align in found}) == memory
    assert made.stack_align == stack


@pytest.mark.parametrize(("size", "register", "isa"), [(32, "ymm0", "avx"), (64, "zmm0", "avx512f")])
def test_a_function_with_wide_vectors_is_shown_on_a_machine_that_has_them(
    size: int, register: str, isa: str
) -> None:
    target = "x86_64-sysv"
    vector = f"int __attribute__((vector_size({size})))"
    question = declared(f'__attribute__((target("{isa}"))) void f({vector} a);', "x86_64-linux-gnu")
    what = Fingerprint(target, Symptom.MISPLACED, "x86_64:pass.sseup")
    made = observer_of(find_target(target), question).bundle(probe(question), what)
    assert f"caller: a in {register}" in made.files["values.h"]
    assert made.machine is not None
    assert f"-DVECTOR_BYTES={size}" in made.machine.flags


def test_what_ptxas_refuses_is_given_to_ptxas() -> None:
    question, target = declared("void f(int a);"), "nvptx64-cuda"
    refused = [
        Fingerprint(target, Symptom.REFUSED, "", words) for words in ("ptxas: error", "error: no such type")
    ]
    made = [observer_of(find_target(target), question).bundle(probe(question), what) for what in refused]
    assert ["-arch=" in one.extract for one in made] == [True, False]


def test_debug_information_has_no_bundle() -> None:
    question, target = declared("struct S { int a; };"), "x86_64-sysv"
    what = Fingerprint(target, Symptom.DEBUG_INFO, "x86_64:type.record")
    with pytest.raises(Problem, match="debug information"):
        observer_of(find_target(target), question).bundle(probe(question), what)


def test_layouts_of_webassembly_are_asserted_and_its_calls_have_no_bundle() -> None:
    question, target = declared("struct S { int a; _BitInt(65) b; };"), "wasm32"
    what = Fingerprint(target, Symptom.LAYOUT, "wasm:type.bit-int")
    made = observer_of(find_target(target), question).bundle(probe(question), what)
    assert "_Static_assert(sizeof(struct S) == 32" in made.text
    assert made.machine is None
    called = declared("void f(int a);")
    misplaced = Fingerprint(target, Symptom.MISPLACED, "wasm:pass.scalar")
    with pytest.raises(Problem, match="no bundle shows what calls for wasm32 do"):
        observer_of(find_target(target), called).bundle(probe(called), misplaced)
    crash = observer_of(find_target(target), called).bundle(
        probe(called), Fingerprint(target, Symptom.CRASHED, "")
    )
    assert "callee_0" in crash.text
    assert crash.machine is None


LINKERS = [
    (X86_64, ("ld.lld", "x86_64-linux-gnu-ld"), "ld.lld"),
    (S390X, ("ld.lld", "ld.lld-17", "ld.lld-18", "s390x-linux-gnu-ld"), "ld.lld-18"),
    (S390X, ("ld.lld", "ld.lld-17", "s390x-linux-gnu-ld"), "s390x-linux-gnu-ld"),
    (LOONGARCH64, ("ld.lld", "ld.lld-16", "ld.lld-17"), "ld.lld-17"),
    (PPC64, ("ld.lld", "ld.lld-22", "powerpc64-linux-gnu-ld"), "powerpc64-linux-gnu-ld"),
]


@pytest.mark.parametrize(("machine", "installed", "expected"), LINKERS)
def test_a_linker_is_named_that_knows_the_machine(
    machine: Machine, installed: tuple[str, ...], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name if name in installed else None)
    assert linker(machine) == expected


def test_a_linker_of_a_wheel_is_named_where_no_other_knows_the_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trusted = Trusted(("cc",), (f"{tmp_path}/zig", "ld.lld", "-m", "elf64_s390", "--threads=1"))
    monkeypatch.setattr("shutil.which", {"ld.lld": "ld.lld"}.get)
    monkeypatch.setattr(bundle, "find_trusted", lambda machine: trusted)
    assert linker(S390X) == f"{tmp_path}/zig ld.lld"


@pytest.mark.parametrize(("installed", "expected"), [(("clang-22",), "clang-22"), ((), "/wheel/zig")])
def test_the_driver_for_windows_is_built_by_a_compiler_on_path_if_there_is_one(
    installed: tuple[str, ...], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = (("/wheel/zig", "clang", "-m64"), ("/usr/bin/clang-22", "-m64"))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name in installed else None)
    monkeypatch.setattr(bundle, "trusted_compilers", lambda machine: iter(commands))
    monkeypatch.setattr(bundle, "find_trusted", lambda machine: Trusted(commands[0], ("ld.lld",)))
    assert bundle.trusted_compiler((), X86_64_WINDOWS).program == expected
