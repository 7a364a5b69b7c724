"""The clauses that quirks change, found by their examples once for each version of abiprobe and kept in the cache."""

from __future__ import annotations

import msgspec

from abiprobe.harness.base.cache import entry, kept
from abiprobe.harness.runs import tours
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.text.clause import NAME as CLAUSE

_DECODER = msgspec.json.Decoder(dict[str, frozenset[str]])


def clauses_of(target: Target) -> dict[str, frozenset[str]]:
    """The clauses in the text's answer to the example of each quirk that comes with abiprobe and reaches a target."""
    return kept(entry("quirk-clauses", f"{target}-{tours.version()}.json"), _DECODER, lambda: found(target))


def found(target: Target) -> dict[str, frozenset[str]]:
    """Find them anew, for which every example is read."""
    from abiprobe.harness.subjects.dialects import answer
    from abiprobe.harness.triage.quirk_examples import examples_of

    return {
        name: frozenset(CLAUSE.findall(str([answer(target, one) for one in questions])))
        for name, questions in examples_of(target, QUIRKS.values())
    }
