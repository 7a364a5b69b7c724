"""Translation units that ask about calls: for each prototype a caller and a callee.

A caller has the calling convention of its callee. It loads its arguments from `abi_in`, calls through `abi_target` and
stores the result in `abi_out`; the callee stores its parameters and unnamed arguments in `abi_out` and returns what
`abi_in` holds. Function `2 * i` of `abi_functions` is the caller of probe `i`, `2 * i + 1` its callee. Narrow integers
are stored widened: a compiler that relies on bits that the ABI leaves undefined shows it there. Some callers keep
values over the call, more than there are registers for. A record that some ABI passes by the address of a copy is passed from
an object of the caller's own, which is stored in `abi_out` after the call: a copy must be a copy. The other `Manner`s of asking
change what stands in the caller or in the callee.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.harness.base.text_templates import template
from abiprobe.harness.machines.render.arrange import LIVE, Arrangement, Manner, turned
from abiprobe.harness.machines.render.c import GNU_C, convention, declare, definitions, pointer_to, prototype
from abiprobe.harness.machines.render.own_names import own, own_path
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.harness.machines.render.reads import RESULT, Form, Read
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.render.sve import sve_names
from abiprobe.oracles.language.lang import POPPING, Convention, Param, Pointer, Prototype, Type

MEMORY_FUNCTIONS = """\
#ifndef __SIZE_TYPE__
#define __SIZE_TYPE__ unsigned long
#endif
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);"""
AREAS = f"""\
#if {GNU_C}
extern unsigned char abi_in[] __attribute__((aligned(64))), abi_out[] __attribute__((aligned(64)));
#else
extern unsigned char abi_in[], abi_out[];
#endif"""
"""As the driver defines them. Without the alignment compilers for machines that cannot load unaligned words copy every
record byte by byte, which takes gcc and clang four times as long for RISC-V at -O2."""


CONVERSION = """\
/* Where no instruction converts a real number, a library would have to. */
#if defined __riscv && (!defined __riscv_flen || __riscv_flen < 64)
#define ABI_WIDEN(at, value)
#else
#define ABI_WIDEN(at, value) *(double *)(abi_out + at) = value;
#endif"""


LISTS = f"""\
#if {GNU_C}
#define ABI_LIST __builtin_va_list
#define ABI_START __builtin_va_start
#define ABI_ARG __builtin_va_arg
#define ABI_END __builtin_va_end
#else
#include <stdarg.h>
#define ABI_LIST va_list
#define ABI_START va_start
#define ABI_ARG va_arg
#define ABI_END va_end
#endif"""
"""How unnamed arguments are read. C leaves the names of built-in functions to compilers, and has this header for them."""


NUMBER = "@"
"""Stands for the number of a probe where that is left open; C has no use for it."""


def calls_unit(functions: Sequence[str]) -> str:
    """The C text of one translation unit with the functions of probes (see `functions_of`), numbered in order."""
    return template(__package__, "calls.c.j2").render(
        calls=[text.replace(NUMBER, str(number)) for number, text in enumerate(functions)],
        names=sve_names(functions),
        memory_functions=MEMORY_FUNCTIONS,
        areas=AREAS,
        conversion=CONVERSION if any("ABI_WIDEN" in text for text in functions) else "",
        lists=LISTS if any("ABI_LIST" in text for text in functions) else "",
    )


def functions_of(function: Prototype, slots: Arrangement) -> str:
    """The caller and the callee of a probe in C; `NUMBER` stands for its number."""
    return template(__package__, "functions.c.j2").render(_parts(function, slots))


def _parts(function: Prototype, slots: Arrangement) -> dict[str, str]:
    suffix = f"_{NUMBER}"
    used = (function.result, *(argument.type for argument in function.arguments))
    return {
        "marker": marker(NUMBER),
        "definitions": definitions(tuple(c_type for c_type in used if c_type), suffix),
        "number": NUMBER,
        **_caller(function, slots, suffix),
        **_callee(function, slots, suffix),
    }


def _caller(function: Prototype, slots: Arrangement, suffix: str) -> dict[str, str]:
    live = tuple(zip(LIVE, slots.live, strict=False))
    own_objects = dict(slots.objects)
    placed = tuple(zip(function.arguments, slots.params, strict=True))
    passed = [_loaded(argument.type, slot, suffix) for argument, slot in placed]
    loads = []
    # Who calls twice has every argument in a variable, which the first call must leave alone.
    for number in range(len(passed)) if slots.manner is Manner.TWICE else own_objects:
        name = f"object{number}"
        loads.append(f"{declare(function.arguments[number].type, name, suffix)} = {passed[number]};")
        passed[number] = name
    call = f"(({pointer_to(function, suffix)})abi_target)({', '.join(passed)})"
    keep = ""
    if function.result is not None and slots.result is not None:
        keep = f"{_stored(function.result, slots.result, suffix)} = "
    part = next((read for read in slots.reads if read.value == RESULT), None)
    again = f"{call};" if part is None else _kept(part, call, suffix)
    return {
        "convention": convention(function),
        "call": f"{keep}{call};",
        "again": again if slots.manner is Manner.TWICE else "",
        "load_objects": " ".join(loads),
        "store_objects": " ".join(
            f"{_stored(function.arguments[number].type, slot, suffix)} = object{number};"
            for number, slot in slots.objects
        ),
        "load_live": " ".join(
            f"{declare(item.type, item.name)} = {_loaded(item.type, slot)};" for item, slot in live
        ),
        "store_live": " ".join(f"{_stored(item.type, slot)} = {item.name};" for item, slot in live),
    }


