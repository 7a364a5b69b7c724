"""The matrix of promises as a page: what held, what is broken, what was not compared, and what others wrote."""

from __future__ import annotations

from abiprobe.oracles.language.question import Question
from abiprobe.results.report.promise_matrix import page
from abiprobe.results.report.promise_page import matrix_page

from .samples import MATRIX


def shown(_: Question) -> str:
    """Nothing is shown of a question here."""
    return ""


def test_the_numbers_of_the_whole_are_told() -> None:
    assert MATRIX.summary == "1 of 3 promises held on all that was compared, 120 questions in 1.5 CPU minutes"
    assert (MATRIX.broken, MATRIX.complete) == (True, False)
    assert MATRIX.summary in matrix_page(MATRIX, shown)


def test_a_cell_looks_like_what_became_of_its_promise() -> None:
    text = matrix_page(MATRIX, shown)
    assert '<td class="good" data-name="x86_64-sysv layouts">holds (40)</td>' in text
    assert '<td class="wrong" data-name="x86_64-sysv layouts">2 of 40 differ</td>' in text
    # What was not asked is an empty cell, and what could not be compared never looks good.
    assert '<td class="dim" data-name="riscv64-lp64d layouts"></td>' in text
    assert '<td class="dim" data-name="riscv64-lp64d calls">not compared</td>' in text
    assert '<td data-name="since">clang-15</td>' in text


def test_names_are_text() -> None:
    text = matrix_page(MATRIX, shown)
    assert "<b>'" not in text
    assert "&lt;b&gt;" in text


def test_markdown_has_the_same_tables() -> None:
    lines = list(page(MATRIX, shown))
    assert lines[0] == "# Promises of clang"
    assert "| `clang-22 as clang-14` | - | 2 of 40 differ | clang-15 |" in lines
