"""Golden facts on PTX: what ptxas, nvlink and the compilers made of declarations, calls and texts."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from abiprobe.harness.declarations import read
from abiprobe.harness.proof.golden import Fact, table
from abiprobe.oracles.lang import Kind, Record, Scalar, Type
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.place import Layout

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


def part(name: str) -> Any:
    """A module of the model as it is imported now."""
    return importlib.import_module(f"abiprobe.oracles.ptx.{name}")


def facts() -> tuple[Fact, ...]:
    """All that can be asked of a model."""
    measured = json.loads(table("ptx", "golden.json").read_text("utf-8"))["facts"]
    return tuple(made for fact in measured for made in of(fact))


def of(fact: dict[str, Any]) -> tuple[Fact, ...]:
    """A measured fact, for each dialect that it is about."""
    name, kind = fact["id"], fact["kind"]
    match kind:
        case "c_lowering":
            declaration = fact["input"]["decl"]
            asked = record(declaration) if declaration else Scalar(Kind.LDOUBLE)
            return tuple(
                Fact(name, f"{TARGET}@{COMPILERS[compiler][0]}", lowered(asked, compiler, expected))
                for compiler, expected in fact["expect"].items()
            )
        case "layout":
            asked = record(fact["input"]["decl"])
            return tuple(
                Fact(name, f"{TARGET}@{LAYOUTS[compiler]}", laid_out(asked, expected))
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
    """Whether a compiler declares parameters and results of a type as expected."""
    dialect, role = COMPILERS[compiler]

    def holds(_: Target, model: AbiModel) -> bool:
        lowering, families = part("lowering"), importlib.import_module("abiprobe.oracles.ptx").FAMILIES
        for name, own in (("param", role), ("ret", "RESULT")):
            if name in expected:
                param = lowering.lower(model.types, families[dialect][0], asked, lowering.Role[own]).param
                if f"{param.typed}{'' if param.length is None else f'[{param.length}]'}" != expected[name]:
                    return False
        return True

    return holds


def laid_out(asked: Record, expected: dict[str, int]) -> Callable[[Target, AbiModel], bool]:
    """Whether a record has the size and alignment expected."""

    def holds(_: Target, model: AbiModel) -> bool:
        answer = model.layout(asked)
        return isinstance(answer, Layout) and {"size": answer.size, "align": answer.align} == expected

    return holds


def parameters(texts: list[str]) -> list[Any]:
    """Parameters as PTX writes them."""
    return [part("parameter").parse_parameter(text) for text in texts]


def result(asked: dict[str, Any]) -> Any:
    """The result of a function, if it has one."""
    return part("parameter").parse_parameter(asked["ret"]) if asked["ret"] else None


def spelled(spot: Any) -> str:
    """A register, or memory by its offset from the stack pointer."""
    return f"SP+{spot.offset}" if hasattr(spot, "offset") else f"R{spot.first}"


def function_places(fact: dict[str, Any]) -> bool:
    """Where ptxas puts the parameters and the result of a device function."""
    asked = fact["input"]
    places = part("sass.places").assign(parameters(asked["params"]), result(asked))
    where = "[R4]" if places.hidden else None if places.result is None else spelled(places.result.spot)
    found = {"params": [spelled(one.spot) for one in places.params], "ret": where}
    return bool(found == fact["expect"])


def kernel_offsets(fact: dict[str, Any]) -> bool:
    """The offsets of the parameters of a kernel."""
    found = part("sass.kernels").layout(parameters(fact["input"]["params"]), fact["input"]["arch"])
    expected = {
        "offsets": list(found.offsets),
        "sizes": list(found.sizes),
        "total": found.total,
        "cbank_base": found.base,
        "constant0_size": found.bank_bytes,
    }
    return bool(fact["expect"] == expected)


def prototype_string(fact: dict[str, Any]) -> bool:
    """The string by which the linker compares prototypes."""
    string = part("sass.prototypes").prototype_string
    return bool(
        string(parameters(fact["input"]["params"]), result(fact["input"])) == fact["expect"]["string"]
    )


def linked(fact: dict[str, Any]) -> bool:
    """Whether the linker takes a caller and a callee of two prototypes."""

    def string(signature: str) -> str:
        inside = signature.removeprefix("f(").removesuffix(")")
        one = part("parameter").parse_parameter(inside.replace(".reg ", "r:").replace(".param ", ""))
        return str(part("sass.prototypes").prototype_string([one], None))

    same = string(fact["input"]["caller_sees"]) == string(fact["input"]["callee_defines"])
    return bool(("ok" if same else "error") == fact["expect"]["exit"])


def assembled(fact: dict[str, Any]) -> bool:
    """Whether ptxas takes a text, and what it says against it."""
    found = part("text.conformity").expect(fact["input"]["ptx"], fact["input"]["options"])
    if found.outcome.name not in OUTCOMES[fact["expect"]["exit"]]:
        return False
    words = fact["expect"].get("message", "")
    return found.outcome.name != "REFUSED" or any(message in words for message in found.messages)


def register_roles(fact: dict[str, Any]) -> bool:
    """Which registers a device function keeps."""
    is_preserved = part("sass.places").is_preserved
    for role, preserved in (("scratch", False), ("callee_saved", True)):
        for span in fact["expect"][role]:
            if not span.startswith("..."):
                first, _, last = span.replace("R", "").partition("-")
                numbers = range(int(first), int(last or first) + 1)
                if any(is_preserved(number) is not preserved for number in numbers):
                    return False
    return True


CHECKS: Mapping[str, Callable[[dict[str, Any]], bool]] = {
    "func_location": function_places,
    "kernel_offset": kernel_offsets,
    "prototype_string": prototype_string,
    "nvlink_verdict": linked,
    "ptxas_verdict": assembled,
    "register_role": register_roles,
}
"""How each kind of fact is asked of the modules themselves."""
