"""The witness of debug information: the same unit once more, with `-g`, and what its DWARF says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.machines.readers.debug_types import DebugRecord, DebugType, place
from abiprobe.harness.machines.readers.dwarf import variable_types
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.machines.render.own_names import own_path
from abiprobe.harness.machines.render.witnesses import OBJECT, debug_unit
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.objects.witness_questions import WitnessQuestion
from abiprobe.results.verdicts.record import Outcome
from abiprobe.results.verdicts.witnesses import WitnessObservation


def observe_debug_info(
    attempt: Attempt, known: Sequence[WitnessQuestion]
) -> Iterator[tuple[WitnessQuestion, WitnessObservation | Failed]]:
    """Yield the layout of each record by its DWARF."""
    return bisected(attempt, known, _together)


def _together(
    attempt: Attempt, known: Sequence[WitnessQuestion], _text: str | None
) -> list[WitnessObservation | Failed] | Failed:
    found = compiled(attempt, debug_unit([each.asked for each in known]), len(known), "-g")
    if isinstance(found, Failed):
        return found
    try:
        types = variable_types(found, OBJECT)
    except UnreadError as error:
        return Failed(Outcome.UNDECODED, str(error))
    return [_shown(each, types.get(f"{OBJECT}{index}"), f"_{index}") for index, each in enumerate(known)]


def _shown(known: WitnessQuestion, described: DebugType | None, suffix: str) -> WitnessObservation | Failed:
    """The members that were asked for, where the DWARF has them."""
    if not isinstance(described, DebugRecord):
        return Failed(Outcome.UNSUPPORTED, "the compiler writes no DWARF about it")
    paths = (member.path for member in known.plan.predicted.members)
    places = {
        path: found for path in paths if (found := place(described, own_path(path, suffix))) is not None
    }
    return WitnessObservation(described.size, described.align, places)
