"""A cause for which a promise is broken, with what the text says of it."""

from __future__ import annotations

import msgspec

from abiprobe.results.causes.cluster import Cluster


class Stand(msgspec.Struct, frozen=True, omit_defaults=True):
    """The stand of one side of a broken promise by the text: whether it follows it, and the quirks by which that is known if not.

    `follows` is `None` where the text does not decide; `reading` then says whose reading it follows, if any.
    """

    subject: str
    level: str
    follows: bool | None
    quirks: tuple[str, ...] = ()
    reading: str = ""

    def __str__(self) -> str:
        who = f"{self.subject} -{self.level}"
        if self.follows is None:
            return f"{who} is not judged" + (f" (reading: {self.reading})" if self.reading else "")
        known = f" (known: {', '.join(self.quirks)})" if self.quirks else ""
        return f"{who} {'follows' if self.follows else 'departs from'} the text{known}"


class BrokenPromise(msgspec.Struct, frozen=True):
    """One cause for which a promise is broken: its cluster, the clause of the text that decides there, and who follows that."""

    cause: Cluster
    clause: str
    stands: tuple[Stand, ...]


class CounterExamples(msgspec.Struct, frozen=True):
    """Counter-examples to a promise, at most one for the layouts and one for the calls of a target, and how many groups differ."""

    examples: tuple[BrokenPromise, ...] = ()
    groups: int = 0
