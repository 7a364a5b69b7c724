"""Comparison of a device compiler's declarations with the model: alignments and sizes in the PTX, offsets in a kernel's image."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.readers.ptx import PtxDeclaration
from abiprobe.harness.observers.device.assembler.cubin import KernelRecord
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.oracles.abis.ptx import parameter as ptx
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import ParamVariable, Passed
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.record import Difference, Outcome, Verdict, from_differences, unobserved
from abiprobe.results.verdicts.values import ByteRange, Number, Parameter

PTX, KERNEL = Named("PTX"), Named("kernel parameters")
POINTER = Named("the prototype of a call through a pointer")


def judge_declarations(plan: DevicePlan, seen: ObservedDeviceCall) -> Verdict:
    """Compare declarations, alignments and sizes, and for a kernel the offsets that the image records."""
    if seen.signature is None:
        return unobserved(
            plan.probe, ProbeKind.PARAM, Outcome.REFUSED, "the PTX does not define the function"
        )
    differences = [*declarations(plan, seen)]
    if isinstance(seen.kernel, KernelRecord):
        differences += offsets(plan, seen.kernel)
    return from_differences(plan.probe, ProbeKind.PARAM, tuple(differences))


def declarations(plan: DevicePlan, seen: ObservedDeviceCall) -> Iterator[Difference]:
    """Everything that the PTX declares otherwise."""
    if seen.signature is None:
        return
    # Behind the named parameters stands that of unnamed arguments.
    named = len(seen.signature.params) - plan.prototype.variadic
    expected, found = plan.assignment.params, seen.signature.params[:named]
    if len(expected) != len(found):
        counts = Number(len(expected)), Number(len(found))
        yield Difference("callee", "parameters", PTX, *counts, plan_clause(plan))
    for passed, formal in zip(expected, found, strict=False):
        yield from declaration(passed, formal.param)
    result = plan.assignment.result
    if result is not None and seen.signature.result is not None:
        yield from declaration(result, seen.signature.result.param)


def through_pointer(plan: DevicePlan, seen: ObservedDeviceCall) -> Iterator[Difference]:
    """The first value that a compiler declares otherwise for a call through a pointer than where it defines the function.

    Whatever a text says, the two are one function; a dialect may say that a compiler makes two of it.
    """
    own, pointed = seen.signature, seen.pointed
    if own is None or pointed is None:
        return
    defined, called = values(own), values(pointed)
    said = (*plan.assignment.params[: len(own.params)], *filter(None, (plan.assignment.result,)))
    for passed, here, there in zip(said, defined, called, strict=False):
        align = (passed.param.by_pointer if passed.param is not None else 0) or here.align
        if (align, here.size) != (there.align, there.size):
            clause = passed.param.clause if passed.param is not None else passed.clause
            yield Difference(
                "caller", passed.name or "result", POINTER, written(here), written(there), clause
            )
            return


def values(own: PtxDeclaration) -> list[ptx.Parameter]:
    """The parameters of a declaration, and its result behind them."""
    return [*(formal.param for formal in own.params), *([own.result.param] if own.result else [])]


def plan_clause(plan: DevicePlan) -> str:
    """The clause of the first parameter."""
    return next((passed.clause for passed in plan.assignment.params), "")


def declaration(passed: Passed, seen: ptx.Parameter) -> Iterator[Difference]:
    """A declaration of another size or alignment; a type of the same size is the same."""
    own = passed.param
    if own is not None and (own.align, own.size) != (seen.align, seen.size):
        yield Difference("callee", passed.name or "result", PTX, declared(own), written(seen), own.clause)


def declared(own: ParamVariable) -> Parameter:
    """A declaration without the name."""
    words = own.declaration.split()
    extent = words[-1][words[-1].find("[") :] if "[" in words[-1] else ""
    aligned = ".align" in words and bool(extent)
    return Parameter(own.align, own.size, " ".join(words[:-1]) + extent, bytes=aligned)


def written(seen: ptx.Parameter) -> Parameter:
    """A declaration as a compiler wrote it."""
    text = f"{seen.space.value} {seen.typed}" + ("" if seen.length is None else f"[{seen.length}]")
    of_bytes = seen.type == "b8" and seen.space is ptx.Space.PARAM and seen.length is not None
    return Parameter(seen.align, seen.size, text, bytes=of_bytes and seen.declared is not None)


def offsets(plan: DevicePlan, record: KernelRecord) -> Iterator[Difference]:
    """Offsets of a kernel's parameters that the image has elsewhere, for the architecture it was assembled for."""
    for passed, seen in zip(plan.assignment.params, record.params, strict=False):
        own = passed.param
        if own is None or own.offset is None:
            continue
        expected = dict(own.offsets).get("sm_75", own.offset)
        if (expected, own.size) != (seen.offset, seen.size):
            places = ByteRange(expected, own.size), ByteRange(seen.offset, seen.size)
            yield Difference("object", passed.name, KERNEL, *places, own.clause)
