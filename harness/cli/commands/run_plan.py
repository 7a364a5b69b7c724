"""The plan of a run, as a command line asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.harness.api.arguments import duration, level_names, shard, whole_number, witness_names
from abiprobe.harness.api.running import CASES, chosen_subjects, planned, toured
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.nights.corpus import corpus, corpus_digest, regressions
from abiprobe.harness.runs.focus import expect_traits
from abiprobe.harness.runs.schedule import NO_CORPUS, Corpus
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.oracles.language.iso_c import Edition
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import Pairs, Plan

Options: TypeAlias = Mapping[str, object]
"""The options of a command line by their names."""
ENDLESS = 1 << 40
MOST_MEMBERS = 4
"""Members of the largest records of which every one is asked."""
NIGHTLY = "nightly"
PROFILES: Mapping[str | None, Mapping[str, str]] = {
    "quick": {"cases": "250", "levels": "O0"},
    NIGHTLY: {"cases": str(ENDLESS), "budget": "30m"},
    None: {},
}


def profile_of(options: Options) -> Mapping[str, str]:
    """The options that a profile sets where the command line does not."""
    return PROFILES[str(options["profile"]) if options["profile"] else None]


def budget_of(options: Options) -> float | None:
    """The seconds that a run may take; `None` for any."""
    budget = options["budget"] or profile_of(options).get("budget")
    return None if budget is None else duration(str(budget))


def keeps_raw(options: Options) -> bool:
    """Return whether what is observed is kept in the journal."""
    return bool(options["profile"] == NIGHTLY if options["raw"] is None else options["raw"])


def asked_plan(
    names: tuple[Target, ...], only: tuple[str, ...], subjects: str | None, levels: str, options: Options
) -> tuple[Plan, Corpus]:
    """The plan of a run on targets, and the kept questions that it begins with.

    Only questions with one of the traits or clauses of `only` are drawn, if there are any, and only those that the edition of C can
    say, if one is named; then nothing else is asked.
    """
    language = str(options["language"])
    narrowed = "--only" if only else "" if language == Edition.GNU.value else "--language"
    extra, members = complete_suites(options)
    seed, witnesses = options["seed"], options["witnesses"]
    cases = drawn_cases(options, alone=extra is not None or members > 0)
    plan = planned(
        names,
        chosen_subjects(None if subjects is None else named_subjects(subjects), names),
        cases=cases,
        seed=None if seed is None else whole_number(str(seed), "the seed", 0),
        levels=level_names(profile_of(options).get("levels", levels)),
        pairs=Pairs(str(options["pairs"])),
        shard=shard(str(options["shard"])),
        witnesses=None if witnesses is None else witness_names(str(witnesses)),
        tours=has_tours(names, cases, options, narrowed=bool(narrowed)),
    )
    kept, examples = kept_questions(names, plan, options, narrowed=bool(narrowed))
    if narrowed and (plan.tours or kept or extra is not None or members):
        raise Problem(
            f"{narrowed} leaves out what is not drawn",
            f"leave out --tours, --corpus, --examples and --complete, or {narrowed}",
        )
    expect_traits(only, plan.seed)
    return msgspec.structs.replace(
        plan,
        corpus=corpus_digest(kept),
        examples=examples,
        only=only,
        complete=extra,
        complete_records=members,
        language=language,
    ), kept


def complete_suites(options: Options) -> tuple[int | None, int]:
    """The hidden states that complete suites of calls allow for (`None`: there are none), and the members of complete records."""
    extra = None if options["complete"] is None else whole_number(str(options["complete"]), "--complete", 0)
    members = whole_number(str(options["complete_records"] or 0), "--complete-records", 0)
    if members > MOST_MEMBERS:
        raise Problem(f"--complete-records {members} is too large", f"at most {MOST_MEMBERS} members")
    return extra, members


def drawn_cases(options: Options, *, alone: bool) -> int:
    """The number of questions of each sort that are drawn; none where complete suites are asked for `alone`."""
    if alone and not (options["cases"] or options["profile"]):
        return 0
    otherwise = ENDLESS if budget_of(options) is not None else CASES
    asked = options["cases"] or profile_of(options).get("cases") or otherwise
    return whole_number(str(asked), "the number of cases", 1)


def has_tours(names: Sequence[Target], cases: int, options: Options, *, narrowed: bool) -> bool:
    """Return whether a run asks the tours of its models."""
    if options["tours"] is None:
        return not narrowed and toured(cases, budget_of(options), len(names))
    return bool(options["tours"])


def kept_questions(
    names: tuple[Target, ...], plan: Plan, options: Options, *, narrowed: bool
) -> tuple[Corpus, bool]:
    """The questions that are kept for targets, as far as a run asks them, and whether they are those of examples alone."""
    if (options["profile"] == NIGHTLY and not narrowed) or options["corpus"]:
        return corpus(names), False
    in_time = plan.tours and budget_of(options) is not None
    examples = in_time if options["examples"] is None else bool(options["examples"])
    return (regressions(names), True) if examples else (NO_CORPUS, False)
