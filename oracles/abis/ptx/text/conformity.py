"""Conformity of a text to the rules, and the expected reaction of ptxas."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.oracles.abis.ptx.text import rules
from abiprobe.oracles.abis.ptx.text.bodies import body_breaches
from abiprobe.oracles.abis.ptx.text.call_rules import call_breaches
from abiprobe.oracles.abis.ptx.text.headers import header_breaches
from abiprobe.oracles.abis.ptx.text.module import Function, Module, PtxSyntaxError
from abiprobe.oracles.abis.ptx.text.parse import parse
from abiprobe.oracles.abis.ptx.text.rules import Breach, Enforced

NEWEST = (99, 0)
"""Stands for whatever release comes."""


class Expected(msgspec.Struct, frozen=True):
    """The expected reaction of ptxas to a text: the outcome, and parts of the message, one of which it prints."""

    outcome: Enforced
    messages: tuple[str, ...] = ()
    breaches: tuple[Breach, ...] = ()

    @property
    def conforms(self) -> bool:
        """Return whether the text breaks no rule of the document."""
        return not any(breach.rule.written for breach in self.breaches)


def breaches(module: Module, *, relocatable: bool = True) -> tuple[Breach, ...]:
    """Every rule that a module breaks."""
    found = list(header_breaches(module, relocatable=relocatable))
    known: dict[str, Function] = {}
    for function in module.functions:
        known[function.name] = function
        if function.body is not None:
            found += call_breaches(function, known)
            found += body_breaches(module, function)
    return tuple(found)


def expect(text: str, options: Sequence[str] = ("-c",), release: tuple[int, int] = NEWEST) -> Expected:
    """Return the expected reaction of a release of ptxas to `text` under `options`."""
    try:
        module = parse(text)
    except PtxSyntaxError as problem:
        found: tuple[Breach, ...] = (Breach(rules.SYNTAX, "module", str(problem)),)
    else:
        found = breaches(module, relocatable="-c" in options)
    enforced_rules = [breach.rule.by(release) for breach in found]
    for outcome in (Enforced.REFUSED, Enforced.CRASHED, Enforced.WARNED):
        messages = tuple(message for enforced, message in enforced_rules if enforced is outcome)
        if messages:
            return Expected(outcome, messages, found)
    return Expected(Enforced.ACCEPTED, (), found)
