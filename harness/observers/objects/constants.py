"""The witness that is always there: layouts from the constants in an object file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.readers.objects import constants, is_big_endian
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.objects.layouts import LayoutPlan, ObservedLayout, layouts_text, read_layouts
from abiprobe.results.verdicts.record import Outcome


def observe_layouts(
    attempt: Attempt, plans: Sequence[LayoutPlan], text: str | None = None
) -> Iterator[tuple[LayoutPlan, ObservedLayout | Failed]]:
    """Compile the constants that ask for the layouts of `plans`, and read them."""
    return bisected(attempt, plans, _together, text)


def _together(
    attempt: Attempt, plans: Sequence[LayoutPlan], text: str | None
) -> list[ObservedLayout] | Failed:
    found = compiled(attempt, text or layouts_text(plans, attempt.printer), len(plans))
    if isinstance(found, Failed):
        return found
    with stage("read"):
        try:
            return list(read_layouts(plans, constants(found), big_endian=is_big_endian(found)))
        except UnreadError as error:
            return Failed(Outcome.UNDECODED, str(error))
        except (ValueError, KeyError, StopIteration) as error:
            return Failed(Outcome.REFUSED, f"the object file is not readable: {error}")
