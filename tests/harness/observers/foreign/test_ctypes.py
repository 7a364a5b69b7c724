"""ctypes as a subject: what it lays out, calls and takes, what it cannot say, and that a liar is caught."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import pytest

from abiprobe.generators.pool import PoolSort
from abiprobe.harness.runs.question_batches import questions
from abiprobe.harness.subjects.families import libraries
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Plan
from abiprobe.results.verdicts.record import Judgement, Outcome

from .asking import TARGET, layout, need


@pytest.fixture(autouse=True)
def _present() -> None:
    need("ctypes")


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="ctypes of Python 3.14 has new bit-fields")
def test_bit_fields_of_two_types_are_misplaced() -> None:
    """cpython#97702: a storage unit of a wider type begins anew."""
    verdict = layout("struct S { int a : 3; char b : 4; long c : 1; };", "ctypes")
    assert verdict.verdict is Judgement.DEVIATES


def test_bit_fields_of_packed_records_are_not_asked() -> None:
    """`_pack_` is Microsoft's pragma, which says otherwise of them."""
    verdict = layout("struct S { char a; int b : 3; } __attribute__((packed));", "ctypes")
    assert verdict.outcome is Outcome.UNSUPPORTED
    assert "Microsoft" in verdict.detail


@pytest.mark.parametrize("kind", [Sort.RECORDS, Sort.PROTOTYPES])
def test_questions_are_drawn_that_it_can_say(kind: PoolSort) -> None:
    plan = Plan(2026, 50, (TARGET,), ("ctypes",), ("O0",))
    lacks = libraries.CTYPES.lacks | (
        libraries.CTYPES.lacks_in_calls if kind is Sort.PROTOTYPES else frozenset()
    )
    drawn = tuple(islice(questions(plan, kind), 50))
    assert len(drawn) == 50
    assert not any(needs(question) & lacks for question in drawn)


def test_its_python_is_its_identity() -> None:
    built = build(parse_subject("ctypes"), find_target(TARGET), "O0")
    assert built is not None
    found = identity(built.command)
    assert found.version.startswith("ctypes of Python 3.")
    assert found.sure


LIAR = """#!{python}
import ctypes, sys
class c_short(ctypes.c_int):
    pass
sys.argv[:] = [word for word in sys.argv[1:] if word not in ("-I", "-B")]
ctypes.c_short = c_short if "--version" not in sys.argv else ctypes.c_short
text = open(sys.argv[0]).read()
exec(compile(text, sys.argv[0], "exec"), {{"__name__": "__main__"}})
"""


def test_a_liar_is_caught(tmp_path: Path) -> None:
    """A Python whose `c_short` is an `int`."""
    liar = tmp_path / "python"
    liar.write_text(LIAR.format(python=sys.executable))
    liar.chmod(0o755)
    source = "struct S { short a, b; };"
    assert layout(source, "ctypes").verdict is Judgement.AGREES
    verdict = layout(source, f"ctypes:{liar}")
    assert verdict.verdict is Judgement.DEVIATES
    assert "b in bits: expected 16:16, saw 32:16" in verdict.detail
