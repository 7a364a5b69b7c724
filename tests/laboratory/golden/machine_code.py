"""Golden facts on what ptxas and nvlink make of PTX: registers, stack, constant bank, prototypes and limits."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any


def part(name: str) -> Any:
    """A module of the model as it is imported now."""
    return importlib.import_module(f"abiprobe.oracles.abis.ptx.{name}")


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
    """Return whether the linker takes a caller and a callee of two prototypes."""

    def string(signature: str) -> str:
        inside = signature.removeprefix("f(").removesuffix(")")
        one = part("parameter").parse_parameter(inside.replace(".reg ", "r:").replace(".param ", ""))
        return str(part("sass.prototypes").prototype_string([one], None))

    same = string(fact["input"]["caller_sees"]) == string(fact["input"]["callee_defines"])
    return bool(("ok" if same else "error") == fact["expect"]["exit"])


def register_roles(fact: dict[str, Any]) -> bool:
    """Which registers a device function keeps, and what the others are for."""
    places, expected = part("sass.places"), fact["expect"]
    kept = set(places.PRESERVED)
    saved, scratch = registers(expected["callee_saved"]), registers(expected["scratch"])
    whole = not any(span.startswith("...") for span in expected["scratch"])
    own = [f"R{places.FIRST + index}" for index in range(places.COUNT)]
    return bool(
        saved <= kept
        and not kept & {*scratch, *places.RETURN_ADDRESS, places.STACK_POINTER}
        and (kept == saved or not whole)
        and expected["stack_pointer"] == places.STACK_POINTER
        and ":".join(places.RETURN_ADDRESS) == expected["return_address"]
        and set(own) == registers([expected["arguments"]])
    )


def registers(spans: Iterable[str]) -> set[str]:
    """The registers of spans such as `R4-R15`; three dots begin words for people."""
    found = set()
    for span in spans:
        if not span.startswith("..."):
            first, _, last = span.replace("R", "").partition("-")
            found |= {f"R{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def kernel_limit(fact: dict[str, Any]) -> bool:
    """How many bytes of parameters a version and a target allow a kernel."""
    asked = fact["input"]
    version = tuple(int(part) for part in asked["version"].split("."))
    kernels = part("sass.kernels")
    return bool(kernels.limit(version, kernels.sm(asked["target"])) == fact["expect"]["bytes"])


def arch_names(fact: dict[str, Any]) -> bool:
    """Which names are those of architectures."""
    known = []
    for name in fact["input"]["names"]:
        try:
            part("sass.kernels").sm(name)
        except ValueError:
            continue
        known.append(name)
    return bool(known == fact["expect"]["known"])


def type_size(fact: dict[str, Any]) -> bool:
    """How many bytes a type has, and its alignment."""
    (found,) = parameters([fact["input"]["param"]])
    return bool({"size": found.size, "align": found.align} == fact["expect"] and not found.pointer)


def notation(fact: dict[str, Any]) -> bool:
    """How a signature is written for people."""
    asked = fact["input"]
    signature = part("parameter").Signature(tuple(parameters(asked["params"])), result(asked))
    return bool(str(signature) == fact["expect"]["text"])


def no_parameter(fact: dict[str, Any]) -> bool:
    """Which texts are no parameters."""
    for text in fact["input"]["texts"]:
        try:
            parameters([text])
        except ValueError:
            continue
        return False
    return True


def variadic(fact: dict[str, Any]) -> bool:
    """What stands behind the named parameters of a variadic function, and where."""
    prototypes, places, families = part("sass.prototypes"), part("sass.places"), part("families")
    (named,) = parameters(["b32"])
    dialects = {"nvcc 13.0": families.NVCC, "clang-22 C": families.CLANG}
    for compiler, family in dialects.items():
        last = part("calls").variadic_parameter(family)
        expected = fact["expect"][compiler]
        spot = spelled(places.assign([named, last], named).params[-1].spot)
        if prototypes.prototype_string([named, last], named) != expected["prototype"]:
            return False
        if not expected["location"].startswith(spot) or not expected["last_param"].startswith(
            f"{last.typed} "
        ):
            return False
    return True


CHECKS: Mapping[str, Callable[[dict[str, Any]], bool]] = {
    "func_location": function_places,
    "kernel_offset": kernel_offsets,
    "prototype_string": prototype_string,
    "nvlink_verdict": linked,
    "register_role": register_roles,
    "kernel_limit": kernel_limit,
    "arch_name": arch_names,
    "type_size": type_size,
    "notation": notation,
    "no_parameter": no_parameter,
    "physical_mismatch": variadic,
}
"""How each kind of fact is asked of the modules themselves."""
