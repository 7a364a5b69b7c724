"""Facts about an object file, troubles with it, and findings on two; each cites the clause that it rests on, if it has one."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.linking.field import Answer


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a file says of its ABI."""

    name: str
    value: str
    clause: str = ""


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the document of a target does not allow."""

    why: str
    clause: str = ""


class Finding(msgspec.Struct, frozen=True):
    """A reason for which two files may not, may not simply, or may not knowingly be linked together."""

    answer: Answer
    why: str
    clause: str = ""


class Comparison(msgspec.Struct, frozen=True):
    """Two files compared: what was compared, by name, and what was found."""

    compared: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def answer(self) -> Answer:
        """The gravest answer."""
        return max((each.answer for each in self.findings), default=Answer.LINKED)
