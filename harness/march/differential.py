"""Random pairs of an ISA string and an ABI: the text against every toolchain."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.riscv_isa import Pair, pair
from abiprobe.harness.base.progress import counted
from abiprobe.harness.march.causes import UNTRIAGED, Reason, reason
from abiprobe.harness.march.toolchains import IGNORED, AbiClass, Judge
from abiprobe.oracles.abis.riscv.isa import ABIS, Isa, Refused, asks_vendor, parse_march, supports
from abiprobe.oracles.abis.riscv.isa.march import March
from abiprobe.oracles.text.place import Unspecified

SAMPLE = 60
"""Whole pairs put to each driver."""


class Disagreement(msgspec.Struct, frozen=True):
    """One kind of disagreement: `clause` is empty where the text accepts; `count` counts pairs.

    `lacks` says that the tool only lacks what is newer than itself.
    """

    judge: str
    reason: str
    clause: str
    count: int
    example: str
    words: str
    lacks: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a run. `asked` counts pairs, `distinct` ISA strings, `silent` pairs that the text leaves open.

    `asked` counts pairs, `distinct` ISA strings, `silent` pairs that the text leaves open.

    `agreed` counts the agreements of each judge; `sampled` counts the pairs put to drivers whole, and
    `unfaithful` has those that were answered otherwise than in parts.
    """

    asked: int
    distinct: int
    silent: int
    agreed: dict[str, int]
    sampled: int
    unfaithful: tuple[str, ...]
    rows: tuple[Disagreement, ...]
    seconds: dict[str, float]

    @property
    def deviating(self) -> int:
        """Disagreements with the text by tools that know what they are asked about; counted by pair and tool."""
        return sum(row.count for row in self.rows if not row.lacks)

    @property
    def untriaged(self) -> int:
        """Pairs whose disagreement has no known reason."""
        return sum(row.count for row in self.rows if row.reason == UNTRIAGED)


class Answers(msgspec.Struct, frozen=True):
    """One judge's complaints about each ISA string, and about each ABI for each class of those it accepts.

    `seconds` is what it took.
    """

    marches: dict[str, str]
    classes: dict[str, AbiClass]
    abis: dict[tuple[AbiClass, str], str]
    seconds: float
    family: str

    def about(self, each: Pair) -> str:
        """The complaint about a pair; for a string that the text has no meaning for, about the string alone."""
        known = self.classes.get(each.march)
        return self.abis[known, each.abi] if known else self.marches[each.march]


def differ(judges: Sequence[Judge], cases: int, seed: int, jobs: int = 2) -> Outcome:
    """Draw `cases` pairs and put them to every judge; `jobs` judges or drivers run at a time."""
    started = time.monotonic()
    draw = SeededDraw(seed)
    pairs = [pair(draw) for _ in range(cases)]
    texts = sorted({each.march for each in pairs})
    model = {text: parse_march(text) for text in texts}
    modelled = time.monotonic() - started
    expected = {each: expectation(each, model[each.march]) for each in set(pairs)}
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(answers, judge, model) for judge in judges]
        waiting = counted(zip(judges, futures, strict=True), "ISA strings and ABIs", len(judges))
        answered = {judge.name: future.result() for judge, future in waiting}
        chosen = pairs[:: max(1, cases // SAMPLE)][:SAMPLE]
        asked = [(judge, each) for judge in judges for each in chosen]
        whole_of = pool.map(lambda it: it[0].whole(it[1].march, it[1].abi), asked)
        wholes = counted(whole_of, "whole pairs", len(asked))
        unfaithful = tuple(
            f"{judge.name}: {each.march} {each.abi}: {whole!r} whole, {parts!r} in parts"
            for (judge, each), whole in zip(asked, wholes, strict=True)
            if departs(whole, parts := answered[judge.name].about(each), model[each.march])
        )
    silent = sum(isinstance(expected[each], Unspecified) for each in pairs)
    agreed, rows = compare(pairs, expected, answered)
    seconds = {name: answer.seconds for name, answer in answered.items()} | {"model": modelled}
    seconds["all"] = time.monotonic() - started
    return Outcome(cases, len(texts), silent, agreed, len(asked), unfaithful, rows, seconds)


def expectation(each: Pair, march: March) -> Refused | Unspecified | None:
    """Return the text's answer on a pair: `None` to accept it."""
    if not isinstance(march, Isa):
        return march
    return supports(march, ABIS[each.abi]) or asks_vendor(march)


def departs(whole: str, parts: str, march: March) -> bool:
    """Return whether a driver's answer to a whole pair is not the one that its parts gave.

    Of a string that the text has no meaning for, the parts say nothing about the ABI.
    """
    return bool(parts) != bool(whole) if isinstance(march, Isa) else bool(parts) and not whole


def answers(judge: Judge, model: Mapping[str, March]) -> Answers:
    """Everything that one judge is asked: each ISA string, and each ABI for the classes of those it accepts.

    The shortest accepted string of a class represents it.
    """
    started = time.monotonic()
    marches = judge.marches(tuple(model))
    accepted = [text for text, march in model.items() if isinstance(march, Isa) and not marches[text]]
    own = judge.floats(accepted)
    classes = {
        text: AbiClass.of(march, own[text]) for text in accepted if isinstance(march := model[text], Isa)
    }
    shortest: dict[AbiClass, str] = {}
    for text in sorted(accepted, key=lambda text: (len(text), text)):
        shortest.setdefault(classes[text], text)
    abis = {(each, abi): judge.whole(march, abi) for each, march in shortest.items() for abi in ABIS}
    return Answers(marches, classes, abis, time.monotonic() - started, judge.family)


def compare(
    pairs: Sequence[Pair],
    expected: dict[Pair, Refused | Unspecified | None],
    answered: dict[str, Answers],
) -> tuple[dict[str, int], tuple[Disagreement, ...]]:
    """Return the number of agreements of each judge, and the kinds of disagreement, most frequent first."""
    agreed: Counter[str] = Counter(dict.fromkeys(answered, 0))
    counts: Counter[tuple[str, Reason, str]] = Counter()
    examples: dict[tuple[str, Reason, str], tuple[str, str]] = {}
    for each in pairs:
        wanted = expected[each]
        if isinstance(wanted, Unspecified):
            continue
        clause = wanted.clause if wanted else ""
        for name, answer in answered.items():
            words = answer.about(each)
            if (not words) if wanted is None else (words and IGNORED not in words):
                agreed[name] += 1
                continue
            key = (name, reason(answer.family, clause, words), clause)
            counts[key] += 1
            example = (f"{each.march} {each.abi}", words)
            examples[key] = min(examples.get(key, example), example, key=lambda it: (len(it[0]), it))
    rows = tuple(
        Disagreement(name, why.text, clause, count, *examples[name, why, clause], why.lacks)
        for (name, why, clause), count in counts.most_common()
    )
    return dict(agreed), rows
