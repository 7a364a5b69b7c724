"""A question as the C declaration that asks it."""

from __future__ import annotations

from abiprobe.harness.machines.render import simd
from abiprobe.harness.machines.render.c import call_of, definitions, prototype
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import Question


def declaration(question: Question) -> str:
    """The C of a record or a prototype, with the types it uses, and of a variadic function a call."""
    if isinstance(question, Prototype) and question.simd:
        return simd.declaration(question)
    if isinstance(question, Prototype):
        used = (question.result, *(argument.type for argument in question.arguments))
        body = definitions(tuple(c_type for c_type in used if c_type is not None))
        return f"{body}\n{prototype(question)};\n{call_of(question)}".strip()
    return definitions((question,))
