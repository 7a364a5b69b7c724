"""The declarations of the corpus are read for their targets and asked, and what is known of compilers is seen again."""

from __future__ import annotations

from importlib import resources

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.machines.executors import find as executors
from abiprobe.harness.machines.workbench import XMM_BYTES
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.options import layout_options
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.verdicts.record import Judgement

TRIPLES = {
    "riscv64-lp64d": "riscv64-linux-gnu",
    "riscv32-ilp32e": "riscv32-unknown-elf",
    "x86_64-sysv": "x86_64-linux-gnu",
    "i386-sysv": "i386-linux-gnu",
}


def declared(target: str, name: str = "") -> tuple[Prototype, ...]:
    name = name or ("x86.h" if target.startswith("x86") else "riscv.h")
    text = resources.files("abiprobe.generators.corpus").joinpath(name).read_text("utf-8")
    options = ("-mabi=ilp32e",) if target.endswith("e") else ()
    return read(text, filename=name, triple=TRIPLES[target], options=options).functions


def deviating(
    target: str, subject: str, *others: str, level: str = "O0", file: str = ""
) -> dict[str, set[str]]:
    """The functions on which the first subject deviates, with the clauses, and those that fail in a pair."""
    for name in (subject, *others):
        if not installed(parse_subject(name), (find_target(target),)):
            pytest.skip(f"{name} is not installed")
    needed = max(layout_options(parse_subject(name).options).vectors for name in (subject, *others))
    if not executors.find(target.split("-", maxsplit=1)[0], needed if needed > XMM_BYTES else 0):
        pytest.skip(f"nothing runs {target} programs with vector registers of {needed} bytes")
    functions = declared(target, file)
    names = {probe(function).id: function.name for function in functions}
    subjects = tuple((name, level) for name in (subject, *others))
    done = run_job(spelled_job(target, 0, Sort.PROTOTYPES, functions, subjects, pairs=Pairs.ALL))[0]
    found: dict[str, set[str]] = {}
    for verdict in done.verdicts:
        if verdict.verdict is Judgement.DEVIATES:
            told = f"calling {verdict.partner}" if verdict.partner else verdict.clause
            found.setdefault(names[verdict.probe], set()).add(told)
    return found


def test_every_function_is_read_with_its_calls() -> None:
    functions = declared("riscv64-lp64d")
    assert len({probe(function).id for function in functions}) == len(functions)
    variadic = [function for function in functions if function.variadic]
    assert len(variadic) == 6
    assert all(function.unnamed for function in variadic)


def test_a_zero_width_bit_field_parts_clang_from_the_text_and_from_gcc() -> None:
    assert deviating("riscv64-lp64d", "clang-22", "gcc-12") == {
        "between": {"riscv:fp.flatten-zero-width", "calling gcc-12"},
        "empty": {"calling gcc-12"},
    }


def test_an_empty_union_parts_gcc_from_the_text_and_from_clang() -> None:
    assert deviating("riscv64-lp64d", "gcc-12", "clang-22") == {
        "between": {"calling clang-22"},
        "empty": {"riscv:fp.flatten-empty", "calling clang-22"},
    }


@pytest.mark.parametrize("subject", ["clang-22", "gcc-12"])
def test_nobody_aligns_pairs_in_variadic_calls_of_ilp32e(subject: str) -> None:
    assert deviating("riscv32-ilp32e", subject) == {
        "aligned_pair": {"riscv:int.variadic"},
        "long_pair": {"riscv:int.variadic"},
        "over_aligned": {"riscv:int.variadic"},
    }


NARROW = {"narrow": {"x86_64:pass.narrow"}}
EVERY_CLANG = {
    "flexible": {"x86_64:class.no-element"},
    "atomic_members": {"x86_64:pass.sse"},
    "padding": {"x86_64:pass.sse"},
}
EVERY_GCC = {
    "zero_length": {"x86_64:class.no-element"},
    "zero_width": {"x86_64:class.zero-width"},
    "classes_unaligned_second": {"x86_64:pass.memory"},
}
QUARTERS = {"quarters": {"x86_64:pass.memory", "x86_64:result.memory"}}
SPLIT = {"straddling": {"x86_64:pass.whole"}}


@pytest.mark.parametrize(
    ("subject", "level", "found"),
    [
        ("clang-22", "O2", {**EVERY_CLANG, **NARROW}),
        ("clang-16", "O0", {**EVERY_CLANG, **SPLIT}),
        ("clang-22 -mavx512f", "O0", {**EVERY_CLANG, **QUARTERS}),
        ("gcc-12", "O2", EVERY_GCC),
        ("gcc-12 -mavx512f", "O2", {**EVERY_GCC, "halves": {"x86_64:result.sseup"}}),
    ],
)
def test_x86_64_calls_part_compilers_from_the_text(
    subject: str, level: str, found: dict[str, set[str]]
) -> None:
    assert deviating("x86_64-sysv", subject, level=level) == found


def test_what_compilers_agree_on_arrives_and_what_they_part_on_does_not() -> None:
    deviating_names = deviating("x86_64-sysv", "clang-22", "gcc-12")
    calling = {name for name, told in deviating_names.items() if "calling gcc-12" in told}
    assert calling == {"flexible", "atomic_members", "zero_width", "padding", "classes_unaligned_second"}


@pytest.mark.parametrize(
    ("target", "subject", "found"),
    [
        (
            "x86_64-sysv",
            "tcc",
            {
                "mixed": {"x86_64:pass.sse"},
                "row": {"x86_64:pass.sse"},
                "real_tail": {"x86_64:pass.sse"},
                "zero_width": {"x86_64:class.zero-width"},
                "halves_result": {"x86_64:result.sse"},
                "narrow_result": {"x86_64:pass.narrow"},
            },
        ),
        (
            "x86_64-sysv",
            "pcc",
            {
                "halves_result": {"x86_64:class.each-eightbyte"},
                "twice_result": {"x86_64:pass.integer", "x86_64:result.memory", "x86_64:stack.x87-empty"},
                "long_double": {"x86_64:pass.memory"},
                "seven_reals": {"x86_64:pass.sse"},
                "five_words": {"x86_64:pass.integer"},
                "no_padding": {"x86_64:pass.whole"},
                "real_tail": {"x86_64:pass.sse"},
            },
        ),
    ],
)
def test_small_compilers_depart_as_their_corpus_says(
    target: str, subject: str, found: dict[str, set[str]]
) -> None:
    assert deviating(target, subject, file="tcc-pcc.h") == found


def test_tcc_does_not_align_the_stack_of_i386() -> None:
    assert deviating("i386-sysv", "tcc", file="tcc-pcc.h")["unaligned_stack"] == {"i386:call.stack-alignment"}
