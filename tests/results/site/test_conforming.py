"""The page of an ABI marks who conforms up to how many hidden states, by compiler and version."""

from __future__ import annotations

import re
from html import unescape

import pytest
from msgspec.structs import replace

from abiprobe.harness.nights.site import Extras, build_content
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.journal.journal import BatchDone, BatchKey, Suite
from abiprobe.results.known.deviations import Known
from abiprobe.results.known.matches import match_known
from abiprobe.results.report import page as html
from abiprobe.results.report.markdown import markdown
from abiprobe.results.report.run_report import run_report
from abiprobe.results.site.news import Past
from abiprobe.results.site.pages import files
from abiprobe.results.site.sightings import Triaged
from abiprobe.results.verdicts.record import Judgement, Verdict

from .samples import X86, triaged

GOOD, BAD = "gcc-12", "clang-22"
MARK = "plain: conforms up to 2 hidden states"


def done(subject: str, judgement: Judgement) -> BatchDone:
    """The one signature of a suite."""
    verdict = Verdict("0" * 12, ProbeKind.CALLER, judgement)
    return BatchDone(BatchKey(X86, subject, "O0", Sort.COMPLETE, 0), 1, (verdict,))


def a_run() -> Triaged:
    """A run of a suite, with which one of two compilers agrees."""
    made = triaged("run", "2026-01-02T03:04:05+00:00", (), {X86: (GOOD, BAD)})
    header = replace(made.run.header, complete=(Suite(X86, "plain", 2, 127, 23, 1, 0, 1),))
    batches = (done(GOOD, Judgement.AGREES), done(BAD, Judgement.DEVIATES))
    return replace(made, run=replace(made.run, header=header, batches=batches))


@pytest.fixture(scope="module")
def page() -> str:
    content = build_content((a_run(),), Known(), Past(), "abiprobe", Extras())
    (found,) = [data.decode() for name, data in files(content) if name.endswith(f"{X86}.html")]
    return found


def test_only_who_conforms_has_a_mark_beside_its_version(page: str) -> None:
    rows = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in page.split("<tr>")]
    (good,) = [row for row in rows if row.startswith(GOOD) and "probes" not in row]
    (bad,) = [row for row in rows if row.startswith(BAD) and "probes" not in row]
    assert MARK in good
    assert "12.2.0" in good
    assert "conforms" not in bad


def test_reports_for_browsers_and_mails_say_what_is_proved() -> None:
    story = run_report(a_run().run, (), match_known((), (), {}))
    browsed = html.page(story, html.Past(), html.Lines("", "", "", {}), triaged=True)
    for told in (markdown(story).replace("\\", ""), unescape(browsed)):
        assert f"{X86} {GOOD} -O0: conforms up to 2 hidden states in plain (1 signature)" in told
        assert f"{X86} {BAD} -O0: plain: of 1 signature 1 deviate" in told
        assert "at most 2 more states than the model" in told
