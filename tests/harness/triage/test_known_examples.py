"""The shipped known deviations, put to the installed compilers: each occurs where its entry says, as it says, and nowhere else.

The examples for one target are put to one compiler in one batch of records and one of functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.harness.triage.known_examples import LEVELS, SubjectResult, questions, run_on_subject
from abiprobe.oracles.abis.vfabi.model import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Variants
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.quirks.in_force import EVERY
from abiprobe.oracles.quirks.versions import families_of, family
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Assignment, Layout, Unspecified
from abiprobe.results.causes.fingerprint import CRASHES, OPEN, Fingerprint, signature
from abiprobe.results.causes.traits import features
from abiprobe.results.known.deviations import Entry, concerns, shipped

ENTRIES = shipped().entries
DIALECTS = dict.fromkeys(one for entry in ENTRIES for one in entry.targets if "@" in one)
TARGETS = (
    "x86_64-sysv",
    "x86_64-ms",
    "x86_64-x32",
    "x86_64-windows-msvc",
    "x86_64-windows-gnu",
    "i386-sysv",
    "i386-windows-msvc",
    "i386-windows-gnu",
    "riscv64-lp64d",
    "riscv32-ilp32d",
    "riscv32-ilp32e",
    "riscv64-lp64e",
    "riscv64-lp64d-vector",
    "aarch64-aapcs64",
    "aarch64_be-aapcs64",
    "aarch64_sve-aapcs64",
    "aarch64_ilp32-aapcs64",
    "aarch64-darwin",
    "aarch64-windows-msvc",
    "s390x",
    "powerpc64le-elfv2",
    "arm-aapcs",
    "arm-aapcs-vfp",
    "loongarch64-lp64d",
    "loongarch64-lp64f",
    "loongarch64-lp64s",
    "loongarch32-ilp32d",
    "loongarch32-ilp32s",
    "bpf",
    "mips64-n64",
    "mips64el-n64",
    "mips64el-n32",
    "mipsel-o32",
    "powerpc64-elfv1",
    "powerpc-sysv",
    "hexagon",
    "m68k",
    "sparc64",
    "sparc-sysv",
    "xtensa-call0",
    "wasm32",
    "x86_64-vfabi",
    "nvptx64-cuda",
    *DIALECTS,
)
WITHOUT_MODEL = {name for name in TARGETS if not find_target(name).modelled}
"""Targets of which no text is known."""
TARGETS_ALWAYS = ("x86_64-sysv", "riscv64-lp64d")
SUBJECTS = (
    "clang-13", "clang-14", "clang-15", "clang-16", "clang-19", "clang-22", "clang-23", "clang-24", "gcc-11", "gcc-12",
    "gcc-13", "gcc-14", "gcc-15", "gcc-16", "tcc", "pcc", "nvcc", "rustc", "zig-lang", "ldc2", "swift", "hare",
)  # fmt: skip
"""The embedded clang is left out: it is a release that is here by its own name."""
NAMELESS = re.compile(r"the compiler died.*|SIG[A-Z]+")
"""What is known of a crash without a stack dump: of the embedded clang and the releases from wheels, which are not asked here."""
NOT_IN_C = {"vfabi:gcc.reference"}
"""Clauses that an example in C cannot break: references are of C++."""


@cache
def named(target: str) -> tuple[Entry, ...]:
    """The entries that name a target, or a dialect."""
    return tuple(entry for entry in ENTRIES if entry.names(target))


def version_of(subject: str, target: str) -> str:
    """The version line of a subject, or a skip that names what is missing."""
    built = build(parse_subject(subject), find_target(target), LEVELS[0])
    if built is None:
        pytest.skip(f"{subject} is not installed for {target}")
    return identity(built.command).version


def about(target: str, subject: str) -> tuple[Entry, ...]:
    """The entries for a target that name any version of a subject's family."""
    return tuple(entry for entry in named(target) if family(subject) in families_of(entry.subjects))


def pairs() -> list[tuple[str, str]]:
    """Targets with the subjects that any entry for them names."""
    return [(target, subject) for target in TARGETS for subject in SUBJECTS if about(target, subject)]


def some_long() -> list[object]:
    """Parameters for `pairs`: the newest compilers of the two main targets, and the rest for `tox -e long`."""
    quick = {(target, subject) for target in TARGETS_ALWAYS for subject in ("clang-22", "gcc-12")}
    return [pytest.param(*one, marks=() if one in quick else (pytest.mark.long,)) for one in pairs()]


@pytest.mark.parametrize(("target", "subject"), some_long())
def test_entries_say_what_a_compiler_shows(target: str, subject: str) -> None:
    version = version_of(subject, target)
    entries = about(target, subject)
    found = run_on_subject(entries, find_target(target), subject, LEVELS, (*entries, *EVERY))
    inside = {entry.name for entry in entries if concerns(entry, target, subject, version)}
    assert outside(found, inside) == []
    assert otherwise(found, inside) == []
    assert missing(found, inside) == []


