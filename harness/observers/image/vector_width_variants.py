"""Calls that the text decides for one set of vector registers and not for another, held against each other.

Code that is compiled with `-mavx` is linked with code that is not. Where the text is silent about the one, and the other is
where the text puts it, its places are shown as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.observers.image.open_plan import placed
from abiprobe.harness.observers.image.parts import parts_of
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.tracing import named
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions
from abiprobe.oracles.text.place import Located, Register, RegisterFile, Unspecified
from abiprobe.results.verdicts.locations import Spot
from abiprobe.results.verdicts.record import Judgement, Shown, Verdict

FOLLOWING = frozenset({Judgement.AGREES, Judgement.UNOBSERVED})


def with_predicted_places(
    plan: CallPlan, verdicts: tuple[Verdict, ...], types: TypeTable, usual: AbiModel, machine: Machine
) -> tuple[Verdict, ...]:
    """Verdicts on a call that the text decides, with its places where the `usual` model is silent about it."""
    first, *others = verdicts
    agrees = first.verdict is Judgement.AGREES and {one.verdict for one in others} <= FOLLOWING
    if not agrees or not isinstance(usual.assign(plan.prototype), Unspecified):
        return verdicts
    found = placed(plan.assignment, parts_of(plan, types, types), machine.files)
    return (msgspec.structs.replace(first, shown=tuple(as_traced(found, machine))), *others)


def differs_by_vectors(options: LayoutOptions) -> bool:
    """Return whether a subject differs from the usual ones only by its vector registers."""
    return options != DEFAULT and msgspec.structs.replace(options, vectors=DEFAULT.vectors) == DEFAULT


def as_traced(found: Iterable[Shown], machine: Machine) -> Iterator[Shown]:
    """Places under the names by which a value is found: the first bytes of zmm0 are xmm0, a result in mm0 may be in st0."""
    for one in found:
        at = tuple(narrowest(place, machine) for place in one.at)
        returned = (name for place in at for name in as_returned(place))
        yield msgspec.structs.replace(one, at=tuple(returned) if one.what.startswith("result ") else at)


def as_returned(place: Spot) -> tuple[Spot, ...]:
    """A byte of mm0 as one of st0 as well, which is the same register unless reals have moved the top of their stack."""
    match place:
        case Located(Register("mm0"), at, _, False):
            return Located(Register("st0"), at, RegisterFile.X87), place
        case _:
            return (place,)


def narrowest(place: Spot, machine: Machine) -> Spot:
    """A byte of a register as one of the narrowest register that has it."""
    match place:
        case Located(Register(name), at, _, False) if name in machine.registers:
            own, _ = named(machine)[machine.registers[name].offset + at]
            return own
        case _:
            return place
