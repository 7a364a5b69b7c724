"""The bundle of a layout that no text decides: a program that compares the constants of two compilers."""

from __future__ import annotations

import msgspec

from abiprobe.harness.machines.render.layouts import bits_symbol
from abiprobe.harness.observers.bundle import Bundle, Ways
from abiprobe.harness.observers.objects.layouts import LayoutPlan, layouts_text
from abiprobe.harness.observers.program_bundle import program_bundle
from abiprobe.oracles.model import Target

CONSTANTS = "abi_layout"


def open_layout_bundle(plan: LayoutPlan, about: Target) -> Bundle:
    """The bundle of one layout on a target whose programs are run."""
    symbols = tuple(bits_symbol(0, number) for number, _ in enumerate(plan.bit_fields))
    made = program_bundle(layouts_text([plan]), compared_values(plan, symbols), about)
    return msgspec.structs.replace(made, apart=(CONSTANTS, *symbols), ways=Ways.BESIDE)


def compared_values(plan: LayoutPlan, symbols: tuple[str, ...]) -> str:
    """values.h: what each constant is called, and where the bit-fields are that two compilers set."""
    words = (
        "sizeof, bytes",
        "_Alignof, bytes",
        *(f"offset of {member.path}, bytes" for member in plan.offsets),
        *(f"__alignof__ of the type of {member.path}, bytes" for member in plan.preferred),
        *(f"{asked.what}, bytes" for asked in plan.alignments),
    )
    fields = [
        f'{{"all bits of {member.path}", {symbol}, other_{symbol}}}'
        for member, symbol in zip(plan.bit_fields, symbols, strict=True)
    ]
    listed = ", ".join(f'"{word}"' for word in words)
    return "\n".join(
        [
            "#define LAYOUTS",
            f"extern const unsigned long long {CONSTANTS}[], other_{CONSTANTS}[];",
            *(f"extern const byte {symbol}[], other_{symbol}[];" for symbol in symbols),
            f"static const char *const constants[] = {{{listed}}};",
            f"static const struct bits bit_fields[] = {{{', '.join(fields) or '{0}'}}};",
            "static const struct turn turns[1];",
            "static void (*const abi_functions[2])(void);",
            "",
        ]
    )
