"""Known deviations: what departs from the text and is expected to, with the reason and a link.

Only departures are written down. An entry selects causes by what they are (`traits`, or the identity of a cluster) and
where they show (targets, clauses, subjects with a range of versions); whatever an entry leaves out, it does not ask for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date
from enum import Enum
from fnmatch import fnmatchcase
from importlib import resources

import msgspec

from abiprobe.results.blame import families, family
from abiprobe.results.cluster import Cluster, Finding, parts_of
from abiprobe.results.traits import alike


class Status(Enum):
    """What is known of a deviation."""

    BUG = "bug"
    """the compiler is wrong, and says so or should"""
    DOCUMENTED = "documented"
    """the compiler does it on purpose and says where"""
    AMBIGUOUS = "ambiguous"
    """the text can be read otherwise"""
    WONTFIX = "wontfix"
    """it is agreed to be wrong and stays as it is, for compatibility"""


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One known deviation.

    `targets` are names with wildcards; `subjects` families with a range of versions (`clang>=13,<18`); `link` is the
    upstream report, or `unreported`; `example` is C that shows it; `since` and `expires` are dates (ISO 8601), and an
    entry is void from `expires` on.
    """

    name: str
    targets: tuple[str, ...]
    subjects: tuple[str, ...]
    status: Status
    reason: str
    link: str
    since: date
    example: str
    clauses: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    cluster: str = ""
    expires: date | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` for what is empty or cannot be read."""
        for field in ("name", "targets", "subjects", "reason", "link", "example"):
            if not getattr(self, field):
                raise ValueError(f"{self.name or 'an entry'} has no {field}")
        if not (self.clauses or self.traits or self.cluster):
            raise ValueError(f"{self.name} selects everything: give clauses, traits or a cluster")
        for subject in self.subjects:
            Range.read(subject)

    def is_void(self, today: date) -> bool:
        """Whether it has expired."""
        return self.expires is not None and today >= self.expires


class KnownError(Exception):
    """A file of known deviations that cannot be read: what is wrong, in one line."""


class Known(msgspec.Struct, frozen=True):
    """Every entry, in the order of the files."""

    entries: tuple[Entry, ...] = ()

    def without(self, name: str) -> Known:
        """All entries but one."""
        return Known(tuple(entry for entry in self.entries if entry.name != name))


class Range(msgspec.Struct, frozen=True):
    """A compiler family, with bounds on the version: each an operator and numbers."""

    family: str
    bounds: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @classmethod
    def read(cls, text: str) -> Range:
        """`clang`, `clang>=13,<18`; raises `ValueError` for anything else."""
        found = re.fullmatch(r"([a-z]\w*)((?:(?:>=|<=|==|<|>)[\d.]+,?)*)", text.replace(" ", ""))
        if found is None:
            raise ValueError(f"{text!r} is no range of versions, which looks like clang>=13,<18")
        bounds = re.findall(r"(>=|<=|==|<|>)([\d.]+)", found[2])
        return cls(found[1], tuple((operator, numbers(version)) for operator, version in bounds))

    def has(self, subject: str, version: str) -> bool:
        """Whether a subject with this version line is in the range."""
        return family(subject) == self.family and all(
            holds(numbers_of(version), operator, bound) for operator, bound in self.bounds
        )


def numbers(version: str) -> tuple[int, ...]:
    """`12.2` as numbers."""
    return tuple(int(part) for part in version.split(".") if part)


def numbers_of(line: str) -> tuple[int, ...]:
    """The version in a compiler's version line: the last number with a dot in it that no package adds."""
    plain = re.sub(r"\([^)]*\)", "", line)
    found = re.findall(r"\d+(?:\.\d+)+", plain) or re.findall(r"\d+", plain)
    return numbers(found[0]) if found else ()


def holds(version: tuple[int, ...], operator: str, bound: tuple[int, ...]) -> bool:
    """Whether `version` is as the operator says, compared as far as the bound goes."""
    mine = version[: len(bound)]
    match operator:
        case ">=":
            return mine >= bound
        case "<=":
            return mine <= bound
        case "<":
            return mine < bound
        case ">":
            return mine > bound
        case _:
            return mine == bound


def parse(text: str, name: str) -> Known:
    """The entries of a TOML file called `name`; raises `KnownError`."""
    try:
        table = tomllib.loads(text)
        entries = msgspec.convert(table.get("deviation", []), tuple[Entry, ...])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError) as error:
        raise KnownError(f"{name}: {error}") from error
    names = [entry.name for entry in entries]
    twice = next((one for one in names if names.count(one) > 1), None)
    if twice is not None:
        raise KnownError(f"{name}: two entries are called {twice!r}")
    return Known(entries)


def shipped() -> Known:
    """What is known of the compilers that continuous integration has."""
    return parse(resources.files("abiprobe.results").joinpath("known.toml").read_text("utf-8"), "known.toml")


def concerns(entry: Entry, target: str, subject: str, version: str) -> bool:
    """Whether an entry speaks of a subject for a target."""
    return any(fnmatchcase(target, pattern) for pattern in entry.targets) and any(
        Range.read(one).has(subject, version) for one in entry.subjects
    )


def matching(cluster: Cluster, entries: Iterable[Entry], versions: Mapping[str, str]) -> tuple[Entry, ...]:
    """The entries that together know every finding of a cluster, of each family; none when one is not known."""
    fitting = [entry for entry in entries if selects(entry, cluster)]
    used: dict[str, Entry] = {}
    for finding in cluster.findings:
        for part in parts_of(finding, families(finding.subjects)):
            entry = next((one for one in fitting if covers(one, cluster, part, versions)), None)
            if entry is None:
                return ()
            used[entry.name] = entry
    return tuple(used.values())


def selects(entry: Entry, cluster: Cluster) -> bool:
    """Whether the cause is one that an entry speaks of, wherever it shows."""
    if entry.cluster and entry.cluster != cluster.id:
        return False
    return not entry.clauses or bool(set(entry.clauses) & set(cluster.clauses))


def covers(entry: Entry, cluster: Cluster, finding: Finding, versions: Mapping[str, str]) -> bool:
    """Whether an entry knows of one finding of a cluster: its traits, and each of its subjects."""
    traits = alike(entry.traits)
    if not (traits <= alike(cluster.traits) or traits <= alike(finding.traits)):
        return False
    target = finding.fingerprint.target
    return finding.steady and all(
        concerns(entry, target, subject, versions.get(subject, "")) for subject in finding.blame.deviating
    )
