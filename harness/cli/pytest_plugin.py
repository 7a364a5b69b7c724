"""Probes as pytest items, for projects that test their own compiler; off unless `--abiprobe-target` is given.

    pytest --abiprobe-target riscv64-lp64d --abiprobe-cc 'clang:build/bin/clang' -n auto

There is an item for each question of the corpus and of a fixed pool, which pytest-xdist spreads over its workers, and
for each target and sort one in which Hypothesis looks for the simplest question on which the compiler deviates. A known
deviation is an expected failure (xfail), and the example of one that the compiler no longer shows an unexpected pass.

The items belong to no file. Their ids begin with `abiprobe::` and can be given to pytest again, beside the same options.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pytest

if TYPE_CHECKING:
    from abiprobe.generators.pool import PoolSort
    from abiprobe.harness.subjects.subject import Subject
    from abiprobe.oracles.language.question import Question
    from abiprobe.oracles.model import Target
    from abiprobe.results.known.deviations import Entry, KnownCause
    from abiprobe.results.verdicts.record import Verdict

HEAD = "abiprobe::"
CHOSEN = pytest.StashKey[list[str]]()
"""The ids of items that the command line names."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; without a target the plugin does nothing."""
    group = parser.getgroup("abiprobe", "ABI conformance of a C compiler")
    group.addoption("--abiprobe-target", metavar="T,...", help="Targets to probe; this turns the plugin on.")
    group.addoption(
        "--abiprobe-cc", metavar="SUBJECT,...", help="Compilers: clang-19, clang:build/bin/clang."
    )
    group.addoption("--abiprobe-opt", metavar="O0,O2", default="O0", help="Optimisation levels. [O0]")
    group.addoption("--abiprobe-cases", metavar="N", default="50", help="Drawn prototypes, and records. [50]")
    group.addoption("--abiprobe-seed", metavar="N", default="0", help="The seed of what is drawn. [0]")
    group.addoption(
        "--abiprobe-examples",
        metavar="N",
        default="0",
        help="Examples for Hypothesis to search and shrink. [0]",
    )
    group.addoption(
        "--abiprobe-known", metavar="FILE", action="append", default=[], help="More known deviations."
    )
    group.addoption(
        "--abiprobe-known-only",
        metavar="FILE",
        action="append",
        default=[],
        help="Known deviations instead of those that come with abiprobe.",
    )
    group.addoption("--abiprobe-no-known", action="store_true", help="Ignore known deviations: all fail.")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Take the ids of items from the arguments, which pytest would look for as files."""
    config = session.config
    if config.getoption("abiprobe_target"):
        config.stash[CHOSEN] = [name for name in config.args if name.startswith(HEAD)]
        config.args = [name for name in config.args if not name.startswith(HEAD)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the probes to whatever else is collected."""
    if config.getoption("abiprobe_target"):
        named = config.stash.get(CHOSEN, [])
        every = list(collected(session, config))
        missing = sorted(set(named) - {item.nodeid for item in every})
        if missing:
            raise pytest.UsageError(f"abiprobe: no item {missing[0]!r} with these options")
        items += [item for item in every if not named or item.nodeid in named]


