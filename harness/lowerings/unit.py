"""The C unit whose IR shows how prototypes are lowered: of each a definition, a declaration and a call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from abiprobe.harness.machines.render.c import convention, declare, definitions, prototype
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.oracles.language.lang import Prototype

AREA = "extern char abi_area[];\n"
DEFINED, CALLED = "callee", "probe"
NAMED = re.compile(rf"(?:unit\.)?({DEFINED}|{CALLED})_(\d+)")
"""A function of a unit: the kind and the number of its prototype. zig puts the name of the file before its own functions."""


def texts_of(functions: Sequence[Prototype]) -> tuple[str, ...]:
    """The C of each of some prototypes, numbered from 0."""
    return tuple(text_of(number, function) for number, function in enumerate(functions))


def unit(texts: Iterable[str]) -> str:
    """The C unit of the texts of some prototypes."""
    return AREA + "".join(texts)


def text_of(number: int, function: Prototype) -> str:
    """One prototype, as three functions whose bodies do as little as C allows."""
    suffix = f"_{number}"
    used = (function.result, *(argument.type for argument in function.arguments))
    result = function.result
    given = "" if result is None else f"return *({declare(result, '*', suffix)})abi_area;"
    passed = ", ".join(f"*({declare(each.type, '*', suffix)})abi_area" for each in function.arguments)
    own = convention(function)
    return "\n".join(
        (
            marker(number),
            definitions(tuple(c_type for c_type in used if c_type is not None), suffix),
            f"{prototype(function, suffix, f'{CALLED}{suffix}')};",
            f"{prototype(function, suffix, f'{DEFINED}{suffix}')} {{ {given} }}",
            f"{own} void call{suffix}(void) {{ {CALLED}{suffix}({passed}); }}".lstrip(),
            "",
        )
    )
