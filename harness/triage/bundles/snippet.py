"""A question as a small unit of plain C, for reading what compilers make of it."""

from __future__ import annotations

from abiprobe.harness.machines.render import cxx, cxx_calls, name_units, table_units
from abiprobe.harness.machines.render.c import declare, definitions, prototype
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question
from abiprobe.oracles.language.tables import Tables

GIVEN, SEEN = "given", "seen"
"""Names of the values that are passed, and of the function that is shown values."""


def snippet(question: Question) -> str:
    """A unit with a caller and a callee of a prototype, or with the size and alignment of a record."""
    if isinstance(question, Entity):
        return name_units.PRELUDE + name_units.declarations(question)
    if isinstance(question, Tables):
        return f"{table_units.PRELUDE}{table_units.text(question)}\n"
    if isinstance(question, CxxPrototype):
        return "\n".join((*cxx_calls.declared(question), ""))
    if isinstance(question, Class):
        tag = question.tag
        return f"{cxx.definitions(question)}\nunsigned long size_of_it = sizeof({tag}), alignment_of_it = alignof({tag});\n"
    if isinstance(question, Record):
        return f"{definitions((question,))}\n{record_unit(question)}\n"
    used = (question.result, *(argument.type for argument in question.arguments))
    types = definitions(tuple(c_type for c_type in used if c_type is not None))
    return "\n".join(filter(None, (types, *call_unit(question)))) + "\n"


def record_unit(record: Record) -> str:
    """Size and alignment as constants in the object."""
    value = declare(record, "value")
    return f"{value};\nconst unsigned long size_of_it = sizeof value, alignment_of_it = __alignof__(value);"


def call_unit(function: Prototype) -> tuple[str, ...]:
    """The lines of a caller that passes globals, and of a callee that shows its parameters to another function."""
    names = [f"{GIVEN}_{number}" for number, _ in enumerate(function.arguments)]
    values = [
        f"extern {declare(argument.type, name)};"
        for name, argument in zip(names, function.arguments, strict=True)
    ]
    call = f"{function.name}({', '.join(names)})"
    shown = [f"{SEEN}(&{param.name});" for param in function.params]
    result = [] if function.result is None else [f"extern {declare(function.result, 'returned')};"]
    if function.result is not None:
        caller = f"{declare(function.result, 'got')} = {call}; {SEEN}(&got);"
        shown.append("return returned;")
    else:
        caller = f"{call};"
    return (
        f"void {SEEN}(const volatile void *);",
        f"{prototype(function)};",
        *values,
        *result,
        f"void caller(void) {{ {caller} }}",
        f"{prototype(function, name='callee')} {{ {' '.join(shown)} }}",
    )


def is_shown(question: Question) -> bool:
    """Return whether a question makes such a unit: vector functions and device code do not."""
    return isinstance(question, (Record, *CXX_QUESTIONS)) or not (
        question.simd or question.vertex or question.kernel
    )
