"""C calls on the device: declarations, and the registers and stack bytes behind them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec

from abiprobe.oracles.abis.ptx.clang_stored import stored
from abiprobe.oracles.abis.ptx.families import Family
from abiprobe.oracles.abis.ptx.lowering import Lowered, Role, lower
from abiprobe.oracles.abis.ptx.parameter import Parameter
from abiprobe.oracles.abis.ptx.sass import kernels
from abiprobe.oracles.abis.ptx.sass.places import FIRST, RESULT_MEMORY, TAIL, WORD, Placed, assign, words
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Prototype, Record, Scalar, Type
from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Hidden,
    ParamVariable,
    Passed,
    Passing,
    Piece,
    Register,
    StackSlot,
)

cite_guide = load_sheet("abiprobe.oracles.abis.ptx.guide").cite
implements = load_sheet("abiprobe.oracles.abis.ptx.guide").implements
cite = load_sheet(__package__).cite
EXTENDED = cite_guide("pass.extended")
VARIADIC = cite("variadic.c")
NEWEST, OTHERS = "sm_100", ("sm_75", "sm_90")
"""The architecture whose kernel offsets are those counted from the first parameter, and those that may differ."""


def calls(family: Family) -> Callable[[TypeTable, Prototype], Assignment]:
    """The assigner of a family."""

    def assignment(types: TypeTable, prototype: Prototype) -> Assignment:
        if prototype.variadic:
            raise SilentError(VARIADIC, "the unnamed arguments of a call")
        return kernel(types, family, prototype) if prototype.kernel else function(types, family, prototype)

    return assignment


def signature(
    types: TypeTable, family: Family, prototype: Prototype
) -> tuple[tuple[Lowered, ...], Lowered | None]:
    """The declarations of a prototype; raises `SilentError` and `AbsentError` as `lower` does."""
    role = Role.KERNEL if prototype.kernel else Role.PARAM
    params = tuple(lower(types, family, param.type, role) for param in prototype.params)
    result = None if prototype.result is None else lower(types, family, prototype.result, Role.RESULT)
    return params, result


def function(types: TypeTable, family: Family, prototype: Prototype) -> Assignment:
    """The places of a device function's call."""
    lowered, result = signature(types, family, prototype)
    places = assign([one.param for one in lowered], None if result is None else result.param)
    params = tuple(
        passed(
            Travelling.of(types, param.name, param.type),
            types,
            placed,
            by_pointer(variable(one, index, f"{prototype.name}_param_{index}"), types, family, param.type),
        )
        for index, (param, one, placed) in enumerate(
            zip(prototype.params, lowered, places.params, strict=True)
        )
    )
    returned = None
    hidden: tuple[Hidden, ...] = ()
    if prototype.result is not None and result is not None:
        declared = variable(result, 0, "func_retval0")
        value = Travelling.of(types, "", prototype.result)
        if not value.size and types.policies.undeclared_nothing:
            returned = value.passed(Passing.IGNORED, result.clause)
        elif places.result is None:
            address = Piece(0, WORD, Register(f"R{FIRST}"), RESULT_MEMORY, None, WORD)
            hidden = (Hidden("result pointer", (address,)),)
            returned = with_param(value.passed(Passing.INDIRECT, RESULT_MEMORY), declared)
        else:
            returned = passed(value, types, places.result, declared)
    return Assignment(params, returned, hidden, places.stack_bytes)


