"""The page of a run: what its first screen says, what is open and what is collapsed, and that it needs nothing else."""

from __future__ import annotations

import re
from datetime import date
from html.parser import HTMLParser

import pytest
from laboratory import said
from msgspec.structs import replace

from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.quirks.quirk import Status
from abiprobe.oracles.text.clause import address
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.history.index import Night
from abiprobe.results.journal.journal import (
    SCHEMA,
    BatchDone,
    BatchKey,
    Footer,
    Header,
    Plan,
    Run,
    SubjectInfo,
)
from abiprobe.results.known.deviations import Entry
from abiprobe.results.known.matches import MatchedCluster, match_known
from abiprobe.results.report.bar_chart import bar_chart
from abiprobe.results.report.cause_groups import named
from abiprobe.results.report.changes_since import ChangesSince, GoneCause, changes_since, same_plan
from abiprobe.results.report.page import Lines, Past, page
from abiprobe.results.report.run_report import ReportedCause, RunReport, run_report
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Judgement, Verdict

TARGET, SUBJECT = "riscv64-lp64d", "zig"
CLAUSE, SECOND = "riscv:fp.flatten-zero-width", "riscv:fp.nan-box"
PLAN = Plan(1, 10, (TARGET,), (SUBJECT, "gcc-12"), ("O0",))
ZIG = SubjectInfo(TARGET, SUBJECT, "clang version 22.1.8", "d1")
HEAD = Header(SCHEMA, "1", "2026-01-02T03:04:05+00:00", PLAN, (ZIG,))
FOOTER = Footer(1, 4, "feed", "complete", 2.0)
LINES = Lines("abiprobe run again", "abiprobe triage it", "abiprobe diff these", {})
NEW, FLAKY, BUG, WONTFIX = "c0000001", "c0000002", "c0000003", "c0000004"


def told(name: str, probe: str, *, status: Status | None = None, steady: bool = True) -> ReportedCause:
    blame = Blame(Stand.ALONE, (SUBJECT,), ("gcc-12",), levels=("O0",))
    findings = tuple(
        Finding(
            Fingerprint(TARGET, Symptom.MISPLACED, clause),
            Prototype("f", None, ()),
            1,
            frozenset({"struct"}),
            blame,
            "O0",
            "confirmed",
            steady,
            (probe,),
            {SUBJECT: 1},
        )
        for clause in (CLAUSE, SECOND)
    )
    found = Cluster(name, ("struct",), Symptom.MISPLACED, findings, 1, {SUBJECT: 1})
    entry = Entry(
        name=f"entry of {name}",
        targets=(TARGET,),
        subjects=("clang",),
        status=status or Status.BUG,
        reason="a reason",
        link="https://example.org/1",
        since=date(2026, 1, 1),
        example="void f(void);",
        shows={Symptom.MISPLACED: (CLAUSE, SECOND)},
    )
    entries = (entry,) if status else ()
    return ReportedCause(
        found, f"title of {name}", "void f(void);", "known" if status else "", "", (), entries
    )


EVERY = (
    told(BUG, "a3", status=Status.BUG),
    told(NEW, "a1"),
    told(WONTFIX, "a4", status=Status.WONTFIX),
    told(FLAKY, "a2", steady=False),
)


def a_story(*items: ReportedCause, footer: Footer | None = FOOTER) -> RunReport:
    verdicts = tuple(
        Verdict(
            item.cluster.first.probes[0],
            ProbeKind.CALLER,
            Judgement.DEVIATES,
            clause=CLAUSE,
            detail="it",
            differences=(said.difference("caller", "a", "fa0", "10", "2c", CLAUSE, "found in a0"),),
        )
        for item in items
    )
    key = BatchKey(TARGET, SUBJECT, "O0", Sort.PROTOTYPES, 0)
    batch = BatchDone(key, len(verdicts), verdicts, clauses={CLAUSE: (0, len(verdicts))})
    matched = match_known((batch,), (), {}).of_clusters(
        MatchedCluster(item.cluster, item.cluster, item.entries) for item in items
    )
    return run_report(Run(HEAD, (batch,), footer), items, matched)


def a_page(*items: ReportedCause, past: Past | None = None, triaged: bool = True) -> str:
    lines = replace(LINES, causes={item.cluster.id: (f"abiprobe repro {item.cluster.id}",) for item in items})
    return page(a_story(*items), past or Past(), lines, triaged=triaged)


