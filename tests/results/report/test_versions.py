"""The versions beside a cause are those that were asked the question that is shown."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.history.index import IndexedRun, history, opened, refresh
from abiprobe.results.journal.journal import NAME, SCHEMA, Header, Plan, SubjectInfo
from abiprobe.results.report.page import Past, of_example, versions

TARGET = "x86_64-sysv"
SHOWN = Prototype("f", None, (Param("a", Scalar(Kind.INT128)),))
OTHER = Prototype("f", None, (Param("a", Scalar(Kind.INT)), Param("b", Scalar(Kind.INT128))))
FOUND = Finding(
    Fingerprint(TARGET, Symptom.MISPLACED, "x86_64:pass.whole"),
    SHOWN,
    size=1,
    traits=frozenset({"__int128"}),
    blame=Blame(Stand.ALONE, ("cc",), ("gcc-12",)),
    level="O0",
    confirmed="",
    steady=True,
    probes=("p",),
    subjects={"cc": 1},
)


def night(question: Prototype, version: str) -> tuple[Cluster, IndexedRun]:
    (found,) = cluster([replace(FOUND, example=question)])
    infos = (SubjectInfo(TARGET, "cc", version, ""), SubjectInfo(TARGET, "gcc-12", "gcc 12", ""))
    plan = Plan(1, 1, (TARGET,), ("cc", "gcc-12"), ("O0",))
    return found, IndexedRun(Header(SCHEMA, "", version, plan, infos), None, 0, (), (found,))


def test_a_version_that_was_asked_another_question_is_not_told(tmp_path: Path) -> None:
    nights = [night(SHOWN, "clang 16"), night(OTHER, "clang 19"), night(SHOWN, "clang 22")]
    folders = [tmp_path / str(number) for number in range(len(nights))]
    for folder in folders:
        folder.mkdir()
        (folder / NAME).touch()
    found = nights[0][0]
    assert {item.id for item, _ in nights} == {found.id}
    with opened(tmp_path / "index.sqlite") as connection:
        assert refresh(connection, folders, lambda _: [entry for _, entry in nights]) == len(nights)
        points = history(connection, found.id)
    assert len(points) == len(nights)
    told = versions(of_example(Past(points={found.id: points}), found))
    assert told == [
        (("clang 16"), TARGET, True),
        (("clang 22"), TARGET, True),
        (("gcc 12"), TARGET, False),
    ]
