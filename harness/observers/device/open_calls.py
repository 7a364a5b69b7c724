"""Calls about which no text of PTX decides: how each compiler declares them, and whether ptxas takes what it wrote.

The declaration of a function that is defined is held against that of one that is called by the same compiler, and both
against what other compilers declare. Offsets and registers follow from the declarations, by the rules of ptxas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from abiprobe.harness.machines.readers.ptx import PtxDeclaration
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.device.conduct import misconduct
from abiprobe.harness.observers.device.declarations import declarations
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall
from abiprobe.harness.observers.device.plan import DevicePlan, kinds
from abiprobe.harness.observers.device.sass.state import State
from abiprobe.harness.observers.device.unnamed import Area
from abiprobe.oracles.abis.ptx.device_model import DeviceModel
from abiprobe.oracles.abis.ptx.parameter import Parameter
from abiprobe.oracles.abis.ptx.unnamed import Pieces, UnnamedMemory
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.language.lang import Prototype, Type, spelling
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Assignment, Passed, Passing, Unspecified
from abiprobe.results.verdicts.locations import AmongUnnamed, Declared
from abiprobe.results.verdicts.readings import NONE
from abiprobe.results.verdicts.record import (
    Judgement,
    Outcome,
    Shown,
    Verdict,
    from_differences,
    unobserved,
)
from abiprobe.results.verdicts.values import Words
from abiprobe.results.verdicts.wording import UNNAMED, spot_text

BROKEN = frozenset({Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT})
"""How ptxas may end on what a compiler wrote."""
NOTHING, UNDECLARED = Words("none"), Words("no declaration")


def placeless(model: AbiModel, function: Prototype) -> Assignment:
    """Return the places of values for which no text says how they travel; raises `AbsentError` for a type that the target lacks."""
    types = supposed(model.types, Reading.CLANG)

    def value(name: str, c_type: Type) -> Passed:
        extent = types.extent(c_type)
        return Passed(name, spelling(c_type), Passing.IGNORED, (), "", extent.size, extent.align, b"")

    params = tuple(value(one.name, one.type) for one in function.arguments)
    return Assignment(params, None if function.result is None else value("", function.result), (), 0)


def readings_of(function: Prototype, readings: Mapping[str, AbiModel]) -> dict[str, Assignment]:
    """Return the assignment of each family that has an answer; of a variadic function that of the named arguments."""
    found = {}
    named = msgspec.structs.replace(function, variadic=False, unnamed=())
    for name, model in readings.items():
        try:
            answer = model.assign(named)
        except AbsentError:
            continue
        if isinstance(answer, Assignment):
            found[name] = answer
    return found


def areas_of(function: Prototype, readings: Mapping[str, AbiModel]) -> dict[str, UnnamedMemory]:
    """Return the memory of unnamed arguments of each family of which it is known."""
    if not function.variadic:
        return {}
    models = ((name, model) for name, model in readings.items() if isinstance(model, DeviceModel))
    return {name: found for name, model in models if (found := model.unnamed(function)) is not None}


def judged_open(
    plan: DevicePlan, silence: Unspecified, seen: ObservedDeviceCall | Failed
) -> tuple[Verdict, ...]:
    """The verdicts on an open question: what the compiler declares, a refusal by ptxas, and code that is wrong wherever values are."""
    every = kinds(plan.prototype)
    if isinstance(seen, Failed):
        return tuple(unobserved(plan.probe, kind, seen.outcome, seen.words) for kind in every)
    sides = (one for one in (seen.callee, seen.caller, seen.kernel) if isinstance(one, Failed))
    broken = next((one for one in sides if one.outcome in BROKEN), None)
    first, *others = (
        Verdict(plan.probe, kind, Judgement.UNSPECIFIED, clause=silence.clause, detail=silence.why)
        for kind in every
    )
    shown = tuple(declared(plan.prototype, seen))
    reading = (" and ".join(followed(plan, seen)) or NONE) if plan.readings else ""
    first = msgspec.structs.replace(first, shown=shown, reading=reading)
    if broken is None:
        return (first, *(conducted(plan, seen, other) for other in others))
    refused = tuple(unobserved(plan.probe, kind, broken.outcome, broken.words) for kind in every[1:])
    return (first, *refused) if refused else (unobserved(plan.probe, every[0], broken.outcome, broken.words),)


def conducted(plan: DevicePlan, seen: ObservedDeviceCall, open_one: Verdict) -> Verdict:
    """The verdict on one side: open, unless its code breaks a rule that no place affects."""
    sides = {
        ProbeKind.CALLER: seen.caller,
        ProbeKind.CALLEE: seen.callee,
        ProbeKind.POINTER: seen.pointer,
    }
    state = sides.get(open_one.kind)
    if isinstance(state, Failed) and state.outcome in BROKEN:
        return unobserved(plan.probe, open_one.kind, state.outcome, state.words)
    if not isinstance(state, State):
        return open_one
    side = "callee" if open_one.kind is ProbeKind.CALLEE else "caller"
    found = tuple(misconduct(side, plan, state))
    return from_differences(plan.probe, open_one.kind, found) if found else open_one


def followed(plan: DevicePlan, seen: ObservedDeviceCall) -> Iterator[str]:
    """The families as whose compilers a compiler declares the function."""
    for name, answer in plan.readings.items():
        asked = msgspec.structs.replace(plan, assignment=answer)
        has_unnamed = not plan.prototype.variadic or is_area(plan.areas.get(name), seen)
        if has_unnamed and returns_as_said(answer, seen) and not list(declarations(asked, seen)):
            yield name


def is_area(said: UnnamedMemory | None, seen: ObservedDeviceCall) -> bool:
    """Return whether all that was followed of unnamed arguments is where a family has it."""
    if said is None or any(space not in {"", said.space} for space in (seen.passed.space, seen.taken.space)):
        return False
    declared_as = (one.params[-1].param for one in (seen.signature, seen.declared) if one is not None)
    if any(extent(one) != extent(said.parameter) for one in declared_as):
        return False
    wholes = [((0, begin),) for begin in said.taken]
    sides = ((seen.passed, said.put), (seen.taken, wholes))
    return all(lies_as(area.parts(number), own) for area, each in sides for number, own in enumerate(each))


def lies_as(seen: Pieces, said: Pieces) -> bool:
    """Return whether the parts of an argument that were followed lie where they are said to."""
    firsts = {first for first, _ in (*seen, *said)}
    return not seen or all(
        base_at(seen, first) == base_at(said, first) for first in firsts if first >= seen[0][0]
    )


def returns_as_said(answer: Assignment, seen: ObservedDeviceCall) -> bool:
    """Return whether a function declares a result where an answer has one declared, and none where it has none."""
    said = answer.result is not None and answer.result.param is not None
    return seen.signature is None or said is (seen.signature.result is not None)


def declared(function: Prototype, seen: ObservedDeviceCall) -> Iterator[Shown]:
    """Yield the declaration of each value at its call and, if that differs, at its definition.

    Of the memory with unnamed arguments the address space belongs to it, and each argument has a place in it.
    """
    defined, called = seen.signature, seen.declared
    if defined is None:
        return
    names = (*(param.name for param in function.params), *((UNNAMED,) if function.variadic else ()))
    returns = function.result is not None
    # A side that loads nothing, or passes no address of its own, takes what the other has.
    read, put = (seen.taken.space or seen.passed.space), (seen.passed.space or seen.taken.space)
    there = with_space(values(names, defined, returns=returns), read)
    here = there if called is None else with_space(values(names, called, returns=returns), put)
    for what in dict.fromkeys((*here, *there)):
        at, taken = here.get(what, UNDECLARED), there.get(what, UNDECLARED)
        yield Shown(what, (at,), () if at == taken else (taken,))
    yield from placed_in_area(seen.passed, seen.taken)


def placed_in_area(here: Area, there: Area) -> Iterator[Shown]:
    """Yield the start of the unnamed arguments that were followed, for the caller and, if that differs, for the callee.

    Of one that a side has torn, each part that lies apart is shown, by its first byte.
    """
    for number in range(max(len(here.offsets), len(there.offsets))):
        put, read = here.parts(number), there.parts(number)
        for byte in sorted({first for first, _ in (*put, *read)}):
            # A side of which a byte was not followed has it where the other has it.
            found = [base for base in (base_at(put, byte), base_at(read, byte)) if base is not None]
            at, taken = AmongUnnamed(found[0] + byte), AmongUnnamed(found[-1] + byte)
            name = f"...{number}[{byte}]" if byte else f"...{number}"
            yield Shown(name, (at,), () if at == taken else (taken,))


def base_at(parts: Pieces, byte: int) -> int | None:
    """The offset at which a value would begin that lies as the part with one of its bytes; `None` before the first part."""
    return next((base for first, base in reversed(parts) if first <= byte), None)


def values(names: tuple[str, ...], found: PtxDeclaration, *, returns: bool) -> dict[str, Declared | Words]:
    """Return the declarations of the values of a signature, by name; all parameters at once if some are left out."""
    params = [extent(formal.param) for formal in found.params]
    parts: dict[str, Declared | Words]
    if len(params) == len(names):
        parts = dict(zip(names, params, strict=True))
    else:
        parts = {"the parameters": Words(", ".join(map(spot_text, params))) if params else NOTHING}
    result = NOTHING if found.result is None else extent(found.result.param)
    return parts | ({"result": result} if returns else {})


def with_space(told: dict[str, Declared | Words], space: str) -> dict[str, Declared | Words]:
    """The same with the address space of the memory with unnamed arguments, where that is known."""
    own = told.get(UNNAMED)
    if not space or not isinstance(own, Declared):
        return told
    return {**told, UNNAMED: msgspec.structs.replace(own, space=space)}


def extent(own: Parameter) -> Declared:
    """Size and alignment: a scalar and an array of bytes of the same size travel alike."""
    return Declared(own.size, own.align)
