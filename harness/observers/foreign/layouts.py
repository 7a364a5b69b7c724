"""A library that lays out records by itself, asked in a process of its own: a subject, though no compiler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.machines.render.c import declare
from abiprobe.harness.machines.render.c import definitions as c_definitions
from abiprobe.harness.machines.render.cdef import cdefs, steps
from abiprobe.harness.machines.render.own_names import own_path
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.objects.layouts import LayoutPlan, ObservedLayout
from abiprobe.harness.subjects.compile import WORDS, error_line
from abiprobe.results.verdicts.record import Outcome


def observe_library(
    attempt: Attempt, plans: Sequence[LayoutPlan]
) -> Iterator[tuple[LayoutPlan, ObservedLayout | Failed]]:
    """The layouts that the library gives; what it cannot read is unsupported, in its own words."""
    return bisected(attempt, plans, _together)


def question(plan: LayoutPlan, suffix: str = "") -> dict[str, Any]:
    """Return the question for the child about a record: its name, definitions with their settings, the paths of its members.

    For other children it is there as C with attributes (`text`), in which its names end with `suffix`, and as
    `abiprobe.oracles.language.lang` writes it.
    """
    definitions = [
        (part.text, {"packed": True} if part.packed else {} if part.pack is None else {"pack": part.pack})
        for part in cdefs(plan.record)
    ]
    members = [steps(member.path) for member in plan.predicted.members]
    name = f"{plan.record.keyword} {plan.record.tag}"
    return {
        "name": name,
        "definitions": definitions,
        "text": c_definitions((plan.record,), suffix),
        "own_name": declare(plan.record, "", suffix),
        "own_members": [steps(own_path(member.path, suffix)) for member in plan.predicted.members],
        "type": plan.record,
        "members": members,
    }


def _together(
    attempt: Attempt, plans: Sequence[LayoutPlan], _text: str | None
) -> list[ObservedLayout | Failed] | Failed:
    asked = msgspec.json.encode([question(plan, f"_{number}") for number, plan in enumerate(plans)])
    limits = attempt.limits
    done = child.run(
        attempt.built.command, stdin=asked, timeout=limits.seconds(len(plans)), memory=limits.memory
    )
    attempt.run_seconds += done.cpu_seconds
    if done.timed_out:
        return Failed(Outcome.TIMED_OUT, "")
    if done.signal:
        return Failed(Outcome.CRASHED, done.signal)
    if not done.ok:
        return Failed(Outcome.REFUSED, error_line(done.stderr))
    answers = msgspec.json.decode(done.stdout)
    return [_seen(plan, answer) for plan, answer in zip(plans, answers, strict=True)]


def _seen(plan: LayoutPlan, answer: dict[str, Any]) -> ObservedLayout | Failed:
    if "words" in answer:
        return Failed(Outcome.UNSUPPORTED, answer["words"][:WORDS])
    places = {
        member.path: (offset, member.bit_width if width is None else width)
        for member, (offset, width) in zip(plan.predicted.members, answer["places"], strict=True)
    }
    return ObservedLayout(answer["size"], answer["align"], places)
