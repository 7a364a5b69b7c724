"""Golden facts on vector functions: the names that compilers gave them, read from their objects and their IR."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from abiprobe.harness.input import read
from abiprobe.harness.input.simd import pragmas
from abiprobe.oracles.language.lang import Kind, Param, Pointer, Prototype, Scalar, Typedef
from abiprobe.oracles.language.simd import Branch, Linear, Simd
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.registry import TARGETS
from laboratory.golden import Fact, tables

INT, DOUBLE, FLOAT = (Scalar(kind) for kind in (Kind.INT, Kind.DOUBLE, Kind.FLOAT))


def ref(c_type: Scalar) -> Pointer:
    """A reference of C++."""
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


SUBJECTS = {"gcc": ("gcc12", "gcc11"), "clang": ("clang22", "clang19", "clang16"), "clang14": ("clang14",)}
"""Which compilers a dialect is."""


@cache
def measured() -> tuple[dict[str, Any], ...]:
    """All facts; `document` is what the document says of one."""
    return tuple(
        {
            "id": fact["id"],
            "kind": fact["kind"],
            "document": fact["measured"],
            **fact["input"],
            **fact["expect"],
        }
        for fact in tables.measured("vfabi", "measured.tsv")
    )


def facts() -> tuple[Fact, ...]:
    """The names of functions in each dialect, those of a library, and names as parts."""
    library = [symbol for (symbol,) in tables.rows("vfabi", "libmvec.tsv")]
    return (
        *names_of_functions(),
        Fact("libmvec", "x86_64-vfabi@gcc-reading", lambda _, model: library_names(model) == library),
        Fact(
            "a pointer to pointers",
            "x86_64-vfabi@gcc-reading",
            lambda _, model: step_of_pointers(model) == 24,
        ),
        Fact("a typedef name", "x86_64-vfabi@gcc-reading", lambda _, model: step_of_typedef(model) == -2),
        Fact("names as parts", "x86_64-vfabi@gcc-reading", lambda _found, _model: are_taken_apart(library)),
    )


def library_names(model: AbiModel) -> list[str]:
    """The unmasked SSE variants of the functions that libmvec has."""
    functions = importlib.import_module("abiprobe.oracles.abis.vfabi.libmvec").prototypes()
    found = {symbol for one in functions for symbol in model.variants(one).symbols}  # type: ignore[attr-defined]
    return sorted(symbol for symbol in found if symbol.startswith("_ZGVbN"))


def step_of_pointers(model: AbiModel) -> int:
    """What a lane adds to a pointer to pointers of which only the words are known, by a step of 3."""
    return step(model, Pointer("char *"), 3)


def step_of_typedef(model: AbiModel) -> int:
    """What a lane adds to a reference to a signed char by another name, by a step of -2."""
    byte = Typedef("byte", Scalar(Kind.SCHAR))
    return step(model, Pointer("byte", to=byte, reference=True), -2)


def step(model: AbiModel, pointer: Pointer, written: int) -> int:
    """What a lane adds to a linear parameter."""
    pragma = Simd(linear=(Linear(("a",), written),), branch=Branch.NOTINBRANCH)
    asked = Prototype("f", None, (Param("a", pointer),), simd=(pragma,))
    return int(model.variants(asked).variants[0].steps[0])  # type: ignore[attr-defined]


def are_taken_apart(symbols: list[str]) -> bool:
    """Return whether names are read as they are written, and nothing else is."""
    name = importlib.import_module("abiprobe.oracles.abis.vfabi.name")
    masked = [symbol.replace("_ZGVbN", "_ZGVeM") for symbol in symbols]
    for symbol in (*symbols, *masked):
        found = name.parse_name(symbol)
        if str(found) != symbol or found.masked is not (symbol in masked):
            return False
    try:
        name.parse_name("acos")
    except name.NotAVectorNameError:
        return True
    return False


def names_of_functions() -> tuple[Fact, ...]:
    """The names of functions in each dialect."""
    return tuple(
        Fact(fact["id"], TARGETS["x86_64-vfabi"].in_dialect(dialect).spelling, holding(question(fact), names))
        for fact in measured()
        if fact["kind"] == "names"
        for dialect in SUBJECTS
        if (names := seen(fact, dialect)) is not None
    )


def seen(fact: dict[str, Any], dialect: str) -> list[str] | None:
    """The names that the newest compiler of a dialect makes; `None` where the code did not compile."""
    subject = SUBJECTS[dialect][0]
    names = fact.get(subject, fact["clang22" if "clang" in subject else "gcc12"])
    return None if names == "error" else sorted(names)


def holding(asked: Prototype, names: list[str]) -> Callable[[Target, AbiModel], bool]:
    """Return whether a model gives a function these names."""

    def holds(_: Target, model: AbiModel) -> bool:
        answer = model.variants(asked)  # type: ignore[attr-defined]
        return sorted(getattr(answer, "symbols", ())) == names

    return holds
