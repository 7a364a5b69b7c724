"""Features of a compiler, found by asking it once with a sample of each, and remembered by its digest.

A feature is lacking where the compiler refuses its sample, or says that it ignores what the sample asks for. One that
takes the words without a word and then lays a record out otherwise has the feature, and is asked: that is a deviation.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from abiprobe.harness.base.cache import entry, recall, remember
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.machines.render.probe_markers import marker, parts, suspects
from abiprobe.harness.subjects.compile import Compiled, Limits, classify, compile_unit, run_compiler
from abiprobe.harness.subjects.subject import Built, Identity
from abiprobe.oracles.language.features import CONVENTIONS, ISAS, SAMPLES
from abiprobe.results.verdicts.record import Outcome

EVERYTHING = "way to build for this target"
"""How it begins what a compiler lacks that does not take the simplest unit; its own words follow."""
SIMPLEST = "int v;"
TYPICAL = "struct s { long a; char b[3]; }; struct s f(int p, struct s *q) { q->a = p; return *q; }"
"""A unit that every compiler takes which can be asked anything at all."""
DEFINED = re.compile(r"\) \{[^}]*return[^}]*\}")
"""A function that is defined, from its closing parenthesis on."""
PROMISE = re.compile(r'_Static_assert\(.*?, ""\);')
"""The promise of an attribute, as samples assert it."""
UNPROMISED = tuple(name for name in SAMPLES if name in CONVENTIONS | ISAS)
"""Features that are attributes and promise nothing that a sample could assert."""
IGNORED = re.compile(
    rb"(unsupported|unknown) attribute|attribute (directive )?(is )?(ignored|not supported)", re.IGNORECASE
)
"""How compilers say that they take no notice of an attribute."""
MESSAGES_IN_FULL = "-Wunsupported"
"""The option with which tcc says it."""


class Answers(msgspec.Struct, frozen=True):
    """The answers of a compiler about features: those that it `lacks`, and those that got no answer, with the reason.

    It was killed, had no memory, or did not come to an end.
    """

    lacks: tuple[str, ...] = ()
    unanswered: tuple[tuple[str, str], ...] = ()


_DECODER = msgspec.json.Decoder(tuple[str, ...])
SILENT = frozenset({Outcome.NOT_RUN, Outcome.TIMED_OUT})
"""Ends of a compilation that say nothing about what a compiler has."""


def lacking(built: Built, program: Identity) -> frozenset[str]:
    """The features that a built subject lacks, or only `EVERYTHING`; `program` is its identity.

    A program that is not known by its files is asked once by each process. Of one that takes nothing, or that leaves a question
    unanswered, nothing is kept.
    """
    language = find_language(built.language).lacks if built.language else frozenset[str]()
    return language.union(_answers(built, program).lacks)


def unanswered(built: Built, program: Identity) -> dict[str, str]:
    """Return the features on which a built subject gave no answer, or only `EVERYTHING`, with the reason."""
    return dict(_answers(built, program).unanswered)


@cache
def _answers(built: Built, program: Identity) -> Answers:
    """Return the answers of a compiler to the first questions, which are kept if its files identify it."""
    if not program.sure:
        return _asked(built, program.digest)
    path = entry("features", hashlib.sha256(_question(built, program).encode()).hexdigest()[:24])
    known = recall(path)
    if known is not None:
        with suppress(msgspec.DecodeError):
            return Answers(_DECODER.decode(known))
    found = _asked(built, program.digest)
    if not failure(frozenset(found.lacks)) and not found.unanswered:
        remember(path, msgspec.json.encode(found.lacks))
    return found


def _question(built: Built, program: Identity) -> str:
    """All that decides what a compiler answers."""
    if built.language:
        return "\0".join((*built.command, program.digest, find_language(built.language).digest))
    samples = (
        declaring(built, unit) for unit in (SIMPLEST, MESSAGES_IN_FULL, *UNPROMISED, *SAMPLES.values())
    )
    return "\0".join((*built.command, program.digest, *samples))


@cache
def _asked(built: Built, _digest: str) -> Answers:
    with temporary() as folder:
        output = Path(folder, "one.o")
        return _refused_samples(built, output) if built.language else _refused_features(built, output)


def _refused_samples(built: Built, output: Path) -> Answers:
    """Return the features that a compiler of another language than C refuses."""
    language = find_language(built.language)
    samples = language.about.samples
    every = [_apart(number, sample) for number, sample in enumerate(samples.values())]
    if compile_unit(built, language.unit(every), output, Limits(), 1).outcome is Outcome.OBSERVED:
        return Answers()
    return _takes_nothing(built, (simplest(built),), output) or _by_end(
        {
            name: compile_unit(built, language.unit([sample]), output, Limits(), 1)
            for name, sample in samples.items()
        }
    )


def simplest(built: Built) -> str:
    """The simplest unit in the language of a compiler."""
    return find_language(built.language).unit([]) if built.language else SIMPLEST


def failure(lacked: frozenset[str]) -> str:
    """The words of a compiler that does not take even the simplest unit, by what it lacks, or an empty string."""
    words = (item for item in lacked if item.startswith(EVERYTHING))
    return next(words, "").removeprefix(f"{EVERYTHING}: ")


def _refused_features(built: Built, output: Path) -> Answers:
    """Try all features at once, and where that fails those that the compiler names, and the rest."""
    together = _compiled(built, tuple(SAMPLES), output)
    if together.outcome is Outcome.OBSERVED:
        return Answers()
    nothing = _takes_nothing(built, (SIMPLEST, declaring(built, TYPICAL)), output)
    if nothing is not None:
        return nothing
    found = _by_end(dict(_failing_parts(built, tuple(SAMPLES), together, output)))
    loud = _loud(built, output)
    refused = [name for name in found.lacks if not _takes_the_words(loud, SAMPLES[name], output)]
    silent = {name for name, _ in found.unanswered}
    taken = tuple(name for name in UNPROMISED if name not in {*refused, *silent})
    return Answers(tuple(sorted({*refused, *_ignored(loud, taken, output)})), found.unanswered)


def _takes_nothing(built: Built, units: tuple[str, ...], output: Path) -> Answers | None:
    """Return the features that a compiler lacks which rejects one of the simplest units; `None` if it accepts them."""
    for unit in units:
        done = compile_unit(built, unit, output, Limits(), 1)
        if done.outcome is not Outcome.OBSERVED:
            silent = ((EVERYTHING, done.words),) if done.outcome in SILENT else ()
            return Answers((f"{EVERYTHING}: {done.words}",), silent)
    return None


def _by_end(found: Mapping[str, Compiled]) -> Answers:
    """Features by what came of their samples; one that a compiler dies of it has."""
    return Answers(
        tuple(sorted(name for name, done in found.items() if done.outcome is Outcome.REFUSED)),
        tuple(sorted((name, done.words) for name, done in found.items() if done.outcome in SILENT)),
    )


def _loud(built: Built, output: Path) -> Built:
    """The compiler with its warnings, among them those of tcc where it has the option for them."""
    loud = msgspec.structs.replace(built, command=tuple(one for one in built.command if one != "-w"))
    extra = msgspec.structs.replace(loud, command=(*loud.command, MESSAGES_IN_FULL))
    return extra if compile_unit(extra, SIMPLEST, output, Limits(), 1).outcome is Outcome.OBSERVED else loud


def _takes_the_words(loud: Built, sample: str, output: Path) -> bool:
    """Return whether the compiler accepts a sample whose promise it breaks, and does not say that it ignores anything."""
    words = PROMISE.sub("", sample)
    return words != sample and _taken_in_earnest(loud, words, output).taken


def _ignored(loud: Built, names: tuple[str, ...], output: Path) -> list[str]:
    """Return the attributes that the compiler accepts and says that it ignores."""
    if not names:
        return []
    seen = _taken_in_earnest(loud, _together(names), output)
    if seen.taken:
        return []
    if len(names) == 1:
        return list(names)
    apart = (tuple(names[i] for i in part) for part in parts(len(names), seen.suspects))
    return [name for some in apart for name in _ignored(loud, some, output)]


class Earnest(NamedTuple):
    """The answer to a unit: whether it is accepted and nothing ignored, and otherwise the samples that a compiler names."""

    taken: bool
    suspects: tuple[int, ...] = ()


def _taken_in_earnest(loud: Built, words: str, output: Path) -> Earnest:
    """Compile a unit and read what the compiler says of it."""
    done = run_compiler(loud, words, output, Limits(), 1)
    outcome = classify(done, output)
    taken = (outcome is Outcome.OBSERVED or outcome in SILENT) and not IGNORED.search(done.stderr)
    return Earnest(taken, suspects(done.stderr))


def _failing(built: Built, names: tuple[str, ...], output: Path) -> Iterator[tuple[str, Compiled]]:
    """Yield those features whose samples do not compile, with what came of each.

    Those that are asked together while the time runs out are not asked apart, since that may take as long for each.
    """
    done = _compiled(built, names, output)
    if done.outcome is Outcome.OBSERVED:
        return
    if len(names) == 1 or done.outcome is Outcome.TIMED_OUT:
        yield from ((name, done) for name in names)
        return
    yield from _failing_parts(built, names, done, output)


def _failing_parts(
    built: Built, names: tuple[str, ...], done: Compiled, output: Path
) -> Iterator[tuple[str, Compiled]]:
    """Divide features that failed together, and yield those that do not compile."""
    for part in parts(len(names), done.suspects):
        yield from _failing(built, tuple(names[i] for i in part), output)


def _apart(number: int, sample: str) -> str:
    """A sample under names of its own: every identifier of one letter gets a number."""
    return re.sub(r"\b([fsv])\b", rf"\g<1>{number}", sample)


def _together(names: tuple[str, ...]) -> str:
    """The samples of features in one unit, whose diagnostics tell their numbers."""
    return "\n".join(
        f"{marker(number)}\n{_apart(number, SAMPLES[name])}" for number, name in enumerate(names)
    )


def _compiled(built: Built, names: tuple[str, ...], output: Path) -> Compiled:
    """Return the result of compiling the samples of some features in one unit."""
    return compile_unit(built, declaring(built, _together(names)), output, Limits(), 1)


def declaring(built: Built, unit: str) -> str:
    """A unit as a compiler is asked it: where no calls are asked, functions are declared and not defined.

    A compiler for BPF takes no function that returns a record, and lays out the record.
    """
    return DEFINED.sub(");", unit) if built.no_calls else unit
