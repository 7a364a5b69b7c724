"""Prediction of layouts: what can be asked of compilers, and what is settled without them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from abiprobe.harness.observers.objects.layouts import LayoutPlan, plan_layout, plan_readings
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.model import AbiModel, where_text
from abiprobe.oracles.text.place import Unspecified
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved

OBJECT = (ProbeKind.LAYOUT,)
"""The witness of layouts that is always there: constants in the object file."""
LARGEST = 256 << 20
"""Bytes of constants that a compiler is asked to write for one record."""


def predict_layout(
    model: AbiModel,
    probe: str,
    record: Record,
    witnesses: tuple[ProbeKind, ...] = OBJECT,
    readings: Mapping[str, AbiModel] = MappingProxyType({}),
    *,
    compared: bool = True,
) -> LayoutPlan | tuple[Verdict, ...]:
    """The layout of a record, ready to be asked; where the text is silent, how the `readings` have it, if they do.

    A record that cannot be asked about is settled for each of the `witnesses`, and where nobody has a reading also one that
    is not to be `compared` between subjects.
    """
    try:
        planned: LayoutPlan | Unspecified = plan_layout(model.types, probe, record)
    except AbsentError as absence:
        return tuple(unobserved(probe, kind, Outcome.UNSUPPORTED, str(absence)) for kind in witnesses)
    except SilentError as silence:
        planned = Unspecified(silence.clause, silence.why)
    planned = where_text(model.layouts, planned)
    if isinstance(planned, LayoutPlan):
        return fitting(planned, witnesses)
    return predict_open_layout(model, probe, record, planned, witnesses, readings, compared=compared)


def fitting(plan: LayoutPlan, witnesses: tuple[ProbeKind, ...]) -> LayoutPlan | tuple[Verdict, ...]:
    """A plan, or what settles it where a compiler would have to write more than can be asked of it."""
    if plan.constant_bytes <= LARGEST:
        return plan
    words = f"{plan.constant_bytes} bytes of constants for its {quantity(len(plan.bit_fields), 'bit-field')}"
    return tuple(unobserved(plan.probe, kind, Outcome.TOO_LARGE, words) for kind in witnesses)


def predict_open_layout(
    model: AbiModel,
    probe: str,
    record: Record,
    open_: Unspecified,
    witnesses: tuple[ProbeKind, ...],
    readings: Mapping[str, AbiModel],
    *,
    compared: bool,
) -> LayoutPlan | tuple[Verdict, ...]:
    """Return the plan for the layout of a record that no text decides."""
    tables = {name: reading.types for name, reading in readings.items()}
    found = plan_readings(tables, probe, record, open_)
    if found is None and not compared:
        return tuple(
            Verdict(probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, open_.clause, open_.why)
            for kind in witnesses
        )
    try:
        return fitting(found or plan_supposed(model, probe, record, open_), witnesses)
    except AbsentError as absence:
        return tuple(unobserved(probe, kind, Outcome.UNSUPPORTED, str(absence)) for kind in witnesses)


def plan_supposed(model: AbiModel, probe: str, record: Record, silence: Unspecified) -> LayoutPlan:
    """A plan for a record about which no family is known to have a reading: only its members are known."""
    plan = plan_layout(supposed(model.types, Reading.GCC), probe, record)
    return msgspec.structs.replace(plan, silence=silence)
