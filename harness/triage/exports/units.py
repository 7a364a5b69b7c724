"""A call in another language than C as a small unit, for reading what its compiler makes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.triage.exports.in_rust import printer
from abiprobe.harness.triage.exports.templates import filled
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.model import Target

COPIED = re.compile(r" *impl Copy for \w+ \{\}")
"""How a record of a unit without `core` is made one that can be copied."""
TEMPLATES: Mapping[str, str] = MappingProxyType({"rustc": "rust_unit.rs.j2", "zig-lang": "unit.zig.j2"})
"""By the names of compilers."""


def unit(name: str, target: Target, question: Question) -> str:
    """A caller and a callee in the language of a compiler; empty where it cannot say them, or has no such unit."""
    template = TEMPLATES.get(name)
    if template is None or not isinstance(question, Prototype):
        return ""
    try:
        made = printer(name, target, question)
    except Problem:
        return ""
    used = [one for one in (question.result, *(param.type for param in question.params)) if one is not None]
    return filled(
        template,
        records=COPIED.sub("", made.definitions(used))
        .replace("#[repr", "#[derive(Clone, Copy)] #[repr")
        .strip(),
        types=[made.type(one.type) for one in question.params],
        result=made.type(question.result) if question.result is not None else "",
        name=question.name,
    )
