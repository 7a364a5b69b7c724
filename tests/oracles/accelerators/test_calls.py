"""Calls on the IPU and the DPU beyond the golden vectors: one row for each rule that those leave out.

`calls.tsv` has the rows. The parameters of a second function are unnamed arguments.
"""

from __future__ import annotations

import pytest

from abiprobe.harness.proof.golden.worked import ABOVE, line, place, question, rows
from abiprobe.oracles.place import Assignment, Unspecified, Unsupported
from abiprobe.oracles.registry import find_model, find_target

WORKER, SUPERVISOR, DPU = "colossus-ipu", "colossus-ipu-supervisor", "upmem-dpu"


def answer(target: str, source: str) -> Assignment | Unspecified | Unsupported:
    return find_model(target).assign(question(target, source))


@pytest.mark.parametrize(("target", "source", "expected"), rows())
def test_calls(target: str, source: str, expected: str) -> None:
    assert line(answer(target, source), above=ABOVE.search(expected) is not None) == expected


def test_a_vertex_starts_with_its_state_and_scratch_space() -> None:
    found = answer(WORKER, "__attribute__((colossus_vertex)) int f(void);")
    assert isinstance(found, Assignment)
    assert [(hidden.role, place(hidden.pieces[0].place)) for hidden in found.hidden] == [
        ("vertex state", "mvertex_base"),
        ("worker scratch space", "mworker_base"),
    ]


def test_characters_of_a_vector_are_widened() -> None:
    found = answer(WORKER, "void f(char4);")
    assert isinstance(found, Assignment)
    assert [(piece.start, piece.end, piece.lane) for piece in found.params[0].pieces] == [
        (0, 2, 2),
        (2, 4, 2),
    ]


@pytest.mark.parametrize(
    ("target", "preserved"),
    [
        (WORKER, ("m7", "m8", "m9", "a6", "a7")),
        (SUPERVISOR, ("m7", "m8", "m9")),
        (DPU, tuple(f"r{n}" for n in range(14, 22))),
    ],
)
def test_what_a_call_preserves(target: str, preserved: tuple[str, ...]) -> None:
    frame = find_target(target)[0].frame
    assert frame is not None
    assert frame.preserved == preserved
    assert frame.align == 8
