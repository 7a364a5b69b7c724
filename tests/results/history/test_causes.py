"""Changes under their causes: only those of their own subject, and each cause once."""

from __future__ import annotations

from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.history.causes import Cause, by_probe, group_by_cause
from abiprobe.results.history.compare import Change, News, change
from abiprobe.results.verdicts.record import Judgement, Verdict

TARGET, CLANG, GCC = "x86_64-sysv", "clang:./cc", "gcc-12"
MOVED = Fingerprint(TARGET, Symptom.MISPLACED, "x86_64:pass.whole")
KEPT = Fingerprint(TARGET, Symptom.KEPT, "x86_64:stack.preserved")
LAYOUT = Fingerprint(TARGET, Symptom.LAYOUT, "gnu:zero-length")
FUNCTION = Prototype("f", None, ())


def caused(fingerprint: Fingerprint, subject: str, *probes: str, trait: str = "__int128") -> Cluster:
    finding = Finding(
        fingerprint,
        FUNCTION,
        size=1,
        traits=frozenset({trait}),
        blame=Blame(Stand.UNOPPOSED, (subject,)),
        level="O0",
        confirmed="",
        steady=True,
        probes=probes,
        subjects={subject: len(probes)},
    )
    (found,) = cluster([finding])
    return found


def changed(
    probe: str,
    news: News,
    *after: Fingerprint,
    before: tuple[Fingerprint, ...] = (),
    subject: str = CLANG,
    level: str = "O0",
) -> Change:
    side = (TARGET, subject, level)
    return Change(side, side, probe, news, before, after, "words")


def told(
    changes: list[Change], old: tuple[Cluster, ...] = (), new: tuple[Cluster, ...] = ()
) -> tuple[Cause, ...]:
    return group_by_cause(changes, {}, (by_probe(old), by_probe(new)))


def test_a_change_is_not_given_to_a_cause_of_another_subject() -> None:
    gcc = caused(MOVED, GCC, "p", trait="zero-length array")
    (found,) = told([changed("p", News.NEW, MOVED)], new=(gcc,))
    assert (found.id, found.subjects, found.clauses) == ("", (CLANG,), (MOVED.clause,))
    clang = caused(MOVED, CLANG, "p")
    (found,) = told([changed("p", News.NEW, MOVED)], new=(gcc, clang))
    assert found.id == clang.id


def test_nor_to_another_cause_of_its_probe() -> None:
    layout = caused(LAYOUT, CLANG, "p", trait="zero-length array")
    other = Fingerprint(TARGET, Symptom.NAMES, "vfabi:variants.isa")
    (found,) = told([changed("p", News.NEW, other)], new=(layout,))
    assert found.id == ""


def test_a_probe_that_two_causes_share_is_told_under_both() -> None:
    moved, layout = caused(MOVED, CLANG, "p"), caused(LAYOUT, CLANG, "p", trait="zero-length array")
    found = told([changed("p", News.NEW, MOVED, LAYOUT)], new=(moved, layout))
    assert {(one.id, one.clauses, one.probes) for one in found} == {
        (moved.id, (MOVED.clause,), 1),
        (layout.id, (LAYOUT.clause,), 1),
    }


def test_what_follows_from_a_cause_belongs_to_it() -> None:
    moved = caused(MOVED, CLANG, "p")
    (found,) = told([changed("p", News.NEW, KEPT)], new=(moved,))
    assert found.id == moved.id


def test_one_cause_is_told_once_with_what_became_of_its_probes() -> None:
    moved = caused(MOVED, CLANG, "p", "q", "r")
    changes = [
        changed("p", News.NEW, MOVED),
        changed("p", News.NEW, MOVED, level="O2"),
        changed("q", News.NEW, KEPT),
        changed("r", News.CHANGED, MOVED, before=(LAYOUT,)),
    ]
    (found,) = told(changes, new=(moved,))
    assert (found.news, found.id, found.probes) == (News.NEW, moved.id, 3)
    assert found.parts == ((News.NEW, 2), (News.CHANGED, 1))


def test_what_is_gone_is_told_apart_from_what_is_new() -> None:
    before = caused(MOVED, CLANG, "p")
    after = caused(LAYOUT, CLANG, "q", trait="zero-length array")
    changes = [changed("p", News.GONE, before=(MOVED,)), changed("q", News.NEW, LAYOUT)]
    assert [(one.news, one.id) for one in told(changes, (before,), (after,))] == [
        (News.NEW, after.id),
        (News.GONE, before.id),
    ]


def test_without_a_triage_changes_of_one_clause_are_one() -> None:
    above = Fingerprint(TARGET, Symptom.ABOVE, MOVED.clause)
    (found,) = told([changed("p", News.NEW, MOVED), changed("q", News.CHANGED, above, before=(LAYOUT,))])
    assert (found.probes, found.clauses) == (2, (MOVED.clause,))
    assert len(told([changed("p", News.NEW, MOVED), changed("p", News.NEW, MOVED, subject=GCC)])) == 2


def reading(probe: str, which: str) -> Change:
    def verdict(name: str) -> Verdict:
        return Verdict(
            probe,
            ProbeKind.LAYOUT,
            Judgement.UNSPECIFIED,
            clause="gnu:x",
            detail=f"struct S_{probe}",
            reading=name,
        )

    side = (TARGET, CLANG, "O0")
    found = change(side, side, probe, (verdict("gcc"),), (verdict(which),))
    assert found is not None
    return found


def test_another_reading_of_an_open_clause_says_from_what_to_what() -> None:
    (found,) = told([reading("p", "clang"), reading("q", "clang")])
    assert (found.news, found.clauses, found.probes) == (News.READS, ("gnu:x",), 2)
    assert found.what == "read as gcc before, as clang now"
