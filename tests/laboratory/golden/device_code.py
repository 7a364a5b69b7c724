"""Golden facts on PTX: what ptxas, nvlink and the compilers made of declarations, calls and texts."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import Kind, Record, Scalar, Type
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.registry import TARGETS
from abiprobe.oracles.text.place import Layout
from laboratory.golden import Fact, machine_code, tables, texts
from laboratory.golden.machine_code import part

TARGET = "nvptx64-cuda"
TRIPLE = "nvptx64-nvidia-cuda"
COMPILERS = {
    "clang-14 C": ("clang-14", "PARAM"),
    "clang-16 C": ("clang-16", "PARAM"),
    "clang-22 C": ("clang", "PARAM"),
    "NVRTC 13.0": ("nvrtc", "PARAM"),
    "NVRTC 13.0 kernel": ("nvrtc", "KERNEL"),
}
"""Who lowered a declaration: the dialect, and the role of its parameter."""
LAYOUTS = {"nvcc 13.0 device": "nvcc", "NVRTC 13.0": "nvrtc", "clang-22 CUDA device": "clang"}
OUTCOMES = {"ok": {"ACCEPTED"}, "error": {"REFUSED"}, "signal 11": {"CRASHED"}}


def facts() -> tuple[Fact, ...]:
    """All that can be asked of a model."""
    return (*texts.facts(TARGET), *(made for fact in measured() for made in of(fact)))


def dialect(name: str) -> str:
    """The spelling of a dialect of the target."""
    return TARGETS[TARGET].in_dialect(name).spelling


def measured() -> list[dict[str, Any]]:
    """Everything that was measured, as the tables have it."""
    return tables.measured("ptx", "measured.tsv")


def of(fact: dict[str, Any]) -> tuple[Fact, ...]:
    """A measured fact, for each dialect that it is about."""
    name, kind = fact["id"], fact["kind"]
    match kind:
        case "c_lowering":
            declaration = fact["input"]["decl"]
            asked = record(declaration) if declaration else Scalar(Kind.LDOUBLE)
            return tuple(
                Fact(name, dialect(COMPILERS[compiler][0]), lowered(asked, compiler, expected))
                for compiler, expected in fact["expect"].items()
            )
        case "layout":
            asked = record(fact["input"]["decl"])
            return tuple(
                Fact(name, dialect(LAYOUTS[compiler]), laid_out(asked, expected))
                for compiler, expected in fact["expect"].items()
                if compiler in LAYOUTS
            )
        case _ if kind in CHECKS:
            return (Fact(name, TARGET, lambda _found, _model: CHECKS[kind](fact)),)
        case _:
            return ()


def record(text: str) -> Record:
    """The last record that C declares."""
    return read(text, filename="f.h", triple=TRIPLE).records[-1]


def lowered(asked: Type, compiler: str, expected: dict[str, str]) -> Callable[[Target, AbiModel], bool]:
    """Return whether a compiler declares parameters and results of a type as expected."""
    dialect, role = COMPILERS[compiler]

    def holds(_: Target, model: AbiModel) -> bool:
        lowering, families = part("lowering"), importlib.import_module("abiprobe.oracles.abis.ptx").FAMILIES
        for name, own in (("param", role), ("ret", "RESULT")):
            if name in expected:
                param = lowering.lower(model.types, families[dialect][0], asked, lowering.Role[own]).param
                if f"{param.typed}{'' if param.length is None else f'[{param.length}]'}" != expected[name]:
                    return False
        return True

    return holds


def laid_out(asked: Record, expected: dict[str, int]) -> Callable[[Target, AbiModel], bool]:
    """Return whether a record has the size and alignment expected."""

    def holds(_: Target, model: AbiModel) -> bool:
        answer = model.layout(asked)
        return isinstance(answer, Layout) and {"size": answer.size, "align": answer.align} == expected

    return holds


def assembled(fact: dict[str, Any]) -> bool:
    """Return whether ptxas takes a text, and what it says against it."""
    found = part("text.conformity").expect(fact["input"]["ptx"], fact["input"]["options"])
    if found.outcome.name not in OUTCOMES[fact["expect"]["exit"]]:
        return False
    words = fact["expect"].get("message", "")
    return found.outcome.name != "REFUSED" or any(message in words for message in found.messages)


CHECKS: Mapping[str, Callable[[dict[str, Any]], bool]] = {
    **machine_code.CHECKS,
    "ptxas_verdict": assembled,
}
"""How each kind of fact is asked of the modules themselves."""
