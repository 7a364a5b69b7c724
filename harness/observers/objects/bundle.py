"""The bundle of a deviation in a layout: a program that looks at constants, or assertions where no program is run."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.render.c import declare, definitions
from abiprobe.harness.machines.render.layouts import WORD, bits_symbol
from abiprobe.harness.machines.render.sve import sve_names
from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.objects.layouts import LayoutPlan, layouts_text
from abiprobe.harness.observers.program_bundle import BundleRow, Tables, program_bundle
from abiprobe.oracles.model import Target
from abiprobe.oracles.text.place import ByteOrder, MemberAlignment
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint, Symptom


def layout_bundle(plans: Sequence[LayoutPlan], about: Target, fingerprint: Fingerprint) -> Bundle:
    """The bundle of one layout on a target; raises `Problem` where the model gives no layout."""
    # The driver of a bundle is a program for Linux.
    runs = bool(about.machine) and about.registers is not None and not machine(about.machine).signatures
    if not plans or (plans[0].silence is not None and not runs and fingerprint.symptom not in CRASHES):
        raise Problem(
            f"the model gives no layout for {fingerprint.target}", "only what it predicts can be shown"
        )
    if fingerprint.symptom is Symptom.DEBUG_INFO:
        raise Problem("no bundle shows what debug information says", "readelf --debug-dump=info shows it")
    text = layouts_text(plans)
    if fingerprint.symptom in CRASHES:
        return Bundle(text)
    order = machine(about.machine).order if runs else "little"
    return (
        program_bundle(text, layout_values(plans[0], order), about) if runs else Bundle(assertions(plans[0]))
    )


def assertions(plan: LayoutPlan) -> str:
    """Assertions about a record; C has none about bit-fields."""
    record = plan.record
    name, predicted = f"{record.keyword} {record.tag}", plan.predicted
    claims = [(f"sizeof({name})", predicted.size), (f"_Alignof({name})", predicted.align)]
    claims += [
        (f"__builtin_offsetof({name}, {member.path})", member.bit_offset // 8) for member in plan.offsets
    ]
    claims += [(alignment_asked(name, asked), asked.align) for asked in plan.alignments]
    asserted = (f'_Static_assert({what} == {size}, "WRONG: {what} is not {size}");' for what, size in claims)
    text = definitions((record,))
    return sve_names((text,)) + "\n".join([text, *asserted, ""])


def alignment_asked(name: str, asked: MemberAlignment) -> str:
    """The expression that tells an alignment in a record called `name`."""
    if asked.type is not None:
        return f"_Alignof({declare(asked.type, '')})"
    return f"__alignof__((({name} *)0)->{asked.path})"


def layout_values(plan: LayoutPlan, order: ByteOrder) -> str:
    """values.h for a record: the constants of probe.c and what they must be."""
    tables = Tables()
    rows: list[BundleRow] = []
    words = [("sizeof, bytes", plan.predicted.size), ("_Alignof, bytes", plan.predicted.align)]
    words += [(f"offset of {member.path}, bytes", member.bit_offset // 8) for member in plan.offsets]
    first = len(words)
    words += [(f"{asked.what}, bytes", asked.align) for asked in plan.alignments]
    for number, (what, value) in enumerate(words):
        whole = (1 << 8 * WORD) - 1
        rows.append(
            BundleRow(
                what,
                "OBJECT" if number < first else "TOLD",
                0,
                value.to_bytes(WORD, order),
                whole.to_bytes(WORD, order),
                f"abi_layout + {number}",
            )
        )
    symbols = ["extern const unsigned long long abi_layout[];"]
    for number, member in enumerate(plan.bit_fields):
        symbol = bits_symbol(0, number)
        size = plan.predicted.size
        before = member.bit_offset if order == "little" else size * 8 - member.bit_offset - member.bit_width
        value = ((1 << member.bit_width) - 1) << before
        symbols.append(f"extern const byte {symbol}[];")
        rows.append(
            BundleRow(
                f"all bits of {member.path}",
                "OBJECT",
                0,
                value.to_bytes(size, order),
                b"\xff" * size,
                symbol,
            )
        )
    listed = ",\n".join(f"  {tables.place(row)}" for row in rows)
    head = ["#define OBJECTS", *symbols, *tables.lines]
    tail = [f"static const struct place objects[] = {{\n{listed}\n}};", "static const struct turn turns[1];"]
    return "\n".join([*head, *tail, "static void (*const abi_functions[2])(void);", ""])