def kernel(types: TypeTable, family: Family, prototype: Prototype) -> Assignment:
    """The offsets of a kernel's parameters; nothing of them is in a register when it begins."""
    if prototype.result is not None:
        raise AbsentError("a kernel that returns a value")
    lowered, _ = signature(types, family, prototype)
    declared = [one.param for one in lowered]
    newest = kernels.layout(declared, NEWEST)
    others = {arch: kernels.layout(declared, arch).offsets for arch in OTHERS}
    params = []
    for index, (param, one) in enumerate(zip(prototype.params, lowered, strict=True)):
        own = newest.offsets[index]
        differing = tuple((arch, offsets[index]) for arch, offsets in others.items() if offsets[index] != own)
        about = msgspec.structs.replace(
            variable(one, index, f"{prototype.name}_param_{index}"), offset=own, offsets=differing
        )
        value = Travelling.of(types, param.name, param.type)
        params.append(with_param(value.passed(Passing.DIRECT, one.clause), about))
    return Assignment(tuple(params), None, (), 0)


def variable(lowered: Lowered, index: int, name: str) -> ParamVariable:
    """A declaration as the answer carries it."""
    param = lowered.param
    return ParamVariable(index, param.align, param.size, param.declaration(name), lowered.clause)


def by_pointer(declared: ParamVariable, types: TypeTable, family: Family, c_type: Type) -> ParamVariable:
    """A declaration with the alignment that a call through a pointer has, where that is another one."""
    if not types.policies.plain_pointers:
        return declared
    policies = replace(types.policies, llvm_params=False, least_param_align=0)
    plain = lower(types.under(policies), family, c_type, Role.PARAM).param.align
    return declared if plain == declared.align else msgspec.structs.replace(declared, by_pointer=plain)


def with_param(value: Passed, param: ParamVariable) -> Passed:
    """A value that travels, with its declaration."""
    return msgspec.structs.replace(value, param=param)


def passed(value: Travelling, types: TypeTable, placed: Placed, param: ParamVariable) -> Passed:
    """A value in registers or on the stack."""
    value = value_stored(value, types)
    if not value.size:
        return with_param(value.passed(Passing.IGNORED, placed.clause), param)
    above = extension(types, value.type, value.size)
    # A vector or a complex number may be declared larger than it is, a long double smaller.
    size = min(value.size, param.size)
    if isinstance(placed.spot, StackSlot):
        whole = Piece(0, size, placed.spot, placed.clause, above, words(size) * WORD, above_clause(above))
        return with_param(value.passed(Passing.DIRECT, placed.clause, whole), param)
    pieces = tuple(
        Piece(
            start,
            min(start + WORD, size),
            Register(f"R{placed.spot.first + start // WORD}"),
            placed.clause,
            above if start + WORD > size else None,
            WORD,
            above_clause(above) if start + WORD > size else "",
        )
        for start in range(0, size, WORD)
    )
    return with_param(value.passed(Passing.DIRECT, placed.clause, *pieces), param)


def value_stored(value: Travelling, types: TypeTable) -> Travelling:
    """A value as far as its LLVM type stores it, to a compiler that has one member for a union."""
    if not (types.policies.one_member_of_unions and value.mask and isinstance(value.type, Record)):
        return value
    kept = (bits & own for bits, own in zip(value.mask, stored(types, value.type), strict=True))
    return msgspec.structs.replace(value, mask=bytes(kept))


@implements("pass.extended")
def extension(types: TypeTable, c_type: Type, size: int) -> Extension | None:
    """Return the extension above the value in its last register: copies of the sign or zeros for an integer, else anything."""
    if size % WORD == 0:
        return None
    if isinstance(c_type, Enum) or (isinstance(c_type, Scalar) and c_type.kind.is_integer):
        return Extension.SIGN if types.is_signed(c_type) else Extension.ZERO
    return Extension.ANY


def above_clause(above: Extension | None) -> str:
    """The clause that says what is above a value."""
    if above is None:
        return ""
    return TAIL if above is Extension.ANY else EXTENDED


@implements("dialect.variadic")
def variadic_parameter(family: Family) -> Parameter:
    """Return the parameter that follows the named ones of a variadic function; raises `SilentError` if nothing is known."""
    if family.variadic is None:
        raise SilentError(VARIADIC, "the unnamed arguments of a call")
    return family.variadic
