"""A known deviation that a run does not show is looked for on its example, and told when it is gone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from abiprobe.harness.triage import causes
from abiprobe.harness.triage.known_examples import ExampleResult, ExampleStatus, SubjectResult
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import parse
from abiprobe.results.known.matches import match_known

from .test_known_causes import AGREES, DIFFERS, ENTRY, SHOWS, SILENT, run_of

(PLANTED,) = parse(ENTRY, "known.toml").entries
TOURED = True


def toured(*subjects: str, target: str = "x86_64-sysv") -> Run:
    """A run with tours, which is not a quick one."""
    run = run_of(*subjects, target=target)
    return replace(run, header=replace(run.header, plan=replace(run.header.plan, tours=TOURED)))


ROWS = [
    # the compilers of the run, what they show on the example, what all others do, whether it is gone
    (toured("clang-16"), {"clang-16": AGREES}, ExampleStatus.AGREES, True),
    (toured("clang-16"), {"clang-16": AGREES}, ExampleStatus.DEVIATES, False),
    (toured("clang-16"), {"clang-16": SHOWS}, ExampleStatus.AGREES, False),
    (toured("clang-16"), {"clang-16": DIFFERS}, ExampleStatus.AGREES, False),
    (toured("clang-16"), {"clang-16": SILENT}, ExampleStatus.AGREES, False),
    (toured("clang-16", "clang-14"), {"clang-16": AGREES, "clang-14": SHOWS}, ExampleStatus.AGREES, False),
    (toured("clang-22"), {"clang-22": AGREES}, ExampleStatus.AGREES, False),
    (run_of("clang-16"), {"clang-16": AGREES}, ExampleStatus.AGREES, False),
    (
        toured("clang-16", target="x86_64-sysv@clang-reading"),
        {"clang-16": AGREES},
        ExampleStatus.AGREES,
        False,
    ),
]


@pytest.mark.parametrize(("run", "shown", "elsewhere", "gone"), ROWS)
def test_what_is_gone(
    monkeypatch: pytest.MonkeyPatch,
    run: Run,
    shown: dict[str, SubjectResult],
    elsewhere: ExampleStatus,
    gone: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(
        causes,
        "run_on_subject",
        lambda entries, _target, subject, _levels: {one.name: shown[subject] for one in entries},
    )
    monkeypatch.setattr(
        causes, "run_examples", lambda entries, _run: {one.name: ExampleResult(elsewhere) for one in entries}
    )
    found = match_known((), (PLANTED,), {})
    assert causes.gone_entries(run, found, (PLANTED,)) == ((PLANTED,) if gone else ())