def _callee(function: Prototype, slots: Arrangement, suffix: str) -> dict[str, str]:
    """The function that looks at the parameters, which is the callee itself, and the one before it that forwards them, if any."""
    placed = tuple(zip(function.arguments, slots.params, strict=True))
    values = [_read(argument, suffix) for argument in function.arguments]
    again = {read.value for read in slots.reads if read.value >= len(function.params)}
    stores = []
    for number, (argument, slot) in enumerate(placed):
        # What is read again must not be taken from the list again.
        if number in again:
            stores.append(f"{declare(argument.type, f'unnamed{number}', suffix)} = {values[number]};")
            values[number] = f"unnamed{number}"
        stores.append(f"{_stored(argument.type, slot, suffix)} = {values[number]};")
    stores += [_kept(read, values[read.value], suffix) for read in slots.reads if read.value != RESULT]
    give = ""
    if function.result is not None and slots.result is not None:
        give = f"return {_loaded(function.result, slots.result, suffix)};"
    looks = {
        "start": _start(function),
        "copies": " ".join(stores),
        "end": f"{_list(function, 'END')}(ap);" if function.unnamed else "",
        "give": give,
        "forward": "",
        "forwarded": "",
        "callee": prototype(function, suffix, f"callee{suffix}"),
        "looks": "",
    }
    if slots.manner not in {Manner.FORWARDED, Manner.TURNED} or function.variadic:
        return looks
    other = turned(function) if slots.manner is Manner.TURNED else function
    # What a caller of its kind takes for popped is asked by itself.
    if other.convention in POPPING:
        other = msgspec.structs.replace(other, convention=None)
    # The address is read each time, or the compiler would know what it calls, and might pass values as it likes.
    address = prototype(msgspec.structs.replace(other, isa=None), suffix, f"(*volatile forward{suffix})")
    names = ", ".join(own(param.name, suffix) for param in other.params)
    returned = "return " if function.result is not None else ""
    return looks | {
        "looks": prototype(other, suffix, f"looks{suffix}"),
        "forward": f"static {address} = looks{suffix};",
        "forwarded": f"{returned}forward{suffix}({names});",
    }


def _kept(read: Read, value: str, suffix: str) -> str:
    """The statement that stores what is read of a value."""
    if read.path:
        value = f"{value}.{own_path(read.path, suffix)}"
    if read.form is Form.REAL:
        return f"ABI_WIDEN({read.slot.offset}, {value})"
    wide = f"{'' if read.signed else 'unsigned '}_BitInt({8 * read.slot.size})"
    types = {Form.INTEGER: Form.INTEGER.value, Form.WIDE: wide, Form.OWN: declare(read.type, "", suffix)}
    return f"*({types[read.form]} *)(abi_out + {read.slot.offset}) = {value};"


def _start(function: Prototype) -> str:
    if not function.unnamed:
        return ""
    last = own(function.params[-1].name, NUMBER)
    return f"{_list(function, 'LIST')} ap; {_list(function, 'START')}(ap, {last});"


def _list(function: Prototype, what: str) -> str:
    """Return the name of the type or of an operation of the `va_list` of a function's convention."""
    return f"__builtin_ms_va_{what.lower()}" if function.convention is Convention.MS_ABI else f"ABI_{what}"


def _read(argument: Param, suffix: str) -> str:
    """A parameter by its name, an unnamed argument by `va_arg`."""
    if not argument.name.startswith("..."):
        return own(argument.name, suffix)
    spelled = declare(argument.type, "", suffix)
    # C17 7.16.1.1 asks for a type whose name a `*` behind it makes that of a pointer.
    if isinstance(argument.type, Pointer) and argument.type.function:
        spelled = f"__typeof__({spelled})"
    return f"ABI_ARG(ap, {spelled})"


def _loaded(c_type: Type, slot: Slot, suffix: str = "") -> str:
    return f"*({declare(c_type, '*', suffix)})(abi_in + {slot.offset})"


def _stored(c_type: Type, slot: Slot, suffix: str = "") -> str:
    pointer = "long long *" if slot.narrow else declare(c_type, "*", suffix)
    return f"*({pointer})(abi_out + {slot.offset})"