def outside(found: dict[str, SubjectResult], inside: set[str]) -> list[str]:
    """Entries that a compiler shows though its version is not named."""
    return [name for name, shown in found.items() if shown.expected and name not in inside]


def otherwise(found: dict[str, SubjectResult], inside: set[str]) -> list[tuple[str, Fingerprint]]:
    """What examples show that their entries do not say."""
    return [(name, item) for name in inside for item in found[name].otherwise]


def missing(found: dict[str, SubjectResult], inside: set[str]) -> list[str]:
    """Entries that a compiler could show by itself and does not."""
    alone = {entry.name for entry in ENTRIES if not entry.shows.keys() <= OPEN}
    return [name for name in inside & alone if found[name].agrees and not found[name].expected]


GROUPS = {
    "x86": ("x86_64:", "ms:", "windows:", "i386:", "win32:", "gnu:"),
    "riscv": ("riscv:", "gnu:"),
    "vfabi": ("vfabi:",),
    "nvptx": ("ptx", "gnu:"),
    "aarch64": ("aapcs64:", "darwin:", "windows_arm64:", "gnu:"),
    "arm": ("aapcs32:", "gnu:"),
    "s390x": ("lzsabi:", "gnu:"),
    "powerpc64le": ("elfv2:", "gnu:"),
    "powerpc64": ("elfv1:", "gnu:"),
    "powerpc": ("ppc32:", "gnu:"),
    "bpf": ("gnu:",),
    "mips64el": ("gnu:",),
    "mips64": ("gnu:", "no_model:"),
    "mipsel": ("gnu:",),
    "hexagon": ("hexagon:", "gnu:"),
    "m68k": ("m68k:", "gnu:"),
    "sparc64": ("scd:", "gnu:"),
    "sparc-": ("sparc32:", "gnu:"),
    "xtensa": ("xtensa:", "gnu:"),
    "loongarch": ("lapcs:", "gnu:"),
    "wasm32": ("wasm:", "gnu:"),
}
"""The beginnings of clauses that targets of a kind are judged by."""


def kind(target: str) -> str:
    """The group of a target."""
    if target.endswith("vfabi"):
        return "vfabi"
    return "x86" if target.startswith("i386") else next(name for name in GROUPS if target.startswith(name))


@pytest.mark.long
@pytest.mark.parametrize("group", GROUPS)
def test_examples_show_everything_that_their_entries_say(group: str) -> None:
    promised: set[tuple[str, str, str]] = set()
    kept: set[tuple[str, str, str]] = set()
    for target, subject in pairs():
        if (
            kind(target) == group
            and build(parse_subject(subject), find_target(target), LEVELS[0]) is not None
        ):
            entries = about(target, subject)
            found = run_on_subject(entries, find_target(target), subject, LEVELS, entries)
            for entry in entries:
                if found[entry.name].expected:
                    promised |= set(promises(entry, group))
                    kept |= {
                        one
                        for one in promises(entry, group)
                        if any(keeps(one, item) for item in found[entry.name].expected)
                    }
    if not promised:
        pytest.skip(f"no compiler is installed for {group}")
    assert sorted(promised - kept) == []


def promises(entry: Entry, group: str) -> Iterator[tuple[str, str, str]]:
    """What an entry says of the targets of a group: its name, a symptom, and a clause or a message that names a place."""
    for symptom, found in entry.shows.items():
        for name in found:
            if (
                NAMELESS.fullmatch(signature(name)) is None
                if symptom in CRASHES
                else name.startswith(GROUPS[group]) and name not in NOT_IN_C
            ):
                yield entry.name, symptom.value, name


def keeps(promise: tuple[str, str, str], item: Fingerprint) -> bool:
    """Return whether a fingerprint is what an entry says."""
    _, symptom, name = promise
    return item.symptom.value == symptom and (
        signature(name) in item.words if item.symptom in CRASHES else item.clause == name
    )


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_an_example_is_a_question_that_has_an_answer(entry: Entry) -> None:
    answers, asked = [], []
    for target in (name for name in TARGETS if entry in named(name)):
        mine, model = questions(entry, find_target(target)), find_model(target)
        answers += [answer(model, question) for question in mine]
        asked += mine
    # The front end may lack a type for one of the targets.
    assert any(entry.suits(features(question).named) for question in asked)
    # Where the text is silent, that is what the entry is about.
    silent = (Unspecified,) if OPEN & entry.shows.keys() or set(entry.targets) <= WITHOUT_MODEL else ()
    assert any(isinstance(found, (Assignment, Layout, Variants, *silent)) for found in answers)


def answer(model: AbiModel, question: Question) -> object:
    if isinstance(question, Record):
        return model.layout(question)
    return (
        model.variants(question)
        if question.simd and isinstance(model, VectorModel)
        else model.assign(question)
    )
