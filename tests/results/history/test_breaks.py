"""ABI breaks where no text decides: what stands elsewhere than before, and what a compiler no longer finds itself."""

from __future__ import annotations

import pytest
from laboratory import said

from abiprobe.results.history.breaks import Break, shown_breaks
from abiprobe.results.verdicts.record import Shown

RDI, XMM0, EITHER = (said.shown("a [0..4)", at) for at in (("rdi",), ("xmm0",), ("rdi", "xmm0")))
LOST_BY_CALLEE = said.shown("a [0..4)", ("rdi",), ("stack+8",))
LOST = "rdi, but read from stack+8"

ROWS = [
    (RDI, RDI, ()),
    (RDI, EITHER, ()),
    (RDI, XMM0, (("caller", "rdi", "xmm0"),)),
    (RDI, LOST_BY_CALLEE, (("caller", "rdi", LOST),)),
    (LOST_BY_CALLEE, XMM0, (("caller", LOST, "xmm0"),)),
    (LOST_BY_CALLEE, LOST_BY_CALLEE, ()),
    (RDI, said.shown("b [0..4)", ("rsi",)), ()),
    (
        said.shown("result [0..4)", ("rax",)),
        said.shown("result [0..4)", ("xmm0",)),
        (("result", "rax", "xmm0"),),
    ),
]


@pytest.mark.parametrize(("before", "after", "found"), ROWS)
def test_what_stands_elsewhere_is_a_break(
    before: Shown, after: Shown, found: tuple[tuple[str, str, str], ...]
) -> None:
    expected = [Break("p", side, after.what, old, new) for side, old, new in found]
    assert list(shown_breaks("p", (before,), (after,))) == expected
