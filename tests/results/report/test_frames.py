"""The findings about unwind tables, debug information and debuggers as a page."""

from __future__ import annotations

import msgspec

from abiprobe.results.report.frames import FrameReport, frames_page

REPORT = FrameReport(
    about="Unwind tables",
    headings=("target", "of their code", "facts"),
    rows=(("x86_64-sysv", "100%", "12"), ("s390x", "-", "7")),
    remarks=("gcc-16 s390x: 3 functions not compared, refused: <sorry>",),
    causes=(("x86_64-sysv: CFA (rsp), after push", "  functions: gcc-16 2", "    long f0(long n) { return n < 1; }"),),
    known=("      2  gcc: one (bug; gcc-16)  unreported",),
    gone=("gcc: two",),
    drawn="seed 1: 2 functions, 3 s",
)  # fmt: skip


def test_figures_stand_to_the_right() -> None:
    assert REPORT.numbers == (False, True, True)
    text = frames_page(REPORT)
    assert "<td>x86_64-sysv</td>" in text
    assert '<td class="number">100%</td>' in text


def test_everything_is_told_and_is_text() -> None:
    text = frames_page(REPORT, "../index.html")
    for words in ("1 new, 1 known.", "refused: &lt;sorry&gt;", "after push</b>", "return n &lt; 1;", "gcc: one", "gcc: two: known, but", "3 s"):  # fmt: skip
        assert words in text
    assert '<a href="../index.html">All results</a>' in text


def test_nothing_new_is_said() -> None:
    text = frames_page(msgspec.structs.replace(REPORT, causes=(), known=(), gone=()))
    assert text.count("<p>Nothing.</p>") == 2


def test_a_report_is_read_as_it_was_kept() -> None:
    assert msgspec.json.decode(msgspec.json.encode(REPORT), type=FrameReport) == REPORT
