"""The page of an ABI marks who conforms up to how many hidden states, by compiler and version."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from abiprobe.harness.nights.site import Extras, build_content
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.journal.journal import BatchDone, BatchKey, Suite
from abiprobe.results.known.deviations import Known
from abiprobe.results.site.news import Past
from abiprobe.results.site.pages import files
from abiprobe.results.verdicts.record import Judgement, Verdict

from .samples import X86, triaged

GOOD, BAD = "gcc-12", "clang-22"
MARK = "plain: conforms up to 2 hidden states"


def done(subject: str, judgement: Judgement) -> BatchDone:
    """The one signature of a suite."""
    verdict = Verdict("0" * 12, ProbeKind.CALLER, judgement)
    return BatchDone(BatchKey(X86, subject, "O0", Sort.COMPLETE, 0), 1, (verdict,))


@pytest.fixture(scope="module")
def page() -> str:
    made = triaged("run", "2026-01-02T03:04:05+00:00", (), {X86: (GOOD, BAD)})
    header = replace(made.run.header, complete=(Suite(X86, "plain", 2, 127, 23, 1, 0, 1),))
    batches = (done(GOOD, Judgement.AGREES), done(BAD, Judgement.DEVIATES))
    run = replace(made, run=replace(made.run, header=header, batches=batches))
    content = build_content((run,), Known(), Past(), "abiprobe", Extras())
    (found,) = [data.decode() for name, data in files(content) if name.endswith(f"{X86}.html")]
    return found


def test_only_who_conforms_has_a_mark_beside_its_version(page: str) -> None:
    rows = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in page.split("<tr>")]
    (good,) = [row for row in rows if row.startswith(GOOD) and "probes" not in row]
    (bad,) = [row for row in rows if row.startswith(BAD) and "probes" not in row]
    assert MARK in good
    assert "12.2.0" in good
    assert "conforms" not in bad
