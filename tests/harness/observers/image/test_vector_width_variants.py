"""Code with wide vector registers beside code without them: the text decides for the one, and not for the other."""

from __future__ import annotations

import pytest
from laboratory.said import placed

from abiprobe.harness.input import read
from abiprobe.harness.machines.runtime.x86 import X86_64_AVX512
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.observers.image.vector_width_variants import differs_by_vectors, narrowest
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.results.coverage.differing import compare
from abiprobe.results.verdicts.record import Judgement
from abiprobe.results.verdicts.wording import spot_text

TARGET = "x86_64-sysv"
TEXT = "typedef int V __attribute__((vector_size(32))); void f(V a);"


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("zmm0", "xmm0"),
        ("zmm3[12]", "xmm3[12]"),
        ("zmm0[16]", "ymm0[16]"),
        ("zmm0[60]", "zmm0[60]"),
        ("rdi", "rdi"),
        ("stack+8", "stack+8"),
        ("memory at rdi", "memory at rdi"),
    ],
)
def test_bytes_of_registers_have_one_name(place: str, name: str) -> None:
    assert spot_text(narrowest(placed(place), X86_64_AVX512)) == name


@pytest.mark.parametrize(
    ("options", "alone"),
    [
        (LayoutOptions(), False),
        (LayoutOptions(vectors=32), True),
        (LayoutOptions(vectors=32, pack=1), False),
        (LayoutOptions(pack=1), False),
    ],
)
def test_only_vectors_may_set_subjects_apart(options: LayoutOptions, *, alone: bool) -> None:
    assert differs_by_vectors(options) is alone


def test_a_compiler_with_and_without_wide_registers() -> None:
    if not installed(parse_subject("gcc-12"), (find_target(TARGET),)):
        pytest.skip("gcc-12 is not installed")
    question = read(TEXT, filename="t.h", triple="x86_64-linux-gnu").functions[0]
    asked = (("gcc-12", "O0"), ("gcc-12 -mavx", "O0"))
    seen = on(ask(find_target(TARGET), (question,), asked), question)
    with_registers = {one.verdict for one in seen[asked[1]]}
    if Judgement.AGREES not in with_registers:
        pytest.skip("nothing here runs programs with AVX")
    found = compare(TARGET, probe(question).id, seen)
    assert found is not None
    assert found.clause == "x86_64:class.vector-size"
    assert Judgement.DIFFERS in with_registers
    assert {group.place for group in found.groups} == {"stack+8", "xmm0"}
