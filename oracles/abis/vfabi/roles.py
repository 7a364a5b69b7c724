"""The roles that a pragma gives to parameters, and their letters (2.6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from abiprobe.oracles.abis.vfabi.dialect import Dialect, References, Strides
from abiprobe.oracles.abis.vfabi.variant import RefusedError
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Param, Pointer, Prototype, Scalar, Type, spelling, strip
from abiprobe.oracles.language.simd import Linear, Modifier, Simd
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
VECTOR = cite("name.vector")
UNIFORM = cite("name.uniform")
MODIFIER = cite("name.modifier")
GCC_REFERENCE = cite("gcc.reference")
CLANG_REFERENCE = cite("clang.reference")
OLD_REFERENCE = cite("clang.old-reference")
ZERO_STEP = cite("gcc.zero-step")
LARGE_STEP = cite("gcc.large-step")

LARGEST = 1 << 63
POINTER_BYTES = 8


class Role(Enum):
    """The role of a parameter for the lanes; the value is its letter."""

    VECTOR = "v"
    """one value for each lane"""
    UNIFORM = "u"
    """one value for all lanes"""
    LINEAR = "l"
    """the value of lane 0, from which the others follow"""
    REF = "R"
    """the address of lane 0, from which the others follow"""
    VAL = "L"
    """an address for each lane, whose values are linear"""
    UVAL = "U"
    """one address for all lanes"""


@dataclass(frozen=True)
class Described:
    """A parameter, its role and how its name is written.

    `step` is what one lane adds, in the unit of the dialect; with a variable stride it is `None`, `stride` the
    position of the parameter that holds it, and `unit` what that is multiplied with.
    """

    param: Param
    role: Role
    text: str
    clause: str
    step: int | None = None
    stride: int | None = None
    unit: int = 1

    @property
    def per_lane(self) -> bool:
        """Return whether each lane has an element of its own."""
        return self.role in {Role.VECTOR, Role.VAL}


@implements(
    "name.vector", "name.uniform", "name.aligned", "name.aligned-default", "gcc.aligned", "clang.aligned"
)
def describe(dialect: Dialect, types: TypeTable, prototype: Prototype, simd: Simd) -> tuple[Described, ...]:
    """Every parameter in its role. Raises `RefusedError` where the dialect drops the pragma."""
    linear = _linears(dialect, types, prototype, simd)
    aligned = _alignments(dialect, simd)
    found = []
    for param in prototype.params:
        if param.name in simd.uniform:
            one = Described(param, Role.UNIFORM, "u", UNIFORM)
        else:
            one = linear.get(param.name) or Described(param, Role.VECTOR, "v", VECTOR)
        # [vfabi:name.aligned] [vfabi:name.aligned-default] [vfabi:gcc.aligned] [vfabi:clang.aligned]
        if param.name in aligned:
            one = replace(one, text=f"{one.text}a{aligned[param.name]}")
        found.append(one)
    return tuple(found)


def _alignments(dialect: Dialect, simd: Simd) -> dict[str, int]:
    """The number behind the letter `a` of each parameter that has one."""
    found: dict[str, int] = {}
    for clause in simd.aligned:
        value = clause.bytes
        # clang: an alignment that is none counts as not given
        if value is not None and dialect.alignment and value & (value - 1):
            value = None
        if value is None:
            value = dialect.alignment
        if value is None:
            raise SilentError(dialect.alignment_clause, "an aligned clause without a number")
        if value:
            found |= dict.fromkeys(clause.params, value)
    return found


@implements("clang.variable-stride")
def _linears(dialect: Dialect, types: TypeTable, prototype: Prototype, simd: Simd) -> dict[str, Described]:
    """The linear parameters by name."""
    positions = {param.name: position for position, param in enumerate(prototype.params)}
    first_only = dialect.strides in {Strides.LS_FIRST, Strides.S_FIRST}
    asked: dict[int, tuple[Linear, int | None]] = {}
    constant = 1
    for clause in simd.linear:
        for number, name in enumerate(clause.params):
            if isinstance(clause.step, int):
                constant = clause.step
            is_constant = isinstance(clause.step, int) or (first_only and number > 0)
            asked[positions[name]] = (clause, constant if is_constant else None)
    found: dict[str, Described] = {}
    # gcc, which refuses a pragma for one reason only, looks at the last parameter first.
    for position, (clause, step) in sorted(asked.items(), reverse=True):
        param = prototype.params[position]
        if step is not None:
            found[param.name] = _constant(dialect, types, param, clause, step)
        else:
            assert isinstance(clause.step, str), "a stride that is no number is a parameter"
            found[param.name] = _variable(dialect, types, param, clause, positions[clause.step])
    return found


@implements("name.linear", "gcc.step", "gcc.zero-step", "gcc.large-step", "clang.step", "clang.old-negative")
def _constant(dialect: Dialect, types: TypeTable, param: Param, clause: Linear, written: int) -> Described:
    """A parameter with a constant step, counted as the dialect counts."""
    role, cited = _role(dialect, param, clause)
    # [vfabi:gcc.step] [vfabi:clang.step]
    step, counted = _step(dialect, types, param, role, written)
    if dialect.refuses and step == 0:
        raise RefusedError(ZERO_STEP, "ignoring zero linear step")
    if dialect.refuses and step >= LARGEST:
        raise RefusedError(LARGE_STEP, "ignoring large linear step")
    # [vfabi:name.linear]
    letter = "l" if dialect.references is References.PLAIN else role.value
    number = "" if step == 1 else str(step) if step >= 0 else f"{dialect.minus}{-step}"
    # [vfabi:clang.old-negative]
    if step < 0 and step == written:
        counted = dialect.minus_clause
    return Described(param, role, letter + number, cited if role is not Role.LINEAR else counted, step)


@implements("name.variable-stride", "gcc.variable-stride", "clang.old-stride")
def _variable(dialect: Dialect, types: TypeTable, param: Param, clause: Linear, position: int) -> Described:
    """A parameter whose stride another one holds, at `position`."""
    role, cited = _role(dialect, param, clause)
    if role is Role.LINEAR or dialect.references is References.PLAIN:
        # [vfabi:gcc.variable-stride]
        cited = dialect.stride_clause
    # [vfabi:name.variable-stride] [vfabi:clang.old-stride]
    letter = "s" if dialect.strides in {Strides.S, Strides.S_FIRST} else f"{role.value}s"
    unit = 1
    inner = strip(param.type)
    if isinstance(inner, Pointer) and role in {Role.LINEAR, Role.REF}:
        unit = pointee_bytes(types, inner, dialect.void_step)
    return Described(param, role, f"{letter}{position}", cited, None, position, unit)


@implements("name.modifier", "gcc.reference", "clang.reference", "clang.old-reference")
def _role(dialect: Dialect, param: Param, clause: Linear) -> tuple[Role, str]:
    """The role of a linear parameter: only of a reference the modifier says anything."""
    if not is_reference(param.type):
        return Role.LINEAR, dialect.step_clause
    match dialect.references:
        case References.SILENT:
            raise SilentError(MODIFIER, f"a linear reference ({param.name})")
        case References.PLAIN:
            cited = OLD_REFERENCE
        case References.LETTERS:
            cited = CLANG_REFERENCE
        case References.LETTERS_CONVERTED:
            cited = GCC_REFERENCE
    by = {Modifier.REF: Role.REF, Modifier.UVAL: Role.UVAL}
    return (by.get(clause.modifier, Role.VAL) if clause.modifier else Role.VAL), cited


@implements("name.pointer-step", "gcc.pointer-step", "clang.pointer-step")
def _step(dialect: Dialect, types: TypeTable, param: Param, role: Role, written: int) -> tuple[int, str]:
    """Return the step from one lane to the next, and the clause that gives its unit."""
    c_type = strip(param.type)
    if role is Role.LINEAR:
        # [vfabi:name.pointer-step] [vfabi:gcc.pointer-step] [vfabi:clang.pointer-step]
        if isinstance(c_type, Pointer):
            return written * pointee_bytes(types, c_type, dialect.void_step), dialect.pointer_clause
        return converted(dialect, types, c_type, written), dialect.step_clause
    assert isinstance(c_type, Pointer), "only references have other roles"
    if dialect.references is References.PLAIN:
        return written, OLD_REFERENCE
    if role is Role.REF:
        return written * pointee_bytes(types, c_type, dialect.void_step), dialect.pointer_clause
    referred = c_type.to and strip(c_type.to)
    if dialect.references is References.LETTERS or referred is None:
        return written, CLANG_REFERENCE
    if isinstance(referred, Pointer):
        return written * pointee_bytes(types, referred, dialect.void_step), dialect.pointer_clause
    # The value travels as an address does: as a signed number of 64 bits.
    step = converted(dialect, types, referred, written)
    return (step - (LARGEST << 1) if step >= LARGEST else step), GCC_REFERENCE


@implements("gcc.step")
def converted(dialect: Dialect, types: TypeTable, c_type: Type, step: int) -> int:
    """A step as a value of the type that it is added to."""
    if not dialect.converts_step:
        return step
    bits = 1 if c_type == Scalar(Kind.BOOL) else 8 * types.extent(c_type).size
    step &= (1 << bits) - 1
    return step - (1 << bits) if types.is_signed(c_type) and step >> (bits - 1) else step


def is_reference(c_type: Type) -> bool:
    """Return whether this is a C++ reference."""
    inner = strip(c_type)
    return isinstance(inner, Pointer) and inner.reference


def pointee_bytes(types: TypeTable, pointer: Pointer, of_void: int) -> int:
    """The size in bytes of what a pointer points to; raises `AbsentError` where the question does not say."""
    if pointer.to is not None:
        return types.extent(pointer.to).size
    if pointer.function or pointer.pointee in {"", "void"}:
        return of_void
    if pointer.pointee.endswith("*"):
        return POINTER_BYTES
    try:
        return types.extent(Scalar(Kind(pointer.pointee))).size
    except ValueError:
        raise AbsentError(f"the size of what {spelling(pointer)} points to is not known") from None
