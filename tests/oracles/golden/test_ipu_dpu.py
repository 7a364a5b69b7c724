"""The golden vectors of the IPU and the DPU: both dialects say what their evidence says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from abiprobe.oracles.dpu import elf
from abiprobe.oracles.frame import Frame
from abiprobe.oracles.lang import Kind, Pointer, Prototype, Scalar, Vector
from abiprobe.oracles.place import Assignment, Layout, Register
from abiprobe.oracles.registry import find_model, find_target

from .vectors import VECTORS, holds, target

ABOUT_CONVENTIONS = [vector for vector in VECTORS if vector["kind"] == "convention"]
ABOUT_TYPES_AND_CALLS = [vector for vector in VECTORS if vector["kind"] != "convention"]
OTHERWISE = {
    "ipu-call-040": "a double result is a pair of $a registers",
    "ipu-call-057": "a long long takes an aligned pair",
    "ipu-call-060": "a float4 takes a quad, and a0:3 is the only one",
    "ipu-call-061": "an int4 takes a quad, and m0:3 is the only one",
}
"""Of the vectors with which the document is in conflict, those of which it says something else.

In the others it contradicts itself or has no words for the case, and is read as the compiler has it.
"""


def named(vector: dict[str, Any]) -> str:
    return f"{vector['id']}-{vector['evidence']['level']}-{vector['document']}"


@pytest.mark.parametrize("vector", ABOUT_TYPES_AND_CALLS, ids=named)
def test_the_compiler_dialect_says_all_of_them(vector: dict[str, Any]) -> None:
    assert holds(find_model(f"{target(vector)}@compiler"), vector)


@pytest.mark.parametrize("vector", ABOUT_TYPES_AND_CALLS, ids=named)
def test_the_document_says_all_that_it_is_not_in_conflict_with(vector: dict[str, Any]) -> None:
    assert holds(find_model(target(vector)), vector) is (vector["id"] not in OTHERWISE)
    assert vector["document"] == "conflict" or vector["id"] not in OTHERWISE


def test_every_kind_of_evidence_is_there() -> None:
    levels = Counter((vector["abi"], vector["evidence"]["level"]) for vector in VECTORS)
    assert levels == {
        ("ipu-colossus32", "test"): 33,
        ("ipu-colossus32", "source"): 28,
        ("ipu-colossus32", "standin"): 16,
        ("upmem-dpu", "binary"): 54,
        ("upmem-dpu", "source"): 8,
        ("upmem-dpu", "standin"): 7,
    }


@pytest.mark.parametrize("vector", ABOUT_CONVENTIONS, ids=named)
def test_conventions(vector: dict[str, Any]) -> None:
    found, _ = find_target(target(vector))
    assert found.frame is not None
    assert told(found.name, found.frame, vector) == vector["value"]


def told(name: str, frame: Frame, vector: dict[str, Any]) -> object:
    """What the frame of a target says, as the vector writes it."""
    wanted = vector["value"]
    match vector["what"]:
        case "callee-saved":
            return list(frame.preserved)
        case "stack-alignment":
            return frame.align
        case "stack-growth":
            return frame.grows
        case "frame-pointer":
            return {"frame": frame.frame_pointer, "base": frame.base_pointer}
        case "first-stack-argument":
            return f"sp+{frame.arguments} at callee entry"
        case "first-stack-word":
            return f"entry r22 - {-frame.arguments}"
        case "first-stack-double-word":
            return f"entry r22 - {-frame.arguments + 4}"
        case "saved-link-register":
            (link,) = frame.saved
            assert (link.register, link.of, link.offset) == ("m10", "entry", -4)
            return wanted
        case "saved-pair":
            return {
                f"entry r22 + framesize - {-saved.offset}": f"{saved.register} ({saved.role})".replace(
                    "stack pointer of the caller", "previous stack pointer"
                )
                for saved in frame.saved
            }
        case "va_list-start":
            assert frame.variadic is not None
            return f"entry r22 - {-frame.variadic}, moving down; 8-byte items aligned down to 8"
        case "pair-order":
            long = Prototype("f", Scalar(Kind.LONG), ())
            answer = find_model(f"{name}@compiler").assign(long)
            assert isinstance(answer, Assignment)
            assert answer.result is not None
            low, high = (piece.place for piece in answer.result.pieces)
            assert isinstance(low, Register)
            assert isinstance(high, Register)
            return {"d0": {"most-significant": high.name, "least-significant": low.name}}
        case "elf-header":
            flags = elf.VERSION_IS_GIVEN | elf.ABI_VERSION << elf.VERSION_SHIFT
            return {"e_machine": elf.EM_DPU, "e_flags": f"{flags:#010x}"}
        case "llvm-data-layout":
            check_data_layout(name, wanted)
            return wanted
    raise AssertionError(vector["what"])


def check_data_layout(name: str, text: str) -> None:
    """What LLVM's description of a target and the model both speak of, they say alike."""
    parts = dict(part.split(":", 1) for part in text.split("-")[2:] if ":" in part)
    model = find_model(f"{name}@compiler")
    says = {"p": Pointer(), "i16": Scalar(Kind.SHORT), "i32": Scalar(Kind.INT), "f64": Scalar(Kind.DOUBLE)}
    if name == "upmem-dpu":
        # clang gives the alignment of the IPU's long long itself, against LLVM's description.
        says["i64"] = Scalar(Kind.LLONG)
    says["v128"] = Vector(Kind.INT, 16)
    for key, c_type in says.items():
        layout = model.layout(c_type)
        assert isinstance(layout, Layout)
        if key in parts:
            values = parts[key].split(":")
            bits = values[1] if key == "p" else values[0]
            assert layout.align * 8 == int(bits), key
