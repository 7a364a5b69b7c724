"""Triages of every version that kept one are read by this one, and their causes can be called by their old names."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from abiprobe.harness.runs.run_files import Triaged
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, identity
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.old_triages import in_todays_form, recluster
from abiprobe.results.causes.triage_progress import SCHEMA, FirstCauses
from abiprobe.results.journal.journal import BatchDone, BatchKey
from abiprobe.results.verdicts.record import Outcome, unobserved
from abiprobe.results.verdicts.values import Words

FOLDER = Path(__file__).parent / "triages"
SPLIT, UNUSED = "c0f125b9", "c4073b7a"
"""llvm 41784 and 123935: both were c1684e80 where a run had one of them alone."""


@pytest.fixture(scope="module")
def clusters() -> tuple[Cluster, ...]:
    kept = msgspec.json.decode((FOLDER / "0.1.0.json").read_bytes(), type=Triaged)
    assert kept.identities == 1
    return kept.clusters


def test_causes_are_renamed_and_keep_their_findings(clusters: tuple[Cluster, ...]) -> None:
    found = recluster(clusters, ())
    assert all(item.id == identity(item.first) for item in found)
    assert len({item.id for item in found}) == len(found) == len(clusters)
    kept, now = ([one for item in each for one in item.findings] for each in (clusters, found))
    assert sorted(now, key=str) == sorted(kept, key=str)


def test_the_old_names_still_lead_to_their_causes(clusters: tuple[Cluster, ...]) -> None:
    found = recluster(clusters, ())
    for old in clusters:
        (item,) = (one for one in found if one.is_called(old.id))
        assert item.first.example == old.first.example
    assert [one.clauses[0] for name in (SPLIT, UNUSED) for one in found if one.is_called(name)] == [
        "x86_64:pass.whole",
        "x86_64:pass.integer",
    ]
    assert all(one.is_called("c1684e80") for one in found if one.traits == ("__int128",))


def test_the_words_of_a_tool_are_read_from_the_journal_again() -> None:
    question = Prototype("f", None, ())
    said = "clang-22: error: clang frontend command failed with exit code 139 (use -v to see invocation)"
    old = "clang-N: error: clang frontend command failed with exit code N (use -v to see invocation)"
    shown = Fingerprint("x86_64-sysv", Symptom.CRASHED, "", old)
    blame = Blame(Stand.UNOPPOSED, ("clang-22",))
    finding = Finding(
        shown,
        question,
        size=1,
        traits=frozenset({"struct"}),
        blame=blame,
        level="O0",
        confirmed="",
        steady=True,
        probes=("p",),
        subjects={"clang-22": 1},
    )
    kept = Cluster("cf73f223", ("struct",), Symptom.CRASHED, (finding,), 1, {"clang-22": 1})
    verdict = unobserved("p", ProbeKind.CALLER, Outcome.CRASHED, said)
    batch = BatchDone(BatchKey("x86_64-sysv", "clang-22", "O0", Sort.PROTOTYPES, 0), 1, (verdict,))
    (found,) = recluster((kept,), (batch,))
    assert found.first.fingerprint.words == "the compiler died (SIGSEGV)"
    assert found.is_called("cf73f223")


def test_groups_that_had_their_places_in_words_are_read(clusters: tuple[Cluster, ...]) -> None:
    first = clusters[0].first
    blame = Blame(Stand.UNDECIDED, ("clang-22", "gcc-12"), what="a [0..4)")
    old = msgspec.to_builtins(first) | {"blame": msgspec.to_builtins(blame)}
    who = [["clang-22", "O0"]]
    old["blame"]["groups"] = [{"subjects": who, "place": "rdi or stack+8", "reading": "clang"}]
    item = msgspec.to_builtins(clusters[0]) | {"findings": [old]}
    member = {"subjects": ["gcc-12"], "probe": "p", "finding": old, "covers": True, "finished": True}
    kept = {"schema": 1, "digest": "d", "clusters": [item]}
    for stored, kind in ((kept, Triaged), (kept | {"examined": [member]}, FirstCauses)):
        read = msgspec.json.decode(in_todays_form(msgspec.json.encode(stored)), type=kind)
        assert (read.schema, read.digest) == (SCHEMA, "d")
        (group,) = read.clusters[0].first.blame.groups
        assert group.at == (Words("rdi"), Words("stack+8"))
        assert str(group) == "clang-22 -O0 (reading: clang): rdi or stack+8"
        again = msgspec.json.encode(read)
        assert in_todays_form(again) == again
