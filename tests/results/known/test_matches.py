"""Known deviations recognised probe by probe: what is known, what is new, what only follows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from laboratory import said
from msgspec.structs import replace

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, probe
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.coverage.uncompared import coverage
from abiprobe.results.journal.journal import BatchDone, BatchKey, Kept
from abiprobe.results.known.deviations import Entry, KnownCause, parse
from abiprobe.results.known.matches import KnownMatches, MatchedCluster, exit_status_of, match_known
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved
from tests.results.known.planted import WIDE_ENTRY

TARGET, CLANG, GCC = "x86_64-sysv", "clang-22", "gcc-12"
VERSIONS = {(TARGET, CLANG): "clang version 22.1.8", (TARGET, GCC): "gcc (Debian 12.2.0-14) 12.2.0"}
ENTRY = f"""{WIDE_ENTRY}
[[deviation]]
name = "dies"
targets = ["x86_64-*"]
subjects = ["clang"]
shows.crashed = ["ICE on a wide integer"]
traits = ["__int128"]
status = "bug"
reason = "dies"
link = "unreported"
since = 2026-11-21
example = "void f(__int128 a);"
"""
WIDE = Prototype("f", None, (Param("a", Scalar(Kind.INT128)),))
PLAIN = Prototype("f", None, (Param("a", Scalar(Kind.LONG)),))
MORE = Prototype("f", None, (Param("a", Scalar(Kind.INT128)), Param("b", Scalar(Kind.LDOUBLE))))


def entries(text: str = ENTRY) -> tuple[Entry, ...]:
    return parse(text, "known.toml").entries


def deviates(question: Question, clause: str, kind: ProbeKind = ProbeKind.CALLER) -> Verdict:
    difference = said.difference("caller", "a", "rdi", "1", "2", clause)
    return Verdict(probe(question).id, kind, Judgement.DEVIATES, Outcome.OBSERVED, clause, "", (difference,))


def batch(*shown: tuple[Question, Verdict], subject: str = CLANG, level: str = "O0") -> BatchDone:
    verdicts = tuple(verdict for _, verdict in shown)
    kept = {verdict.probe: question for question, verdict in shown}
    key = BatchKey(TARGET, subject, level, Sort.PROTOTYPES, 0)
    return BatchDone(key, len(kept), verdicts, tuple(Kept(*item) for item in kept.items()))


def found(*batches: BatchDone, known: Sequence[Entry] | None = None) -> KnownMatches:
    return match_known(batches, entries() if known is None else known, VERSIONS)


def dead(question: Question, words: str = "ICE on a wide integer") -> Verdict:
    return unobserved(probe(question).id, ProbeKind.CALLER, Outcome.CRASHED, words)


OBSERVED = [
    ("what the entry says", batch((WIDE, deviates(WIDE, "t:wide"))), True),
    ("another clause", batch((WIDE, deviates(WIDE, "t:other"))), False),
    ("another family", batch((WIDE, deviates(WIDE, "t:wide")), subject=GCC), False),
    ("without the trait", batch((PLAIN, deviates(PLAIN, "t:wide"))), False),
    ("a crash with these words", batch((WIDE, dead(WIDE))), True),
    ("a crash with other words", batch((WIDE, dead(WIDE, "segmentation fault in isel"))), True),
    (
        "a crash of something that has another trait",
        batch((MORE, dead(MORE, "segmentation fault in isel"))),
        False,
    ),
]


@pytest.mark.parametrize(("done", "known"), [row[1:] for row in OBSERVED], ids=[row[0] for row in OBSERVED])
def test_what_is_known_is_not_left_over(done: BatchDone, known: bool) -> None:  # noqa: FBT001
    made = found(done)
    assert bool(made.recurrences()) is known
    assert bool(made.left) is not known
    assert bool(made.news()) is not (known or not made.breaks)


def test_a_deviation_must_be_known_at_every_level() -> None:
    shown = Verdict(probe(WIDE).id, ProbeKind.CALLER, Judgement.DEVIATES, Outcome.OBSERVED, "t:wide", "", ())
    both = found(
        batch((WIDE, deviates(WIDE, "t:wide"))), batch((WIDE, replace(shown, clause="t:other")), level="O2")
    )
    assert [item.entry.name for item in both.recurrences()] == ["wide"]
    assert [group.fingerprint.clause for group in both.left] == ["t:other"]


def test_only_the_subjects_that_no_entry_names_are_left() -> None:
    made = found(
        batch((WIDE, deviates(WIDE, "t:wide"))), batch((WIDE, deviates(WIDE, "t:wide")), subject=GCC)
    )
    (group,) = made.left
    assert group.subjects == (GCC,)
    assert [asked[0] for asked in group.members[0].deviating] == [GCC]
    (item,) = made.recurrences()
    assert (item.probes, item.targets, item.subjects) == (1, (TARGET,), {CLANG: 1})


def test_what_only_follows_is_excused() -> None:
    kept = deviates(WIDE, "t:preserved", ProbeKind.PRESERVATION)
    made = found(batch((WIDE, deviates(WIDE, "t:wide")), (WIDE, kept)))
    assert "follows from another" in made.excuse(TARGET, CLANG, "t:preserved")
    assert "wide" in made.excuse(TARGET, CLANG, "t:wide")
    alone = found(batch((WIDE, kept)))
    assert alone.excuse(TARGET, CLANG, "t:preserved") == ""


def test_an_entry_without_a_plain_example_is_doubtful() -> None:
    made = found(batch((MORE, deviates(MORE, "t:wide"))))
    assert [group.fingerprint.clause for group in made.doubtful] == ["t:wide"]
    assert made.left == ()
    sure = found(batch((MORE, deviates(MORE, "t:wide")), (WIDE, deviates(WIDE, "t:wide"))))
    assert sure.doubtful == ()


def test_a_crash_in_the_words_of_an_entry_is_not_doubtful() -> None:
    made = found(batch((MORE, dead(MORE))))
    assert made.doubtful == () == made.left
    assert [one.entry.name for one in made.recurrences()] == ["dies"]


def as_shown(item: Cluster, *known: KnownCause) -> MatchedCluster:
    """A cluster with what is known of it."""
    return MatchedCluster(item, item, known)


def caused(question: Question, *, steady: bool = True) -> Cluster:
    finding = Finding(
        Fingerprint(TARGET, Symptom.MISPLACED, "t:wide"),
        question,
        1,
        frozenset(),
        Blame(Stand.UNOPPOSED, (CLANG,)),
        "O0",
        "",
        steady,
        (probe(question).id,),
        {CLANG: 1},
    )
    (made,) = cluster([finding])
    return made


def test_triage_has_the_last_word() -> None:
    known = found(batch((WIDE, deviates(WIDE, "t:wide"))))
    refuted = known.of_clusters([as_shown(caused(WIDE))])
    assert refuted.recurrences() == ()
    assert refuted.excuse(TARGET, CLANG, "t:wide") == ""
    new = found(batch((PLAIN, deviates(PLAIN, "t:wide"))))
    proved = new.of_clusters([as_shown(caused(PLAIN), *entries()[:1])])
    assert [item.entry.name for item in proved.recurrences()] == ["wide"]
    flaky = new.of_clusters([as_shown(caused(PLAIN, steady=False))])
    assert flaky.excuse(TARGET, CLANG, "t:wide") == "not shown by every fresh run"


def test_what_the_verdicts_tell_to_be_known_is_known_in_a_new_cause() -> None:
    known = found(batch((WIDE, deviates(WIDE, "t:wide")), (PLAIN, deviates(PLAIN, "t:wide"))))
    both = (probe(PLAIN).id, probe(WIDE).id)
    first = msgspec.structs.replace(caused(PLAIN).first, probes=both, subjects={CLANG: 2})
    (whole,) = cluster([first])
    new, mine = known.known_of(whole, entries(), {CLANG: "clang version 22.1.8"})
    assert (new.first.probes, new.subjects, new.probes, mine) == ((probe(PLAIN).id,), {CLANG: 1}, 1, ())
    told = known.of_clusters([as_shown(new, *mine)])
    assert [(item.entry.name, item.probes) for item in told.recurrences()] == [("wide", 1)]
    same, entry = known.known_of(caused(WIDE), entries(), {})
    assert (same, [one.name for one in entry]) == (caused(WIDE), ["wide"])


def test_what_resembles_an_entry_without_a_plain_example_is_as_its_reduction_is() -> None:
    doubtful = found(batch((MORE, deviates(MORE, "t:wide"))))
    (reduced,) = cluster([msgspec.structs.replace(caused(PLAIN).first, probes=(probe(MORE).id,))])
    assert doubtful.known_of(reduced, entries(), {})[1] == ()


def test_of_a_mixed_cause_what_is_reduced_to_an_entry_is_known() -> None:
    both = found(batch((MORE, deviates(MORE, "t:wide")), (PLAIN, deviates(PLAIN, "t:wide"))))
    described = msgspec.structs.replace(caused(WIDE).first, probes=(probe(MORE).id,))
    mixed = msgspec.structs.replace(caused(PLAIN), findings=(described, caused(PLAIN).first))
    new, mine = both.known_of(mixed, entries(), {CLANG: "clang version 22.1.8"})
    assert (new.first.probes, mine) == ((probe(PLAIN).id,), ())


COMPARED = (batch((PLAIN, Verdict(probe(PLAIN).id, ProbeKind.CALLER, Judgement.AGREES))),)
STATUSES = [
    (set(), COMPARED, False, 0),
    (set(), (), False, 3),
    ({Symptom.MISPLACED}, COMPARED, False, 1),
    ({Symptom.REFUSED}, COMPARED, False, 1),
    ({Symptom.CRASHED}, COMPARED, False, 4),
    ({Symptom.TIMED_OUT}, (), False, 4),
    ({Symptom.CRASHED, Symptom.LAYOUT}, COMPARED, False, 1),
    (set(), COMPARED, True, 1),
]


@pytest.mark.parametrize(("new", "batches", "more", "status"), STATUSES)
def test_the_exit_status_counts_what_is_new(
    new: set[Symptom],
    batches: tuple[BatchDone, ...],
    more: bool,  # noqa: FBT001
    status: int,
) -> None:
    assert exit_status_of(new, coverage(batches, ()), more=more) == status
