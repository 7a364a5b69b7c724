"""The matrix of who calls whom: directions apart, levels together, and whether a failure is explained."""

from __future__ import annotations

import io

from msgspec.structs import replace
from rich.console import Console

from abiprobe.results.coverage.pair_matrix import Calls, pair_matrices
from abiprobe.results.coverage.pairs import pairings
from abiprobe.results.journal.journal import SCHEMA, Header, Plan, Run
from abiprobe.results.known.matches import match_known
from abiprobe.results.report.markdown import markdown
from abiprobe.results.report.page import Lines, Past, page
from abiprobe.results.report.run_report import RunReport, run_report
from abiprobe.results.report.summary import Summary
from abiprobe.results.report.terminal import print_matrices, report

from .pair_samples import AGREES, BATCHES, DEVIATES, INFOS, ROW, X86, alone, batch, called

TABLE = """\
caller, callee  gcc-12  clang-22  rustc (rust)
gcc-12                       0/1           1/3
clang-22          1/1!
rustc (rust)       0/1
"""


def as_text(console_of: object) -> str:
    assert isinstance(console_of, io.StringIO)
    return "\n".join(line.rstrip() for line in console_of.getvalue().splitlines())


def test_directions_are_apart_and_levels_are_added_up() -> None:
    (matrix,) = pair_matrices(pairings(BATCHES), INFOS)
    assert (matrix.target, matrix.subjects) == (X86, ROW)
    assert matrix.cells == {
        ("gcc-12", "clang-22"): Calls(1),
        ("gcc-12", "rustc"): Calls(3, 1),
        ("clang-22", "gcc-12"): Calls(1, 1, 1),
        ("rustc", "gcc-12"): Calls(1),
    }
    assert matrix.at("rustc", "clang-22") is None


def test_a_failure_of_a_compiler_that_deviates_is_explained() -> None:
    (matrix,) = pair_matrices(pairings(BATCHES), INFOS)
    explained, unexplained = matrix.at("gcc-12", "rustc"), matrix.at("clang-22", "gcc-12")
    assert explained is not None
    assert unexplained is not None
    assert (explained.explained, explained.text) == (1, "1/3")
    assert (unexplained.explained, unexplained.text) == (0, "1/1!")


def test_a_run_of_before_languages_were_kept_has_names_only() -> None:
    (matrix,) = pair_matrices(pairings(BATCHES))
    assert [matrix.display_name(name) for name in matrix.subjects] == ["clang-22", "gcc-12", "rustc"]


def test_three_compilers_are_a_table() -> None:
    out = io.StringIO()
    print_matrices(Console(file=out, width=200), pair_matrices(pairings(BATCHES), INFOS))
    assert TABLE.rstrip() in as_text(out)


def test_two_compilers_are_lines() -> None:
    out = io.StringIO()
    here = [one for one in BATCHES if one.key.subject != "gcc-12"]
    report(Console(file=out, width=200), Summary(here[:1], subjects=INFOS), str)
    assert "caller, callee" not in out.getvalue()
    assert "clang-22 calls gcc-12 -O0  x86_64-sysv: 1 calls, 1 fail" in out.getvalue()


def test_beside_a_table_lines_are_for_what_neither_explains() -> None:
    out = io.StringIO()
    report(Console(file=out, width=200), Summary(BATCHES, subjects=INFOS), str)
    lines = [line for line in out.getvalue().splitlines() if " calls " in line and "between" not in line]
    assert lines == [
        "clang-22 calls gcc-12 -O0  x86_64-sysv: 1 calls, 1 fail, 1 of them although neither deviates"
    ]


def a_story() -> RunReport:
    header = Header(SCHEMA, "1", "2026-01-02T03:04:05+00:00", Plan(1, 3, (X86,), ROW, ("O0", "O2")), INFOS)
    return run_report(Run(header, BATCHES, None), (), match_known(BATCHES, (), {}))


def test_markdown_has_a_table_for_each_target() -> None:
    assert """\
| caller, callee | gcc-12 | clang-22 | rustc (rust) |
|---|---:|---:|---:|
| gcc-12 |  | 0/1 | 1/3 |
| clang-22 | 1/1! |  |  |
| rustc (rust) | 0/1 |  |  |
""" in markdown(a_story())


def test_the_page_has_a_table_for_each_target() -> None:
    text = page(a_story(), Past(), Lines("", "", "", {}), triaged=True)
    assert '<h2 id="calls">' in text
    assert '<td data-name="rustc (rust)" class="n">1<span class="dim"> / 3</span></td>' in text
    assert (
        '<td data-name="gcc-12" class="n"><span class="wrong">1</span><span class="dim"> / 1</span></td>'
        in text
    )


def test_a_failure_is_explained_by_types_that_both_are_known_to_lay_out_otherwise() -> None:
    verdict = replace(called("a", "gcc-12", DEVIATES), quirks=("gcc 16 aligns less",))
    (found,) = pairings([batch("gcc-16", "O0", alone("a", AGREES), verdict)])
    assert (found.failed, found.explained) == (1, 1)
