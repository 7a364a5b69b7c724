"""Which earlier run a page compares with: the last triaged one of the same plan."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from abiprobe.harness.nights.report_data import earlier_runs
from abiprobe.harness.runs.run_files import TRIAGE, Triaged, write_run
from abiprobe.oracles.language.lang import Prototype
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import IDENTITIES, Cluster, Finding
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.journal.journal import SCHEMA, Footer, Header, Plan, Run, verdict_digest
from abiprobe.results.report.changes_since import ChangesSince

TARGET = "x86_64-sysv"
PLAN = Plan(1, 10, (TARGET,), ("cc",), ("O0",))


def cluster(name: str) -> Cluster:
    blame = Blame(Stand.UNOPPOSED, ("cc",), levels=("O0",))
    finding = Finding(
        Fingerprint(TARGET, Symptom.MISPLACED, "x86_64:pass.integer"),
        Prototype("f", None, ()),
        1,
        frozenset({"struct"}),
        blame,
        "O0",
        "confirmed",
        True,  # noqa: FBT003 - steady
        ("0123456789ab",),
        {"cc": 1},
    )
    return Cluster(name, ("struct",), Symptom.MISPLACED, (finding,), 1, {"cc": 1})


def night(
    store: Path, day: int, *names: str, plan: Plan = PLAN, triaged: bool = True
) -> tuple[Path, Header, list[Cluster]]:
    folder = store / f"n{day}"
    head = Header(SCHEMA, "1", f"2026-01-0{day}T00:00:00+00:00", plan, ())
    digest = verdict_digest(())
    write_run(folder, Run(head, (), Footer(0, 0, digest, "complete", 1.0)))
    found = [cluster(name) for name in names]
    if triaged:
        kept = Triaged(SCHEMA, digest, tuple(found), IDENTITIES)
        (folder / TRIAGE).write_bytes(msgspec.json.encode(kept))
    return folder, head, found


def since(last: tuple[Path, Header, list[Cluster]]) -> ChangesSince | None:
    folder, head, found = last
    return earlier_runs(folder, head, found).since


def test_the_first_run_has_none_before_it(tmp_path: Path) -> None:
    assert since(night(tmp_path, 1, "c1")) is None


def test_the_last_run_of_the_same_plan_counts(tmp_path: Path) -> None:
    night(tmp_path, 1, "c1", "c4")
    night(tmp_path, 2, "c1", "c2", plan=replace(PLAN, seed=2))
    night(tmp_path, 3, "c9", plan=replace(PLAN, levels=("O2",)))
    night(tmp_path, 4, triaged=False)
    last = night(tmp_path, 5, "c2", "c3", "c4", plan=replace(PLAN, seed=5))
    night(tmp_path, 6, "c1", plan=replace(PLAN, seed=6))
    found = since(last)
    assert found is not None
    assert found.started.startswith("2026-01-02")
    assert found.appeared == {"c3": "", "c4": "2026-01-01T00:00:00+00:00"}
    assert [one.id for one in found.gone] == ["c1"]
    assert found.redrawn


def test_the_same_questions_again_are_not_drawn_anew(tmp_path: Path) -> None:
    night(tmp_path, 1, "c1")
    found = since(night(tmp_path, 2, "c1"))
    assert found is not None
    assert not found.redrawn
    assert str(found) == "+0 -0"
