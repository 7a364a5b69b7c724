"""Functions with a `target` attribute, put to real compilers: they run on a machine with the registers that it brings."""

from __future__ import annotations

import pytest

from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.machines.executors import find as executors
from abiprobe.harness.observers.ask import ask
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.options import by_isa, options_for
from abiprobe.oracles.language.lang import Isa
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

TARGET = "x86_64-sysv"
TEXT = """
typedef float V __attribute__((vector_size(32)));
__attribute__((target("avx"))) V wide(V a, int b);
int narrow(int a, double b);
V open_one(V a);
"""
WIDE, NARROW, OPEN = declared_in_ours(TEXT, find_target(TARGET)).functions


def clauses(subject: str) -> dict[str, set[tuple[Judgement, str]]]:
    """What is said of each function at -O2, with the clauses that are broken or silent."""
    if not installed(parse_subject(subject), (find_target(TARGET),)):
        pytest.skip(f"{subject} is not installed")
    if not executors.find("x86_64", Isa.AVX.vectors):
        pytest.skip("nothing runs x86_64 programs with vector registers of 32 bytes")
    seen = ask(find_target(TARGET), (WIDE, NARROW, OPEN), ((subject, "O2"),))[subject, "O2"]
    return {
        each.name: {
            (verdict.verdict, "" if verdict.verdict is Judgement.AGREES else verdict.clause)
            for verdict in seen[probe(each).id]
        }
        for each in (WIDE, NARROW, OPEN)
    }


def test_gcc_takes_what_the_attribute_brings() -> None:
    found = clauses("gcc-12")
    assert found["wide"] == found["narrow"] == {(Judgement.AGREES, "")}
    assert found["open_one"] == {(Judgement.UNSPECIFIED, "x86_64:class.vector-size")}


def test_clang_goes_by_the_options_of_the_unit() -> None:
    found = clauses("clang-22")
    assert (Judgement.DEVIATES, "x86_64:pass.sseup") in found["wide"]
    assert found["narrow"] == {(Judgement.AGREES, "")}


def test_what_runs_on_another_machine_is_asked_apart() -> None:
    assert by_isa((WIDE, NARROW, OPEN)) == ((WIDE,), (NARROW, OPEN))
    gcc = parse_subject("gcc-12")
    assert options_for(gcc, (WIDE,)).vectors == 32
    assert options_for(gcc, (NARROW, OPEN)).vectors == 16
    assert options_for(parse_subject("gcc-12 -mavx512f"), (WIDE,)).vectors == 64


def test_gcc_holds_a_record_as_it_did_before_the_function_brought_registers() -> None:
    """Measured with gcc 12 for Windows: in memory under the attribute, in ymm0 under -mavx."""
    about = find_target("i386-windows-msvc")
    if not installed(parse_subject("gcc-12"), (about,)):
        pytest.skip("gcc-12 for i386-windows-msvc is not installed")
    if not executors.find("i386", Isa.AVX.vectors):
        pytest.skip("nothing runs i386 programs with vector registers of 32 bytes")
    text = """
    typedef int V __attribute__((vector_size(32)));
    struct S { V a; };
    enum E { ZERO };
    __attribute__((target("avx"))) struct S wide(enum E a);
    """
    (wide,) = declared_in_ours(text, about).functions
    seen = ask(about, (wide,), (("gcc-12", "O0"),))["gcc-12", "O0"]
    (broken,) = (one for one in seen[probe(wide).id] if one.verdict is Judgement.DEVIATES)
    assert broken.quirks == ("MinGW's gcc takes an enumeration without negative values for unsigned",)
