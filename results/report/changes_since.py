"""Changes since the previous run of the same plan, for the HTML page and its headline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from abiprobe.results.journal.journal import Header, Plan


class GoneCause(msgspec.Struct, frozen=True):
    """A cause of the earlier run that this one does not have."""

    id: str
    cause: str


class ChangesSince(msgspec.Struct, frozen=True):
    """The causes of a run beside those of the last run with the same plan.

    `started` (ISO 8601, UTC) and `folder` are of the earlier run; `appeared` gives for each cause that it lacks when a run
    before it last had it, or an empty string. `redrawn` says that the two have different seeds, so that a
    cause may be missing because no question of the kind was drawn. `replaced` are compilers that are others now.
    """

    started: str
    folder: str
    appeared: Mapping[str, str]
    gone: tuple[GoneCause, ...]
    replaced: tuple[str, ...]
    redrawn: bool

    def __str__(self) -> str:
        return f"+{len(self.appeared)} -{len(self.gone)}"


def same_plan(one: Plan, other: Plan) -> bool:
    """Return whether two plans are equal except for the seed and the corpus."""
    return without_seed(one) == without_seed(other)


def without_seed(plan: Plan) -> Plan:
    """Return a plan without its seed and corpus, which differ from night to night."""
    return msgspec.structs.replace(plan, seed=0, corpus="")


def replaced_compilers(before: Header, now: Header) -> tuple[str, ...]:
    """Return every compiler whose build changed since the run before, with both versions."""
    then = {(info.target, info.subject): info for info in before.subjects}
    found = {
        f"{info.subject}: {was.version} -> {info.version}"
        for info in now.subjects
        if (was := then.get((info.target, info.subject))) is not None and was.digest != info.digest
    }
    return tuple(sorted(found))


def changes_since(
    before: tuple[str, Header, Mapping[str, str]],
    now: Header,
    causes: Sequence[str],
    earlier: Mapping[str, str],
) -> ChangesSince:
    """Return the changes since the run `before`: its folder, header and causes by id.

    `causes` are the ids of this run; `earlier` says of ids when any run before `before` last had them.
    """
    folder, head, then = before
    return ChangesSince(
        head.started,
        folder,
        {one: earlier.get(one, "") for one in causes if one not in then},
        tuple(GoneCause(one, cause) for one, cause in then.items() if one not in causes),
        replaced_compilers(head, now),
        head.plan.seed != now.plan.seed,
    )
