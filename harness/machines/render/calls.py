"""Translation units that ask about calls: for each prototype a caller and a callee.

A caller has the calling convention of its callee. It loads its arguments from `abi_in`, calls through `abi_target` and
stores the result in `abi_out`; the callee stores its parameters and unnamed arguments in `abi_out` and returns what
`abi_in` holds. Function `2 * i` of `abi_functions` is the caller of probe `i`, `2 * i + 1` its callee. Narrow integers
are stored widened: a compiler that relies on bits that the ABI leaves undefined shows it there. Some callers keep
values over the call, more than there are registers for. A record that some ABI passes by the address of a copy is passed from
an object of the caller's own, which is stored in `abi_out` after the call: a copy must be a copy.
"""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.base.text_templates import template
from abiprobe.harness.machines.render.arrange import LIVE, Arrangement, Slot
from abiprobe.harness.machines.render.c import convention, declare, definitions, pointer_to, prototype
from abiprobe.harness.machines.render.own_names import own
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.oracles.lang import Convention, Param, Prototype, Type

MEMORY_FUNCTIONS = """\
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);"""
AREAS = """\
extern unsigned char abi_in[] __attribute__((aligned(64))), abi_out[] __attribute__((aligned(64)));"""
"""As the driver defines them. Without the alignment compilers for machines that cannot load unaligned words copy every
record byte by byte, which takes gcc and clang four times as long for RISC-V at -O2."""


NUMBER = "@"
"""Stands for the number of a probe where that is left open; C has no use for it."""


def calls_unit(functions: Sequence[str]) -> str:
    """The C text of one translation unit with the functions of probes (see `functions_of`), numbered in order."""
    return template(__package__, "calls.c.j2").render(
        calls=[text.replace(NUMBER, str(number)) for number, text in enumerate(functions)],
        memory_functions=MEMORY_FUNCTIONS,
        areas=AREAS,
    )


def functions_of(function: Prototype, slots: Arrangement) -> str:
    """The caller and the callee of a probe in C; `NUMBER` stands for its number."""
    return template(__package__, "functions.c.j2").render(_parts(function, slots))


def _parts(function: Prototype, slots: Arrangement) -> dict[str, str]:
    suffix = f"_{NUMBER}"
    used = (function.result, *(argument.type for argument in function.arguments))
    placed = tuple(zip(function.arguments, slots.params, strict=True))
    keep, give = "", ""
    if function.result is not None and slots.result is not None:
        keep = f"{_stored(function.result, slots.result, suffix)} = "
        give = f"return {_loaded(function.result, slots.result, suffix)};"
    live = tuple(zip(LIVE, slots.live, strict=False))
    objects = [(f"object{number}", function.arguments[number].type, slot) for number, slot in slots.objects]
    passed = [_loaded(argument.type, slot, suffix) for argument, slot in placed]
    loads = [
        f"{declare(c_type, name, suffix)} = {passed[number]};"
        for (number, _), (name, c_type, _) in zip(slots.objects, objects, strict=True)
    ]
    for (number, _), (name, _, _) in zip(slots.objects, objects, strict=True):
        passed[number] = name
    return {
        "marker": marker(NUMBER),
        "convention": convention(function),
        "definitions": definitions(tuple(c_type for c_type in used if c_type), suffix),
        "pointer": pointer_to(function, suffix),
        "arguments": ", ".join(passed),
        "load_objects": " ".join(loads),
        "store_objects": " ".join(
            f"{_stored(c_type, slot, suffix)} = {name};" for name, c_type, slot in objects
        ),
        "number": NUMBER,
        "prototype": prototype(function, suffix, f"callee{suffix}"),
        "start": _start(function),
        "copies": " ".join(
            f"{_stored(argument.type, slot, suffix)} = {_read(argument, suffix)};"
            for argument, slot in placed
        ),
        "end": f"__builtin_{_variety(function)}va_end(ap);" if function.unnamed else "",
        "keep": keep,
        "give": give,
        "load_live": " ".join(
            f"{declare(item.type, item.name)} = {_loaded(item.type, slot)};" for item, slot in live
        ),
        "store_live": " ".join(f"{_stored(item.type, slot)} = {item.name};" for item, slot in live),
    }


def _start(function: Prototype) -> str:
    if not function.unnamed:
        return ""
    kind = _variety(function)
    return (
        f"__builtin_{kind}va_list ap; __builtin_{kind}va_start(ap, {own(function.params[-1].name, NUMBER)});"
    )


def _variety(function: Prototype) -> str:
    """What sets the `va_list` of a convention apart from the usual one."""
    return "ms_" if function.convention is Convention.MS_ABI else ""


def _read(argument: Param, suffix: str) -> str:
    """A parameter by its name, an unnamed argument by `va_arg`."""
    if argument.name.startswith("..."):
        return f"__builtin_va_arg(ap, {declare(argument.type, '', suffix)})"
    return own(argument.name, suffix)


def _loaded(c_type: Type, slot: Slot, suffix: str = "") -> str:
    return f"*({declare(c_type, '*', suffix)})(abi_in + {slot.offset})"


def _stored(c_type: Type, slot: Slot, suffix: str = "") -> str:
    pointer = "long long *" if slot.narrow else declare(c_type, "*", suffix)
    return f"*({pointer})(abi_out + {slot.offset})"
