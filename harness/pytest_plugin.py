"""Probes as pytest items, for projects that test their own compiler; off unless `--abiprobe-target` is given.

    pytest --abiprobe-target riscv64-lp64d --abiprobe-cc 'clang:build/bin/clang' -n auto

There is an item for each question of the corpus and of a fixed pool, which pytest-xdist spreads over its workers, and
for each target and sort one in which Hypothesis looks for the simplest question on which the compiler deviates.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from abiprobe.oracles.question import Question
    from abiprobe.results.record import Verdict


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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the probes to whatever else is collected."""
    if config.getoption("abiprobe_target"):
        items += collected(session, config)


def collected(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    """All items; a mistake in an option ends the session with one line."""
    from abiprobe.harness.problem import Problem
    from abiprobe.harness.toolchains.find import installed, parse_subject

    try:
        targets, subjects, levels, numbers = chosen(config)
    except Problem as problem:
        raise pytest.UsageError(f"abiprobe: {problem}") from problem
    for target in targets:
        for name in subjects:
            if installed(parse_subject(name), (target,)):
                yield from of_subject(session, target, name, levels, numbers)


Chosen: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[int, int, int]]
"""Targets, subjects, levels, and the numbers of cases, of the seed and of examples."""


def chosen(config: pytest.Config) -> Chosen:
    """What the options say; raises `Problem` for a mistake in them."""
    from abiprobe.harness.commands.arguments import level_names, subject_names, target_names, whole_number
    from abiprobe.harness.problem import Problem
    from abiprobe.harness.toolchains.find import installed, parse_subject

    targets = target_names(str(config.getoption("abiprobe_target")))
    subjects = subject_names(str(config.getoption("abiprobe_cc") or ""))
    if not subjects:
        raise Problem("no compiler is named", "--abiprobe-cc clang:build/bin/clang")
    for name in subjects:
        if not installed(parse_subject(name), targets):
            raise Problem(f"compiler {name!r} is not installed for {', '.join(targets)}")
    cases, seed, examples = (
        whole_number(str(config.getoption(f"abiprobe_{name}")), f"--abiprobe-{name}", 0)
        for name in ("cases", "seed", "examples")
    )
    return targets, subjects, level_names(str(config.getoption("abiprobe_opt"))), (cases, seed, examples)


def of_subject(
    session: pytest.Session, target: str, subject: str, levels: tuple[str, ...], numbers: tuple[int, int, int]
) -> Iterator[pytest.Item]:
    """The items of one compiler for one target."""
    from abiprobe.generators.pool import PoolKind, stream
    from abiprobe.harness.nights.corpus import by_sort, declared, examples, kept
    from abiprobe.harness.offers import answers
    from abiprobe.oracles.question import probe

    cases, seed, searched = numbers
    drawn = [question for kind in PoolKind for question in islice(stream(seed=seed, kind=kind), cases)]
    corpus = (*(one for _, one in kept()), *examples(target), *declared(target))
    for sort, questions in by_sort(target, (*corpus, *drawn)).items():
        if not answers(subject, target, sort):
            continue
        for question in questions:
            name = f"abiprobe[{target}-{subject}-{probe(question).id}]"
            yield ProbeItem.from_parent(
                session, name=name, target=target, subject=subject, levels=levels, question=question
            )
        if searched and sort in {kind.value for kind in PoolKind}:
            name = f"abiprobe[{target}-{subject}-smallest of {sort}]"
            search = {"sort": sort, "seed": seed, "examples": searched}
            yield SearchItem.from_parent(
                session, name=name, target=target, subject=subject, levels=levels, **search
            )


class Deviates(Exception):  # noqa: N818 - what it says is not an error of ours
    """A compiler does not do what the text says; the words are what pytest shows."""


class Asking(pytest.Item):
    """An item about one compiler and target."""

    def __init__(self, *, target: str, subject: str, levels: tuple[str, ...], **more: Any) -> None:
        super().__init__(**more)
        self.target, self.subject, self.levels = target, subject, levels
        self.add_marker("abiprobe")

    def verdicts(self, question: Question) -> list[Verdict]:
        """What the compiler shows of a question, at every level."""
        from abiprobe.harness.asking import ask, on
        from abiprobe.oracles.lang import Prototype

        levels = self.levels if isinstance(question, Prototype) else self.levels[:1]
        seen = ask(self.target, (question,), [(self.subject, level) for level in levels])
        return [verdict for found in on(seen, question).values() for verdict in found]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A deviation in its own words, anything else as pytest does."""
        if isinstance(excinfo.value, Deviates):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """Where the item is: nowhere in particular."""
        return "abiprobe", None, self.name


class ProbeItem(Asking):
    """One question put to one compiler."""

    def __init__(self, *, question: Question, **more: Any) -> None:
        super().__init__(**more)
        self.question = question

    def runtest(self) -> None:
        """Fail where it deviates or where the compiler dies of it; skip where nothing could be compared."""
        verdicts = self.verdicts(self.question)
        bad = wrong(verdicts)
        if bad:
            raise Deviates(told(self.question, bad))
        if not any(verdict.verdict.value == "agrees" for verdict in verdicts):
            pytest.skip(
                next((verdict.detail for verdict in verdicts if verdict.detail), "nothing to compare")
            )


class SearchItem(Asking):
    """Hypothesis's search for the simplest question on which a compiler deviates."""

    def __init__(self, *, sort: str, seed: int, examples: int, **more: Any) -> None:
        super().__init__(**more)
        self.sort, self.seed, self.examples = sort, seed, examples

    def runtest(self) -> None:
        """Fail with the minimal example, if there is any."""
        from abiprobe.generators.local import smallest
        from abiprobe.generators.pool import PoolKind

        found = smallest(
            PoolKind(self.sort),
            lambda question: bool(wrong(self.verdicts(question))),
            seed=self.seed,
            examples=self.examples,
        )
        if found is not None:
            raise Deviates(told(found, wrong(self.verdicts(found))))


def wrong(verdicts: list[Verdict]) -> list[Verdict]:
    """The verdicts that fail an item: deviations, crashes and time-outs. A refusal is for the compiler to decide."""
    return [
        verdict
        for verdict in verdicts
        if verdict.verdict.value == "deviates" or verdict.outcome.value in {"crashed", "timed out"}
    ]


def told(question: Question, bad: list[Verdict]) -> str:
    """A deviation in words: the C, then each difference with its clause."""
    from abiprobe.harness.commands.report import declaration

    lines = declaration(question).splitlines()
    for verdict in bad:
        clause = f"{verdict.clause}: " if verdict.clause else ""
        lines += [f"{clause}{item}" for item in verdict.differences] or [f"{clause}{verdict.detail}"]
    return "\n".join(dict.fromkeys(lines))


def pytest_configure(config: pytest.Config) -> None:
    """The mark by which the items can be chosen: `-m abiprobe`."""
    config.addinivalue_line("markers", "abiprobe: a probe of a compiler's ABI")
