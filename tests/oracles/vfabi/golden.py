"""The observed facts of `golden.json` as questions of ours."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.declarations import read
from abiprobe.harness.declarations.simd import pragmas
from abiprobe.oracles.lang import Kind, Param, Pointer, Prototype, Scalar
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.vfabi import VectorModel

FACTS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("golden.json").read_text("utf-8"))["facts"]
INT, DOUBLE, FLOAT = (Scalar(kind) for kind in (Kind.INT, Kind.DOUBLE, Kind.FLOAT))


def of_kind(*kinds: str) -> list[Any]:
    """The facts of some kinds, as parameters of a test."""
    return [fact for fact in FACTS if fact["kind"] in kinds]


def identity(fact: dict[str, Any]) -> str:
    return str(fact["id"])


def ref(c_type: Scalar) -> Pointer:
    return Pointer(c_type.kind.value, to=c_type, reference=True)


CXX = {
    "int &a": (Param("a", ref(INT)),),
    "double &a": (Param("a", ref(DOUBLE)),),
    "double &a, float b": (Param("a", ref(DOUBLE)), Param("b", FLOAT)),
    "int a": (Param("this", Pointer("struct X")), Param("a", INT)),
}
"""The parameter lists of the C++ facts, which no reader of C takes."""


def question(fact: dict[str, Any]) -> Prototype:
    """The function of a fact; a C++ one by its assembler name."""
    if fact["lang"] == "c":
        lines = [fact.get("prelude", ""), *(f"#pragma {text}" for text in fact["pragmas"]), fact["prototype"]]
        source = "\n".join(lines) + ";\n"
        return read(source, filename="fact.c", triple="x86_64-linux-gnu").functions[-1]
    found = re.fullmatch(r"(.*?)\s*[\w:]+\((.*)\)", fact["prototype"])
    assert found is not None
    result = {"int": INT, "void": None, "int&": ref(INT)}[found[1]]
    symbol = fact["gcc12"][0]
    mangled = symbol[symbol.index("_", 5) + 1 :]
    simd = tuple(pragmas(f"#pragma {text}\n", {})[0] for text in fact["pragmas"])
    return msgspec.structs.replace(Prototype(mangled, result, CXX[found[2]]), simd=simd)


def model(dialect: str) -> VectorModel:
    found = find_model(f"x86_64-vfabi@{dialect}" if dialect else "x86_64-vfabi")
    assert isinstance(found, VectorModel)
    return found
