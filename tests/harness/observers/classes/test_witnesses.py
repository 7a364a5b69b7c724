"""What compilers say of a class beside their code: debug information and printed layouts, true and false ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.classes.dumps import Dumped, clang_dump, gnu_dump
from abiprobe.harness.observers.classes.observer import ClassObserver
from abiprobe.harness.observers.classes.witnesses import statements
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_target
from tests.class_rows import CXX

SOURCE = """
struct V { int v; }; struct A { int a; char c; A(); }; struct E {};
struct K : A, virtual V, E { char d; int b : 3; bool t : 2; union { int u; float f; }; virtual void w(); };
"""
GNU = """
Class abi_0::A
   size=8 align=4
   base size=5 base align=4
abi_0::A (0x0x7f10) 0

Class abi_0::K
   size=24 align=8
   base size=20 base align=8
abi_0::K (0x0x7f20) 0
    vptridx=0 vptr=((& abi_0::K::_ZTVN5abi_01KE) + 24)
abi_0::A (0x0x7f30) 8
abi_0::V (0x0x7f40) 20 virtual
      vbaseoffset=-24
abi_0::E (0x0x7f50) 0 empty
abi_0::R (0x0x7f60) 8
abi_0::R (0x0x7f70) 16

Class abi_0::Derived
   size=48 align=8
"""
CLANG = """
*** Dumping AST Record Layout
         0 | struct abi_0::K
         0 |   (K vtable pointer)
         0 |   struct abi_0::E (base) (empty)
         8 |   struct abi_0::A (base)
         8 |     int a
        12 |     char c
        13 |   char d
    14:0-2 |   int b
        16 |   int[2] n
        24 |   struct abi_0::V (virtual base)
        24 |     int v
           | [sizeof=32, dsize=28, align=8,
           |  nvsize=24, nvalign=8]

*** Dumping AST Record Layout
         0 | struct abi_0::Derived
         0 |   struct abi_0::K (base)
           | [sizeof=40, dsize=33, align=8,
           |  nvsize=33, nvalign=8]
"""
OFFSET = {"member behind it as a base", "member behind it as an overlapping member"}


def test_the_layout_that_gcc_writes_is_read() -> None:
    assert gnu_dump(GNU, "abi_0::K") == Dumped(24, 8, {"A": 8, "V": 20, "E": 0})
    assert gnu_dump(GNU, "abi_0::A") == Dumped(8, 4, {})
    assert gnu_dump(GNU, "abi_0::M") is None


def test_the_layout_that_clang_prints_is_read() -> None:
    members = {"d": 13 * 8, "b": 14 * 8, "n": 16 * 8}
    assert clang_dump(CLANG, "abi_0::K") == Dumped(32, 8, {"E": 0, "A": 8, "V": 24}, members)
    assert clang_dump(CLANG, "abi_0::A") is None


@pytest.mark.parametrize(
    ("name", "target"), [("g++-12", "x86_64-sysv"), ("clang++-22", "x86_64-sysv"), ("clang++-22", "s390x")]
)
def test_witnesses_say_what_the_code_shows_and_a_false_one_is_told(
    name: str, target: str, tmp_path: Path
) -> None:
    about, subject = find_target(target), parse_subject(name)
    if build(subject, about, "O0") is None:
        pytest.skip(f"{name} is not installed")
    observer = ClassObserver(PredictionKey(about))
    plans = observer.prepare((probe(declared_in(SOURCE, about, CXX).classes[-1]),)).plans
    attempt = observer.begin(subject, "O0", tmp_path, Limits())
    ((plan, seen),) = observer.observe(attempt, plans)
    assert not isinstance(seen, Failed)

    debug, printed = statements(attempt, subject.family, plan, seen)
    assert debug.startswith("its debug information says the same: sizeof 24, ")
    for what in ("d 13", "u 16", "base A 8", "base E 0", "b 112", *(f"{one} 2" for one in OFFSET)):
        assert f", {what}" in debug
    assert ", t " not in debug, "of a bit-field of bool not all bits can be written"
    assert printed.startswith("-fdump-")
    assert " says the same: sizeof 24, alignof 8, " in printed
    assert ", virtual base V 20" in printed

    debug, printed = statements(attempt, subject.family, plan, seen | {"base A": 12, "sizeof": 32})
    for line in (debug, printed):
        assert line.endswith(
            " contradicts the code of the same compiler: sizeof 24, not 32; base A 8, not 12"
        )
