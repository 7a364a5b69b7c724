"""Deviations of ptxas from the document or the model that are known: no news, as long as it does just that.

Texts that it accepts although they break a rule are known by the rule (`Enforced.ACCEPTED`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.ptxas.physical import Checked, Side
from abiprobe.oracles.abis.ptx.sass.places import RESULT_LIMIT, ROLES
from abiprobe.oracles.quirks.versions import Range
from abiprobe.results.verdicts.record import Judgement, Outcome

RESERVED_BITS = 256
"""Of the size of an array that is passed for one without a size, ptxas reserves what is left of it modulo this number."""


class Known(NamedTuple):
    """A known deviation: its number on the page of findings, the releases that have it, what it is, and which answers it explains."""

    id: str
    releases: Range
    says: str
    explains: Callable[[Assembler, Checked], bool]


def crashes_on_result(assembler: Assembler, one: Checked) -> bool:
    """Return whether ptxas crashes on a call without arguments that has a result in memory, when it optimises."""
    own = one.signature
    return (
        one.outcome is Outcome.CRASHED
        and one.side is Side.CALLER
        and assembler.level != "O0"
        and not own.params
        and own.result is not None
        and own.result.size > RESULT_LIMIT
    )


def reserves_too_little(_: Assembler, one: Checked) -> bool:
    """Return whether a caller overwrites its return address with so many unnamed arguments that ptxas reserves too little for them."""
    last = one.signature.params[-1:]
    return (
        one.judgement is Judgement.DEVIATES
        and one.side is Side.CALLER
        and bool(last)
        and last[0].is_unsized
        and one.unsized >= RESERVED_BITS
        and one.clause == ROLES
    )


KNOWN = (
    Known(
        "X1",
        Range.read("ptxas<13.2"),
        "crashes on a call without arguments whose result has more than 48 bytes",
        crashes_on_result,
    ),
    Known(
        "X8",
        Range.read("ptxas"),
        "reserves the size modulo 256 for an array that is passed for one without a size: the return address is overwritten",
        reserves_too_little,
    ),
)


def known(assembler: Assembler, one: Checked) -> Known | None:
    """The known deviation that explains an answer, `None` where it is news."""
    return next(
        (
            entry
            for entry in KNOWN
            if entry.releases.has("ptxas", assembler.tool.release) and entry.explains(assembler, one)
        ),
        None,
    )
