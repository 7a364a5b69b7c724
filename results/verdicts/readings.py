"""Name the reading that a compiler follows where the text leaves a question open.

There is no right or wrong here, so the verdict stays `unspecified`; but that two compilers read the same silence
differently is what their users need to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Layout, Unspecified
from abiprobe.results.verdicts.judge import judge_layout
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

AND = " and "
"""Between the names of readings that one answer follows."""
OWN = "each its own"
"""Stands for a quirk where compilers differ and each of them follows its own dialect."""
CRASHED_AGAIN = "crashed when asked again"
"""Stands for a quirk where the compiler died when it was asked once more, so that its answer was chance."""
NONE = "none"
"""The reading of a compiler that lays out as no family does."""


def left_open(
    probe: str, kind: ProbeKind, silence: Unspecified, followed: Iterable[str], *, compared: bool
) -> Verdict:
    """Say which readings a compiler follows, where it was `compared` with any, of what a text leaves open."""
    reading = AND.join(followed) or (NONE if compared else "")
    return Verdict(
        probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, silence.clause, silence.why, reading=reading
    )


def judge_reading(
    probe: str,
    silence: Unspecified,
    readings: Mapping[str, Layout],
    seen: tuple[int, int, Mapping[str, tuple[int, int]]],
) -> Verdict:
    """Say which of `readings` a compiler's layout follows; `seen` is its size, alignment and member places."""
    size, align, places = seen
    compared = {
        name: judge_layout(probe, layout, size, align, as_wide(layout, places))
        for name, layout in readings.items()
    }
    followed = [name for name, verdict in compared.items() if verdict.verdict is Judgement.AGREES]
    first = next(iter(compared.values()))
    detail = silence.why if followed else f"{silence.why}; {first.detail}"
    kind = first.kind
    reading = AND.join(followed) or NONE
    return Verdict(
        probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, silence.clause, detail, reading=reading
    )


def as_wide(layout: Layout, places: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Places by path as they were seen, in bits, each as wide as a layout has it: only bit-fields show how wide they are."""
    widths = {one.path: one.bit_width for one in layout.members if not one.bit_field}
    return {path: (at, widths.get(path, width)) for path, (at, width) in places.items()}
