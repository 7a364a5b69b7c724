"""Causes of several runs: which are one, who shows them, and what is new."""

from __future__ import annotations

from msgspec.structs import replace

from abiprobe.results.causes.timeline import VersionResult
from abiprobe.results.site.cause_status import CauseStatus
from abiprobe.results.site.compilers import ordered
from abiprobe.results.site.edition import kept, moved
from abiprobe.results.site.news import (
    Kind,
    News,
    Past,
    Remembered,
    digest_of,
    gone_news,
    in_short,
    newest,
    news_of,
)
from abiprobe.results.site.sightings import Sighted, Triaged, sighted

from .samples import BIG, FIRST, FLAT, OPEN, RISCV, SECOND, X86


def find(causes: tuple[Sighted, ...], name: str) -> Sighted:
    return next(one for one in causes if one.id == name)


def news(runs: tuple[Triaged, ...], past: Past) -> list[News]:
    return [item for one in sighted(runs) for item in news_of(one, "a title", past)]


def memory(one: Sighted, *, gone: bool = False) -> Remembered:
    last = one.last
    return Remembered(
        one.id,
        "a title",
        "misplaced",
        one.targets,
        one.clauses,
        last.of.started,
        last.of.started,
        one.statuses(),
        gone=gone,
    )


def test_compilers_stand_by_family_and_version() -> None:
    found = ordered(info for one in (FIRST, SECOND) for info in one.run.header.subjects)
    assert [one.subject for one in found] == ["clang-9", "clang-16", "clang-22", "zig", "gcc-12"]
    assert [one.short for one in found] == ["9", "16", "22", "zig", "12"]


def test_a_cause_of_two_runs_is_one_whatever_the_order_in_which_they_are_named() -> None:
    found = sighted((SECOND, FIRST))
    assert [one.of.name for one in find(found, FLAT).sightings] == ["first", "second"]
    assert len(found) == 4
    assert {one.id for one in found} == {one.id for one in sighted((FIRST, SECOND))}


def test_what_a_later_run_says_of_a_compiler_counts() -> None:
    shown = {name: one.shows for name, one in find(sighted((FIRST, SECOND)), FLAT).statuses()[RISCV].items()}
    assert shown == {
        "clang-9": VersionResult.BAD,
        "clang-16": VersionResult.GOOD,
        "clang-22": VersionResult.GOOD,
        "gcc-12": VersionResult.GOOD,
        "zig": VersionResult.BAD,
    }


def test_groups_that_go_together_have_letters() -> None:
    one = next(one for one in sighted((SECOND,)) if OPEN in one.clauses)
    assert one.statuses() == {
        X86: {
            "clang-16": CauseStatus(VersionResult.BAD, "A"),
            "clang-22": CauseStatus(VersionResult.BAD, "A"),
            "gcc-12": CauseStatus(VersionResult.BAD, "B"),
        }
    }


def test_a_cause_that_has_another_name_now_is_the_same() -> None:
    cluster = next(one for one in SECOND.clusters if one.id == FLAT)
    renamed = replace(SECOND, clusters=(replace(cluster, id="cfffffff", former=(FLAT,)),))
    (one,) = [one for one in sighted((FIRST, renamed)) if len(one.sightings) == 2]
    assert (one.id, FLAT in one.former) == ("cfffffff", True)
    had = Past(causes=(memory(find(sighted((FIRST,)), FLAT)),))
    assert moved(had, (one,)) == {FLAT: "cfffffff"}
    assert [item.kind for item in news_of(one, "a title", had)] == [Kind.SPREAD, Kind.CEASED]
    assert kept(had, (one,), ()) == ()


def test_news_of_a_first_edition_are_dated_by_the_runs() -> None:
    found = newest(news((SECOND, FIRST), Past()))
    assert [item.when for item in found] == sorted((item.when for item in found), reverse=True)
    assert [item.kind for item in found if item.cause == FLAT] == [Kind.SPREAD, Kind.CEASED, Kind.APPEARED]
    texts = {item.kind: item.text for item in found if item.cause == FLAT}
    assert texts == {
        Kind.APPEARED: "shown by clang-9 and clang-16 (riscv64-lp64d)",
        Kind.SPREAD: "also shown by zig (riscv64-lp64d)",
        Kind.CEASED: "no longer shown by clang-16 (riscv64-lp64d)",
    }


def test_many_versions_of_a_family_are_told_by_the_first_and_the_last() -> None:
    clangs = [f"clang-{number}" for number in (9, 13, 16, 22)]
    assert (
        in_short(["zig", "tcc", *reversed(clangs), "gcc-12"])
        == "clang-9 to clang-22 (4), zig, gcc-12 and tcc"
    )
    assert in_short(clangs[:3]) == "clang-9, clang-13 and clang-16"


def test_runs_that_an_edition_has_are_no_news() -> None:
    past = Past((digest_of(FIRST),), tuple(memory(one) for one in sighted((FIRST,))))
    assert news((FIRST,), past) == []
    assert {item.kind for item in news((FIRST, SECOND), past)} == {Kind.APPEARED, Kind.SPREAD, Kind.CEASED}


def test_a_cause_that_no_run_shows_is_told_once_and_kept() -> None:
    past = Past((), tuple(memory(one) for one in sighted((FIRST,))))
    now = sighted((SECOND,))
    assert [(item.cause, item.kind) for item in gone_news(now, past, "2026-02-03")] == [(BIG, Kind.GONE)]
    later = replace(past, causes=kept(past, now, ()))
    assert [(one.id, one.gone) for one in later.causes] == [(BIG, True)]
    assert gone_news(now, later, "2026-03-04") == []


def test_a_cause_that_comes_again_is_new() -> None:
    past = Past((), tuple(memory(one, gone=True) for one in sighted((FIRST,))))
    assert {item.kind for item in news((FIRST,), past)} == {Kind.APPEARED}