def collected(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    """All items; a mistake in an option ends the session with one line."""
    from abiprobe.harness.base.problem import Problem
    from abiprobe.harness.subjects.find import installed

    try:
        targets, subjects, levels, numbers = chosen(config)
        entries = known(config)
    except Problem as problem:
        raise pytest.UsageError(f"abiprobe: {problem}") from problem
    parent = Probes.from_parent(session, name="abiprobe", nodeid="abiprobe")
    for target in targets:
        for subject in subjects:
            if installed(subject, (target,)):
                yield from of_subject(parent, target, subject, levels, numbers, entries)


def known(config: pytest.Config) -> tuple[KnownCause, ...]:
    """The known deviations that the options name; raises `Problem`."""
    from datetime import UTC, datetime

    from abiprobe.harness.triage.known_files import read_known

    more, only = (
        [Path(name) for name in config.getoption(f"abiprobe_{option}")] for option in ("known", "known_only")
    )
    found = read_known(more, only, none=bool(config.getoption("abiprobe_no_known")))
    return found.in_force(datetime.now(UTC).date())


Chosen: TypeAlias = tuple["tuple[Target, ...]", "tuple[Subject, ...]", tuple[str, ...], tuple[int, int, int]]
"""Targets, subjects, levels, and the numbers of cases, of the seed and of examples."""


def chosen(config: pytest.Config) -> Chosen:
    """Return the choices of the options; raises `Problem` for a mistake in them."""
    from abiprobe.harness.api.arguments import level_names, named_targets, whole_number
    from abiprobe.harness.base.problem import Problem
    from abiprobe.harness.subjects.find import installed
    from abiprobe.harness.subjects.selection import named_subjects

    targets = named_targets(str(config.getoption("abiprobe_target")))
    subjects = named_subjects(str(config.getoption("abiprobe_cc") or ""))
    if not subjects:
        raise Problem("no compiler is named", "--abiprobe-cc clang:build/bin/clang")
    for subject in subjects:
        if not installed(subject, targets):
            raise Problem(
                f"compiler {subject.spelling!r} is not installed for {', '.join(map(str, targets))}"
            )
    cases, seed, examples = (
        whole_number(str(config.getoption(f"abiprobe_{name}")), f"--abiprobe-{name}", 0)
        for name in ("cases", "seed", "examples")
    )
    return targets, subjects, level_names(str(config.getoption("abiprobe_opt"))), (cases, seed, examples)


def of_subject(
    parent: Probes,
    target: Target,
    subject: Subject,
    levels: tuple[str, ...],
    numbers: tuple[int, int, int],
    known: tuple[KnownCause, ...],
) -> Iterator[pytest.Item]:
    """The items of one compiler for one target."""
    from abiprobe.generators.pool import POOL_SORTS, stream
    from abiprobe.harness.nights.corpus import by_sort, declared, examples, kept
    from abiprobe.harness.runs.question_sorts import can_answer
    from abiprobe.harness.subjects.find import build, identity
    from abiprobe.harness.triage.causes import deviating_examples
    from abiprobe.oracles.language.question import probe
    from abiprobe.results.known.deviations import concerning, only_entries

    cases, seed, searched = numbers
    built = build(subject, target, levels[0])
    version = "" if built is None else identity(built.command).version
    here = concerning(known, target.spelling, subject.spelling, version)
    expected = [entry for entry in only_entries(here) if entry.names(target.spelling)]
    own = {one: entry for entry in expected for one in deviating_examples(entry, target)}
    shown_by = {probe(one).id: entry for one, entry in own.items()}
    compiler = Compiler(target, subject, version, levels, here)
    drawn = [question for kind in POOL_SORTS for question in islice(stream(seed=seed, kind=kind), cases)]
    corpus = (*(one for _, one in kept()), *examples(target), *own, *declared(target))
    for sort, asked in by_sort(target, (*corpus, *drawn)).items():
        if not can_answer(subject, target, sort):
            continue
        for question in asked:
            name = f"{target}::{subject.spelling}::{probe(question).id}"
            example = shown_by.get(probe(question).id)
            more = {"compiler": compiler, "question": question, "example": example}
            yield ProbeItem.from_parent(parent, name=name, nodeid=HEAD + name, **more)
        if searched and sort in POOL_SORTS:
            name = f"{target}::{subject.spelling}::smallest-of-{sort}"
            search = {"sort": sort, "seed": seed, "examples": searched}
            yield SearchItem.from_parent(parent, name=name, nodeid=HEAD + name, compiler=compiler, **search)


class Probes(pytest.Collector):
    """The node of the items; they are made all at once, when everything else has been collected."""

    def collect(self) -> list[pytest.Item]:
        """Nothing: pytest looks for nothing in here."""
        return []


class Compiler(NamedTuple):
    """A compiler and a target, with the levels to ask at and the known deviations that concern them."""

    target: Target
    subject: Subject
    version: str
    levels: tuple[str, ...]
    known: tuple[KnownCause, ...]


class Deviates(Exception):  # noqa: N818 - what it says is not an error of ours
    """A compiler does not do what the text says; the words are what pytest shows."""


class Asking(pytest.Item):
    """An item about one compiler and target."""

    def __init__(self, *, compiler: Compiler, **more: Any) -> None:
        super().__init__(**more)
        self.compiler = compiler
        self.add_marker("abiprobe")

    def verdicts(self, question: Question, levels: tuple[str, ...] = ()) -> dict[str, tuple[Verdict, ...]]:
        """Return the verdicts on a question by level."""
        from abiprobe.harness.observers.ask import ask, on
        from abiprobe.oracles.language.lang import Prototype

        levels = levels or self.compiler.levels
        used = levels if isinstance(question, Prototype) else levels[:1]
        seen = ask(
            self.compiler.target, (question,), [(self.compiler.subject.spelling, level) for level in used]
        )
        return {level: found for (_, level), found in on(seen, question).items()}

    def judge(self, question: Question, seen: dict[str, tuple[Verdict, ...]]) -> None:
        """Fail where the compiler deviates or dies; what is known is an expected failure."""
        from abiprobe.results.causes.fingerprint import Symptom
        from abiprobe.results.known.deviations import resemblances

        if not any(map(wrong, seen.values())):
            return
        behind: dict[str, KnownCause] = {}
        target, _, _, _, known = self.compiler
        for found in seen.values():
            for one in resemblances(known, target.spelling, question, found):
                if one.entry is None and one.fingerprint.symptom is not Symptom.REFUSED:
                    raise Deviates(failure_text(question, seen, self.compiler))
                if one.entry is not None:
                    behind[one.entry.name] = one.entry
        pytest.xfail("; ".join(entry.summary for entry in behind.values()))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A deviation in its own words, anything else as pytest does."""
        if isinstance(excinfo.value, Deviates):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """Return the location of the item: none in particular."""
        return "abiprobe", None, self.name


class ProbeItem(Asking):
    """One question put to one compiler; `example` is the entry that it is the example of."""

    def __init__(self, *, question: Question, example: Entry | None = None, **more: Any) -> None:
        super().__init__(**more)
        self.question, self.example = question, example

    def runtest(self) -> None:
        """Fail where it deviates or where the compiler dies of it; skip where nothing could be compared."""
        seen = self.verdicts(self.question)
        self.judge(self.question, seen)
        every = [verdict for found in seen.values() for verdict in found]
        if not any(verdict.verdict.value == "agrees" for verdict in every):
            pytest.skip(next((verdict.detail for verdict in every if verdict.detail), "nothing to compare"))
        if self.example is not None and not self.shows():
            # pytest reads the marks again when a test has run: one that passes has passed unexpectedly.
            reason = f"no longer occurs, remove or narrow the entry: {self.example.name}"
            self.add_marker(pytest.mark.xfail(reason=reason))

    def shows(self) -> bool:
        """Return whether the compiler deviates at any of the levels at which the examples of known deviations are asked."""
        from abiprobe.harness.triage.known_examples import LEVELS

        return any(map(wrong, self.verdicts(self.question, LEVELS).values()))


class SearchItem(Asking):
    """Hypothesis's search for the simplest question on which a compiler deviates."""

    def __init__(self, *, sort: PoolSort, seed: int, examples: int, **more: Any) -> None:
        super().__init__(**more)
        self.sort, self.seed, self.examples = sort, seed, examples

    def runtest(self) -> None:
        """Fail with the minimal example, if there is any that is not known."""
        from abiprobe.generators.local import smallest

        found = smallest(self.sort, self.is_new, seed=self.seed, examples=self.examples)
        if found is not None:
            self.judge(found, self.verdicts(found))

    def is_new(self, question: Question) -> bool:
        """Return whether the compiler deviates on a question in a way that is not known."""
        try:
            self.judge(question, self.verdicts(question))
        except Deviates:
            return True
        except pytest.xfail.Exception:
            return False
        return False


def wrong(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The verdicts that fail an item: deviations, crashes and time-outs. A refusal is for the compiler to decide."""
    return [
        verdict
        for verdict in verdicts
        if verdict.verdict.value == "deviates" or verdict.outcome.value in {"crashed", "timed out"}
    ]


def failure_text(question: Question, seen: dict[str, tuple[Verdict, ...]], compiler: Compiler) -> str:
    """A deviation in words: the C, each difference with its clause, and how to go on."""
    from abiprobe.harness.machines.render.declaration import declaration
    from abiprobe.harness.subjects.find import build

    text = declaration(question)
    lines = text.splitlines()
    bad = {level: found for level, verdicts in seen.items() if (found := wrong(verdicts))}
    for verdict in (one for found in bad.values() for one in found):
        clause = f"{verdict.clause}: " if verdict.clause else ""
        lines += [f"{clause}{item}" for item in verdict.differences] or [f"{clause}{verdict.detail}"]
    level = next(iter(bad))
    built = build(compiler.subject, compiler.target, level)
    source = shlex.quote(text)
    asked = f"--target {compiler.target} --cc {shlex.quote(compiler.subject.spelling)} --opt {level}"
    lines += [f"compiled with: {shlex.join(built.command)}"] if built is not None else []
    lines += [
        f"why: abiprobe explain {source} --target {compiler.target}",
        f"by itself: printf %s {source} | abiprobe repro - {asked} --out bundle",
    ]
    return "\n".join(dict.fromkeys(lines))


def pytest_configure(config: pytest.Config) -> None:
    """The mark by which the items can be chosen: `-m abiprobe`."""
    config.addinivalue_line("markers", "abiprobe: a probe of a compiler's ABI")
