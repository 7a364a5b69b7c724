"""Translation units that ask about calls: for each prototype a caller and a callee.

The caller loads its arguments from `abi_in`, calls through `abi_target` and stores the result in `abi_out`; the
callee stores its parameters in `abi_out` and returns what `abi_in` holds. Function `2 * i` of `abi_functions`
is the caller of probe `i`, `2 * i + 1` its callee. Narrow integers are stored widened: a compiler that relies on
bits that the ABI leaves undefined shows it there.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import jinja2

from abiprobe.harness.render.arrange import Arrangement, Slot
from abiprobe.harness.render.c import declare, definitions, pointer_to, prototype
from abiprobe.oracles.lang import Prototype, Type

MEMORY_FUNCTIONS = """\
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);"""


@cache
def _template() -> jinja2.Template:
    text = resources.files(__package__).joinpath("calls.c.j2").read_text("utf-8")
    environment = jinja2.Environment(  # noqa: S701 - this is C, not HTML
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(text)


def calls_unit(probes: list[tuple[Prototype, Arrangement]]) -> str:
    """The C text of one translation unit for `probes`, in order."""
    calls = [_call(index, function, slots) for index, (function, slots) in enumerate(probes)]
    return _template().render(calls=calls, memory_functions=MEMORY_FUNCTIONS)


def _call(index: int, function: Prototype, slots: Arrangement) -> dict[str, str]:
    suffix = f"_{index}"
    used = tuple(c_type for c_type in (function.result, *(param.type for param in function.params)) if c_type)
    placed = tuple(zip(function.params, slots.params, strict=True))
    keep, give = "", ""
    if function.result is not None and slots.result is not None:
        keep = f"{_stored(function.result, slots.result, suffix)} = "
        give = f"return {_loaded(function.result, slots.result, suffix)};"
    return {
        "definitions": definitions(used, suffix),
        "pointer": pointer_to(function, suffix),
        "arguments": ", ".join(_loaded(param.type, slot, suffix) for param, slot in placed),
        "prototype": prototype(function, suffix, f"callee{suffix}"),
        "copies": " ".join(f"{_stored(param.type, slot, suffix)} = {param.name};" for param, slot in placed),
        "keep": keep,
        "give": give,
    }


def _loaded(c_type: Type, slot: Slot, suffix: str) -> str:
    return f"*({declare(c_type, '*', suffix)})(abi_in + {slot.offset})"


def _stored(c_type: Type, slot: Slot, suffix: str) -> str:
    pointer = "long long *" if slot.narrow else declare(c_type, "*", suffix)
    return f"*({pointer})(abi_out + {slot.offset})"