def plain(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


class Parsed(HTMLParser):
    """The causes of a page in their order, each with its attributes and whether it is in a collapsed group."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.causes: list[tuple[str, str, bool, bool]] = []
        self.outside: list[str] = []
        self.unnamed: list[str] = []
        self._groups: list[bool] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in {"link", "img", "iframe"} or "src" in found:
            self.outside.append(tag)
        if tag in {"input", "select", "svg", "form"} and "aria-label" not in found:
            self.unnamed.append(tag)
        if tag == "details":
            if "cause" in (found["class"] or ""):
                collapsed = any(self._groups)
                self.causes.append((found["id"] or "", found["data-label"] or "", "open" in found, collapsed))
            self._groups.append(found.get("class") == "group")

    def handle_endtag(self, tag: str) -> None:
        if tag == "details":
            self._groups.pop()


def test_the_first_line_says_of_which_targets_and_what_was_found() -> None:
    head = re.search(r"<h1>(.*?)</h1>", a_page(*EVERY))
    assert head is not None
    assert re.sub("<[^>]+>", "", head[1]) == f"{TARGET}: 1 new cause, 1 flaky, 2 known"
    assert "no new cause, 1 known" in plain(a_page(told(BUG, "a3", status=Status.BUG)))


def test_new_causes_are_first_and_open_and_known_ones_grouped_by_status() -> None:
    assert Parsed(a_page(*EVERY)).causes == [
        (NEW, "new", True, False),
        (FLAKY, "flaky", False, True),
        (BUG, "bug", False, True),
        (WONTFIX, "wontfix", False, True),
    ]


def test_causes_come_before_counts() -> None:
    text = a_page(*EVERY)
    assert text.index(f'id="{NEW}"') < text.index('id="known"') < text.index('id="counts"')


def test_a_page_refers_to_nothing_outside_and_names_its_controls() -> None:
    page = Parsed(a_page(*EVERY))
    assert page.outside == []
    assert page.unnamed == []
    assert "default-src 'none'" in a_page(*EVERY)


def test_every_clause_of_a_cause_links_to_its_document() -> None:
    text = a_page(EVERY[1])
    for clause in (CLAUSE, SECOND):
        assert f'<li><a href="{address(clause)}"><code>{clause}</code></a>' in text


def test_a_known_cause_has_the_name_of_its_entry_and_its_report() -> None:
    text = a_page(*EVERY)
    assert f"entry of {BUG}" in text
    assert '<a href="https://example.org/1">Upstream report</a>' in text


def test_what_was_recorded_and_how_to_see_it_again_is_there() -> None:
    text = plain(a_page(EVERY[1]))
    assert "caller: a in fa0: expected 10, saw 2c (found in a0)" in text
    for line in ("abiprobe run again", f"abiprobe repro {NEW}"):
        assert line in text


@pytest.mark.parametrize(("item", "red"), [(EVERY[1], True), (EVERY[0], False)], ids=["new", "known"])
def test_a_count_is_red_only_where_a_cause_is_new(item: ReportedCause, red: bool) -> None:  # noqa: FBT001 - a table
    cell = re.search(r'data-name="deviates" class="([^"]*)"', a_page(item))
    assert cell is not None
    assert ("wrong" in cell[1]) is red


def test_without_triage_the_page_says_how_to_reduce_what_is_new() -> None:
    text = plain(a_page(EVERY[1], triaged=False))
    assert "as far reduced as there was time" in text
    assert "abiprobe triage it" in text
    assert "as far reduced" not in plain(a_page(EVERY[0], triaged=False))


def test_what_changed_since_the_last_run_stands_above_the_causes() -> None:
    changed = ChangesSince(
        "2026-01-01T03:04:05+00:00",
        "old",
        {NEW: ""},
        (GoneCause("c9", "a struct"),),
        ("zig: 1 -> 2",),
        redrawn=False,
    )
    text = plain(a_page(*EVERY, past=Past(since=changed)))
    assert f"Since 2026-01-01 03:04: +1 -1 · appeared: title of {NEW} · gone: a struct" in text
    assert "Compiler replaced: zig: 1 -&gt; 2" in text
    assert "abiprobe diff these" in text
    redrawn = replace(changed, redrawn=True)
    assert "not met this time: a struct" in plain(a_page(*EVERY, past=Past(since=redrawn)))


def test_changes_between_two_runs_of_a_plan() -> None:
    now = replace(HEAD, plan=replace(PLAN, seed=2), subjects=(replace(ZIG, version="v2", digest="d2"),))
    assert same_plan(HEAD.plan, now.plan)
    assert not same_plan(HEAD.plan, replace(PLAN, levels=("O2",)))
    found = changes_since(("old", HEAD, {"a": "A", "b": "B"}), now, ["b", "c", "d"], {"c": "2025"})
    assert found.appeared == {"c": "2025", "d": ""}
    assert found.gone == (GoneCause("a", "A"),)
    assert found.replaced == ("zig: clang version 22.1.8 -> v2",)
    assert found.redrawn
    assert str(found) == "+2 -1"


def test_bars_of_one_day_are_told_apart_by_the_time() -> None:
    same = str(bar_chart(["2026-01-01 10:00", "2026-01-01 11:00"], [1, 1], "probes"))
    assert "2026-01-01 10:00" in same
    assert "at most 1 probe<" in same
    assert ">2026-01-02<" in str(bar_chart(["2026-01-01 10:00", "2026-01-02 10:00"], [1, 2], "probes"))


def test_plural_forms() -> None:
    assert [quantity(number, "probe") for number in (0, 1, 2)] == ["0 probes", "1 probe", "2 probes"]
    assert quantity(1_234_567, "verdict") == "1234567 verdicts"


def test_the_embedded_compiler_is_named_with_its_clang() -> None:
    assert named("zig", "clang version 22.1.8") == "zig (clang 22.1.8)"
    assert named("clang-22", "clang version 22.1.8") == "clang-22"
    assert "zig (clang 22.1.8)" in a_page(*EVERY)


def test_a_history_of_nights_has_a_bar_for_each() -> None:
    nights = tuple(
        Night(f"n{day}", f"2026-01-0{day}T00:00:00", 1, "", "complete", 10, 1.0, 7 * day, 30.5)
        for day in (1, 2)
    )
    text = a_page(*EVERY, past=Past(nights, counts=(1, 2), news=(0, 1), replaced=((), ())))
    for values in ('1 2" data-unit="causes"', '0 1" data-unit="causes"', '7 14" data-unit="probes"'):
        assert f'data-values="{values}' in text
    assert 'data-values="30 30" data-unit="CPU seconds"' in text
