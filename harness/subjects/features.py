"""What a compiler can do, found out by asking it once with a sample of each feature, remembered by its digest.

A feature is lacking where the compiler refuses its sample, or says that it ignores what the sample asks for. One that
takes the words without a word and then lays a record out otherwise has the feature, and is asked: that is a deviation.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.base.cache import entry, kept
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.subjects.compile import Limits, classify, compile_unit, run_compiler
from abiprobe.harness.subjects.subject import Built, Identity
from abiprobe.oracles.features import CONVENTIONS, ISAS, SAMPLES
from abiprobe.results.record import Outcome

EVERYTHING = "way to build for this target"
"""How it begins what a compiler lacks that does not take the simplest unit; its own words follow."""
SIMPLEST = "int v;"
TYPICAL = "struct s { long a; char b[3]; }; struct s f(int p, struct s *q) { q->a = p; return *q; }"
"""What a compiler takes that can be asked anything at all."""
DEFINED = re.compile(r"\) \{[^}]*return[^}]*\}")
"""A function that is defined, from its closing parenthesis on."""
PROMISE = re.compile(r'_Static_assert\(.*?, ""\);')
"""What an attribute promises, as samples assert it."""
UNPROMISED = tuple(name for name in SAMPLES if name in CONVENTIONS | ISAS)
"""Features that are attributes and promise nothing that a sample could assert."""
IGNORED = re.compile(
    rb"(unsupported|unknown) attribute|attribute (directive )?(is )?(ignored|not supported)", re.IGNORECASE
)
"""How compilers say that they take no notice of an attribute."""
TELLING = "-Wunsupported"
"""The option with which tcc says it."""
_DECODER = msgspec.json.Decoder(list[str])


def lacking(built: Built, program: Identity) -> frozenset[str]:
    """The features that a built subject lacks, or only `EVERYTHING`; `program` is its identity.

    A program that is not known by its files is asked once by each process, and of one that takes nothing nothing is kept.
    """
    if built.language:
        return _of_language(built, program)
    if not program.sure:
        return _asked(built, program.digest)
    samples = (declaring(built, unit) for unit in (SIMPLEST, TELLING, *UNPROMISED, *SAMPLES.values()))
    question = "\0".join((*built.command, program.digest, *samples))
    path = entry("features", hashlib.sha256(question.encode()).hexdigest()[:24])
    lacked: list[str] = kept(path, _DECODER, lambda: sorted(refused_features(built)))
    if failure(frozenset(lacked)):
        path.unlink(missing_ok=True)
    return frozenset(lacked)


def _of_language(built: Built, program: Identity) -> frozenset[str]:
    """What a language cannot say, with what this compiler of it refuses."""
    language = find_language(built.language)
    if not program.sure:
        return language.lacks | _refused_samples(built, program.digest)
    question = "\0".join((*built.command, program.digest, language.digest))
    path = entry("features", hashlib.sha256(question.encode()).hexdigest()[:24])
    lacked: list[str] = kept(path, _DECODER, lambda: sorted(_refused_samples(built, program.digest)))
    if failure(frozenset(lacked)):
        path.unlink(missing_ok=True)
    return language.lacks.union(lacked)


@cache
def _refused_samples(built: Built, _digest: str) -> frozenset[str]:
    language = find_language(built.language)
    with temporary() as folder:
        output = Path(folder, "one.o")
        samples = language.about.samples
        every = [_apart(number, sample) for number, sample in enumerate(samples.values())]
        if compile_unit(built, language.unit(every), output, Limits(), 1).outcome is Outcome.OBSERVED:
            return frozenset()
        done = compile_unit(built, simplest(built), output, Limits(), 1)
        if done.outcome is not Outcome.OBSERVED:
            return frozenset({f"{EVERYTHING}: {done.words}"})
        return frozenset(
            name
            for name, sample in samples.items()
            if compile_unit(built, language.unit([sample]), output, Limits(), 1).outcome is Outcome.REFUSED
        )


def simplest(built: Built) -> str:
    """The simplest unit in the language of a compiler."""
    return find_language(built.language).unit([]) if built.language else SIMPLEST


@cache
def _asked(built: Built, _digest: str) -> frozenset[str]:
    return frozenset(refused_features(built))


def failure(lacked: frozenset[str]) -> str:
    """The words of a compiler that does not take even the simplest unit, by what it lacks, or an empty string."""
    words = (item for item in lacked if item.startswith(EVERYTHING))
    return next(words, "").removeprefix(f"{EVERYTHING}: ")


def refused_features(built: Built) -> list[str]:
    """Try all features at once, and where that fails each half by itself."""
    with temporary() as folder:
        output = Path(folder, "one.o")
        if _compiles(built, tuple(SAMPLES), output):
            return []
        for unit in (SIMPLEST, declaring(built, TYPICAL)):
            done = compile_unit(built, unit, output, Limits(), 1)
            if done.outcome is not Outcome.OBSERVED:
                return [f"{EVERYTHING}: {done.words}"]
        refused = [name for half in _halves(tuple(SAMPLES)) for name in _refused(built, half, output)]
        refused = [name for name in refused if not _takes_the_words(built, SAMPLES[name], output)]
        taken = tuple(name for name in UNPROMISED if name not in refused)
        return [*refused, *_ignored(built, taken, output)]


def _takes_the_words(built: Built, sample: str, output: Path) -> bool:
    """Whether the compiler takes a sample whose promise it breaks, and does not say that it ignores anything."""
    words = PROMISE.sub("", sample)
    return words != sample and _takes_in_earnest(built, words, output)


def _ignored(built: Built, names: tuple[str, ...], output: Path) -> list[str]:
    """Of which attributes that it takes the compiler says that it ignores them."""
    if not names or _takes_in_earnest(built, _together(names), output):
        return []
    if len(names) == 1:
        return list(names)
    return [name for half in _halves(names) for name in _ignored(built, half, output)]


def _takes_in_earnest(built: Built, words: str, output: Path) -> bool:
    """Whether the compiler takes a unit, and does not say that it ignores anything."""
    loud = tuple(option for option in built.command if option != "-w")
    for telling in ((TELLING,), ()):
        asked = msgspec.structs.replace(built, command=(*loud, *telling))
        done = run_compiler(asked, words, output, Limits(), 1)
        if classify(done, output) is Outcome.OBSERVED:
            return not IGNORED.search(done.stderr)
    return False


def _refused(built: Built, names: tuple[str, ...], output: Path) -> list[str]:
    """Which of some features are refused."""
    if _compiles(built, names, output):
        return []
    if len(names) == 1:
        return list(names)
    return [name for half in _halves(names) for name in _refused(built, half, output)]


def _halves(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    middle = len(names) // 2
    return names[:middle], names[middle:]


def _apart(number: int, sample: str) -> str:
    """A sample under names of its own: every identifier of one letter gets a number."""
    return re.sub(r"\b([fsv])\b", rf"\g<1>{number}", sample)


def _together(names: tuple[str, ...]) -> str:
    """The samples of features in one unit."""
    return "\n".join(_apart(number, SAMPLES[name]) for number, name in enumerate(names))


def _compiles(built: Built, names: tuple[str, ...], output: Path) -> bool:
    unit = declaring(built, _together(names))
    return compile_unit(built, unit, output, Limits(), 1).outcome is not Outcome.REFUSED


def declaring(built: Built, unit: str) -> str:
    """A unit as a compiler is asked it: where no calls are asked, functions are declared and not defined.

    A compiler for BPF takes no function that returns a record, and lays out the record.
    """
    return DEFINED.sub(");", unit) if built.no_calls else unit
