"""The rules of PTX, put to ptxas: each text is expected to be taken or refused, and with which words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.generators.ptx_texts import Text
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.device.assembler.assemble import NEWEST, UNKNOWN_ARCH, Assembled, Assembler
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.text.conformity import NEWEST as NEWEST_RELEASE
from abiprobe.oracles.abis.ptx.text.conformity import Expected, expect
from abiprobe.oracles.abis.ptx.text.rules import Enforced
from abiprobe.results.verdicts.record import Outcome

TARGET = re.compile(r"\.target (sm_\d+)")
OLDER = "sm_80"


class Ruled(msgspec.Struct, frozen=True):
    """One text put to one ptxas: what the model expects, what came, and whether they agree.

    `breaches` are the rules that it breaks, by name, `clauses` those of the document behind them, for each once.
    """

    text: str
    release: str
    conforms: bool
    expected: Enforced
    seen: Enforced
    words: str
    agrees: bool
    breaches: tuple[str, ...]
    clauses: tuple[str, ...] = ()

    @property
    def tolerated(self) -> bool:
        """Return whether ptxas accepted without a message what the document forbids."""
        return not self.conforms and self.seen is Enforced.ACCEPTED


def rule_on(tool: Tool, texts: Sequence[Text]) -> Iterator[Ruled]:
    """Put texts to a ptxas, one call each; those of a version that it does not know are left out.

    A text for an architecture that came after the ptxas is put to it as one for an older one.
    """
    with temporary() as folder:
        for text in texts:
            one, assembled = text, assemble(tool, text, Path(folder))
            if UNKNOWN_ARCH in assembled.words:
                one = msgspec.structs.replace(text, ptx=TARGET.sub(f".target {OLDER}", text.ptx, count=1))
                assembled = assemble(tool, one, Path(folder))
            if NEWEST.search(assembled.words) is None:
                yield ruled(one, tool, assembled)


def assemble(tool: Tool, text: Text, folder: Path) -> Assembled:
    """Assemble a text with a ptxas, for its target or for the oldest that every release tried knows."""
    found = TARGET.search(text.ptx)
    arch = found[1] if found is not None and int(found[1][3:]) >= 75 else "sm_75"
    return Assembler(tool, arch, "O1", "-c" in text.options).once(text.ptx, folder, 1)


def ruled(one: Text, tool: Tool, assembled: Assembled) -> Ruled:
    """Compare what came of a text with what the model expects."""
    expected = expect(one.ptx, one.options, numbered(tool.release))
    seen = outcome(assembled)
    names = tuple(breach.rule.name for breach in expected.breaches)
    return Ruled(
        one.name,
        tool.release,
        expected.conforms,
        expected.outcome,
        seen,
        assembled.words,
        agree(expected, seen, assembled.words),
        names,
        tuple(dict.fromkeys(breach.rule.clause for breach in expected.breaches if breach.rule.written)),
    )


def numbered(release: str) -> tuple[int, int]:
    """The first two numbers of a release; one that tells none counts as the newest."""
    found = re.match(r"(\d+)\.(\d+)", release)
    return (int(found[1]), int(found[2])) if found else NEWEST_RELEASE


def outcome(assembled: Assembled) -> Enforced:
    """Return the reaction of ptxas to a text."""
    match assembled.outcome:
        case Outcome.OBSERVED:
            return Enforced.WARNED if "disabling ABI" in assembled.words else Enforced.ACCEPTED
        case Outcome.CRASHED:
            return Enforced.CRASHED
        case _:
            return Enforced.REFUSED


def agree(expected: Expected, seen: Enforced, words: str) -> bool:
    """Return whether ptxas reacted as expected, and printed one of the expected messages if it refused."""
    if expected.outcome is not seen:
        return False
    return seen is not Enforced.REFUSED or any(message in words for message in expected.messages)
