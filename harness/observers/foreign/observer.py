"""The observers of foreign function libraries, which compile nothing: their calls, and the layouts that they compute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from abiprobe.harness.machines.workbench import bench
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.foreign.layouts import observe_library
from abiprobe.harness.observers.foreign.observing import observe_foreign
from abiprobe.harness.observers.image.observe import CallAttempt, ObservedCall
from abiprobe.harness.observers.image.observer import ProgramObserver
from abiprobe.harness.observers.image.open_calls import ObservedOpenCall
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.objects.layouts import LayoutPlan
from abiprobe.harness.observers.objects.observer import LayoutObserver
from abiprobe.harness.observers.objects.witnesses import Answers
from abiprobe.harness.subjects.families.libraries import library_of
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.record import Outcome
from abiprobe.results.verdicts.witnesses import WitnessObservation

NO_WITNESS = "a library that compiles nothing has no other witness"


class ForeignObserver(ProgramObserver):
    """Observes the calls that a library makes and takes, in the library's process."""

    name = "foreign"
    speaker = "the library"

    def lacks(self, built: Built) -> frozenset[str]:
        """Return the features that no call of a library can have; it also says of each question whether it can express it."""
        library = library_of(built.command)
        return library.lacks | library.lacks_in_calls if library else frozenset()

    def unanswered(self, _built: Built) -> Mapping[str, str]:
        """Return no features, as a library is not asked about any."""
        return {}

    def observe(
        self, attempt: CallAttempt, plans: Sequence[CallPlan]
    ) -> Iterable[tuple[CallPlan, ObservedCall | ObservedOpenCall | Failed]]:
        """Raises `Problem` where nothing here runs programs of the target."""
        if not plans:
            return ()
        attempt.bench = attempt.bench or bench(self.key.target, self.key.options.vectors)
        return observe_foreign(attempt, plans)


class LibraryObserver(LayoutObserver):
    """Observes the layouts that a library computes by itself."""

    name = "library"
    speaker = "the library"

    def lacks(self, built: Built) -> frozenset[str]:
        """Return the features that no record of a library can have; it also says of each question whether it can express it."""
        library = library_of(built.command)
        return library.lacks if library else frozenset()

    def unanswered(self, _built: Built) -> Mapping[str, str]:
        """Return no features, as a library is not asked about any."""
        return {}

    def observe(
        self, attempt: Attempt, plans: Sequence[LayoutPlan]
    ) -> Iterator[tuple[LayoutPlan, Answers | Failed]]:
        others = [kind for kind in self.key.witnesses if kind is not ProbeKind.LAYOUT]
        silent = Failed(Outcome.UNSUPPORTED, NO_WITNESS)
        for plan, own in observe_library(attempt, plans):
            if isinstance(own, Failed):
                yield plan, own
            else:
                shown = WitnessObservation(own.size, own.align, own.places)
                yield plan, {ProbeKind.LAYOUT: shown, **dict.fromkeys(others, silent)}
