"""A module that describes its declarations, held against a header."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from abiprobe.harness.bindings.binding import Left
from abiprobe.harness.bindings.calls import Called
from abiprobe.harness.bindings.described import Module, answers, binding_of
from abiprobe.harness.bindings.facts import Fact, Facts, Gatherer
from abiprobe.harness.bindings.header import Header
from abiprobe.harness.bindings.prototypes import declarations


class Compared(NamedTuple):
    """The facts of a header with a binding's answers, its functions, and what the binding leaves open."""

    facts: Facts
    answers: list[tuple[Fact, int | bytes]]
    calls: Called
    left: list[Left]


def compared(file: str, module: Module, lines: Mapping[str, int], header: Header) -> Compared:
    """Hold a module against a header; `lines` has those at which it declares what."""
    binding = binding_of(file, module, lines)
    facts = Gatherer(header, binding).gathered()
    functions, types = header.declared.functions, header.target.model().types
    return Compared(
        facts,
        list(answers(facts, module)),
        declarations(functions, module, binding, types),
        [Left(lines.get(name, 0), name, why) for name, why in module.left],
    )
