"""Mixed builds: the declarations that do not go together where one compiler builds the one side and another the other side.

Only C is asked about. No compiler runs: what each does is what its dialect predicts, with the quirks that its release has on that side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import permutations

import msgspec

from abiprobe.harness.exposure.meeting import Release, quirks_for
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.anonymous import nameless
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import CQuestion, probe
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.quirks.in_force import Choice, dialect_of
from abiprobe.oracles.quirks.quirk import Quirk, Side
from abiprobe.oracles.text.place import Assignment, Extension, Layout, Passed, Piece

Answer = Assignment | Layout | None
UNDEFINED = frozenset({None, Extension.ANY})
"""Extensions of a value on which nobody may rely."""


class Mixture(msgspec.Struct, frozen=True):
    """A declaration that a caller of one compiler and a callee of another do not understand alike; of a record, their layouts differ."""

    target: str
    caller: str
    callee: str
    name: str
    probe: str


class Mixtures:
    """The compilers of a mixed build on one target, asked for one declaration after the other."""

    def __init__(self, target: Target, releases: tuple[Release, ...], choice: Choice) -> None:
        self._target = target
        self._models = {
            (one.subject, side): model_of(target, one, choice, side) for one in releases for side in Side
        }
        self._lacks = {one.subject: lacks(one) for one in releases}
        self._pairs = list(permutations((one.subject for one in releases), 2))
        self._mismatched: dict[CQuestion, tuple[tuple[str, str], ...]] = {}
        self._open: dict[CQuestion, bool] = {}

    def of(self, names: Mapping[CQuestion, str]) -> Iterator[Mixture]:
        """Yield the pairs that part on declarations, which are given with their names."""
        for asked, name in names.items():
            alike = nameless(asked)
            if alike not in self._mismatched:
                self._mismatched[alike] = tuple(self.mismatches(alike))
            for caller, callee in self._mismatched[alike]:
                yield Mixture(str(self._target), caller, callee, name, probe(asked).id)

    def mismatches(self, asked: CQuestion) -> Iterator[tuple[str, str]]:
        """Yield the callers and callees between which a call goes wrong; each two once that lay out a record otherwise."""
        able = {one for one, lacking in self._lacks.items() if not features(asked) & lacking}
        answers = {key: answer(model, asked) for key, model in self._models.items() if key[0] in able}
        for caller, callee in self._pairs:
            given, taken = answers.get((caller, Side.CALLER)), answers.get((callee, Side.CALLEE))
            match given, taken:
                case Assignment(), Assignment() if not goes(given, taken):
                    yield caller, callee
                case Layout(), Layout() if caller < callee and places(given) != places(taken):
                    yield caller, callee

    def unpredicted(self, questions: Iterable[CQuestion]) -> int:
        """Return the number of declarations that a compiler's language cannot say, or of which no model predicts what it does."""
        return sum(map(self._is_unpredicted, map(nameless, questions)))

    def _is_unpredicted(self, asked: CQuestion) -> bool:
        if asked not in self._open:
            unsaid = any(features(asked) & lacking for lacking in self._lacks.values())
            self._open[asked] = unsaid or any(answer(model, asked) is None for model in self._models.values())
        return self._open[asked]


@cache
def mixtures_of(target: Target, releases: tuple[Release, ...], choice: Choice) -> Mixtures:
    """Return the compilers of a mixed build on a target, which remember what was asked before."""
    return Mixtures(target, releases, choice)


def model_of(target: Target, release: Release, choice: Choice, side: Side) -> AbiModel:
    """Return the model of what a release does on one side of a call, at any level; what it relies on it does itself."""
    quirks = (
        one
        for one in quirks_for(target, release, choice)
        if not one.cxx and (side in one.sides or is_reliance(one))
    )
    return dialect_of(target, release.subject, quirks).model()


def is_reliance(quirk: Quirk) -> bool:
    """Return whether a quirk is that one side relies on what the other need not do, to extend a value."""
    return any(field.startswith("extend") for field in quirk.policies)


def lacks(release: Release) -> frozenset[str]:
    """The features that the language of a compiler cannot say; none for one of C."""
    folder = parse_subject(release.subject).family.language
    return find_language(folder).lacks if folder else frozenset()


def answer(model: AbiModel, asked: CQuestion) -> Answer:
    """Return what a model says of a declaration; `None` where it has no answer."""
    try:
        found = model.assign(asked) if isinstance(asked, Prototype) else model.layout(asked)
    except (SilentError, AbsentError):
        return None
    return found if isinstance(found, (Assignment, Layout)) else None


def goes(given: Assignment, taken: Assignment) -> bool:
    """Return whether a call goes right that is made as `given` and taken as `taken`."""
    results = (
        taken.result is None and given.result is None
        if taken.result is None or given.result is None
        else fits(taken.result, given.result)
    )
    return (
        results
        and all(map(fits, given.params, taken.params))
        and hidden(given) == hidden(taken)
        and given.pops == taken.pops
        and given.area_align % taken.area_align == 0
    )


def fits(given: Passed, taken: Passed) -> bool:
    """Return whether a value that one side gives is all that the other takes, where that looks for it."""
    return (
        given.passing is taken.passing
        and list(map(place, given.pieces)) == list(map(place, taken.pieces))
        and all(map(extends, given.pieces, taken.pieces))
        and given.memory_align % taken.memory_align == 0
        and not any(need & ~own for own, need in zip(given.mask, taken.mask, strict=False))
    )


def place(piece: Piece) -> tuple[object, ...]:
    """A piece and its place, without the clauses that decide it."""
    return (piece.start, piece.end, piece.place, piece.bit, piece.bits, piece.lane, piece.form, piece.at)


def extends(given: Piece, taken: Piece) -> bool:
    """Return whether what stands above a value is what the other side relies on, if it does."""
    return taken.extension in UNDEFINED or given.extension is taken.extension


def hidden(assignment: Assignment) -> list[tuple[object, ...]]:
    """The hidden arguments and their places."""
    return [(one.role, one.bounds, tuple(map(place, one.pieces))) for one in assignment.hidden]


def places(layout: Layout) -> tuple[object, ...]:
    """A layout without the clauses that decide it."""
    return (
        layout.size,
        layout.align,
        [(one.path, one.bit_offset, one.bit_width) for one in layout.members],
    )
