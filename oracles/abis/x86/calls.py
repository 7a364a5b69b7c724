"""The places of a System V x86-64 call (AMD64 psABI 3.2.3, Passing and Returning of Values)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from msgspec import structs

from abiprobe.oracles.abis.x86.classes import Class
from abiprobe.oracles.abis.x86.classify import (
    INT128,
    NO_ELEMENT,
    VECTOR_SIZE,
    ZERO_WIDTH,
    Classes,
    classify,
    is_int128_vector,
)
from abiprobe.oracles.abis.x86.pcc import is_pair_of_long_doubles
from abiprobe.oracles.abis.x86.x87 import x87_stack
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import has_flexible_array
from abiprobe.oracles.engine.in_turn import in_turn
from abiprobe.oracles.engine.llvm_unions import bytes_of_reals
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import REMEMBERED, TypeTable
from abiprobe.oracles.language.lang import (
    PRESERVING,
    BitInt,
    Complex,
    Convention,
    Enum,
    FixedPoint,
    Kind,
    Param,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    is_atomic,
    strip,
)
from abiprobe.oracles.model import CallerFrame, Forbidden, Preserved, RegisterConvention
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece, Place, Register

cite, implements = citing(__package__)
MEMORY = cite("pass.memory")
INTEGER = cite("pass.integer")
SSE = cite("pass.sse")
SSEUP = cite("pass.sseup")
X87 = cite("pass.x87")
NO_CLASS = cite("pass.no-class")
WHOLE = cite("pass.whole")
NARROW = cite("pass.narrow")
BOOL = cite("pass.bool")
RESULT_MEMORY = cite("result.memory")
RESULT_INTEGER = cite("result.integer")
RESULT_SSE = cite("result.sse")
RESULT_SSEUP = cite("result.sseup")
RESULT_X87 = cite("result.x87")
RESULT_COMPLEX_X87 = cite("result.complex-x87")
VECTOR_COUNT = cite("pass.vector-count")
UNNAMED_VECTOR = cite("pass.unnamed-vector")

INTEGER_ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
SSE_ARGUMENTS = tuple(f"xmm{index}" for index in range(8))
INTEGER_RESULTS = ("rax", "rdx")
SSE_RESULTS = ("xmm0", "xmm1")
OURS = cite("stack.preserved")
ALIGNED = cite("stack.alignment")
CONTROL_WORDS = cite("stack.control-words")
MXCSR_STATUS = 0x3F
"""The bits of MXCSR that are the status of past operations."""
REGISTERS = RegisterConvention(
    (
        *(Preserved(name, OURS) for name in ("rbx", "rbp", "r12", "r13", "r14", "r15")),
        Preserved("x87_control", CONTROL_WORDS),
        Preserved("mxcsr", CONTROL_WORDS, free=MXCSR_STATUS),
    ),
    OURS,
    16,
    ALIGNED,
    (Forbidden("rflags", 0x400, 0x400, "the direction flag is set", cite("stack.direction")),),
    caller_frame=CallerFrame(cite("stack.frame")),
    stack_of_registers=x87_stack(cite("stack.x87-empty"), cite("stack.x87-mode")),
)
FIRST_STACK_ARGUMENT = 8
"""Byte offset from rsp at callee entry: the return address lies below the arguments."""
SIXTEEN = 16
"""The alignment of the stack, and the bytes from the frame pointer to the first argument, in bytes."""
X87_BYTES = 10
FILES = {Class.INTEGER: "integer", Class.SSE: "sse"}
"""The registers of each class."""
VECTOR_REGISTERS = {"xmm": 16, "ymm": 32, "zmm": 64}
"""The vector registers by their names without the number, and their bytes; each is a part of the next."""
FIRST_UNNAMED = "...0"
"""The name of the first variable argument."""
VECTOR_OF_ONE = cite("class.vector-of-one")
VECTOR_OF_ONE_DOUBLE = Vector(Kind.DOUBLE, 8)
INT128_TYPES = (Scalar(Kind.INT128), Scalar(Kind.UINT128))


@dataclass(frozen=True)
class Narrow:
    """The extension of values narrower than their eightbyte: to `bytes` bytes, by their sign.

    The text says nothing (`bytes` 0).
    """

    bytes: int
    clause: str


AS_WRITTEN = Narrow(0, NARROW)
AS_CLANG = Narrow(4, cite("dialect.extend-to-32"))


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a System V x86-64 call."""
    types = types if prototype.isa else with_wide_vectors(types)
    narrow = AS_CLANG if types.policies.extends_to_32 else AS_WRITTEN
    cursor = Cursor(FIRST_STACK_ARGUMENT, integer=INTEGER_ARGUMENTS, sse=SSE_ARGUMENTS)
    result, hidden = assign_result(passing(types, Argument.NAMED), cursor, prototype.result)
    # What no size is known of is told first.
    travelling = [Travelling.of(types, argument.name, argument.type) for argument in prototype.arguments]
    cursor.uncounted["integer"] += int(is_demoted(types, prototype.result))

    def by_rules(argument: Param) -> Passed:
        value = Travelling.of(types, argument.name, argument.type)
        if argument.name == FIRST_UNNAMED:
            begin_list(types, cursor)
        count_for_list(types, cursor, value)
        if is_on_stack_by_ellipsis(types, value, variadic=prototype.variadic):
            cursor.uncounted["sse"] -= int(is_counted(types, cursor, value))
            return pass_unnamed_vector(types, cursor, narrow, value)
        return pass_argument(passing(types, Argument.of(named=not value.is_unnamed)), cursor, narrow, value)

    params = in_turn(types, cursor, prototype.arguments, by_rules, prototype.variadic)
    if prototype.variadic:
        counted = vector_count(len(SSE_ARGUMENTS) - cursor.left("sse"))
        open_count = types.policies.open_vector_count
        hidden = (*hidden, structs.replace(counted, bounds=(0, 0xFF)) if open_count else counted)
    if types.policies.restores_results and prototype.convention in PRESERVING and result is not None:
        result = without_restored(prototype.convention, result)
    wide = any(map(is_wide_vector, travelling))
    align = ALIGNED if wide else MEMORY
    return Assignment(
        params, result, hidden, round_up(cursor.used, 8), area_align=cursor.align, area_clause=align
    )


def without_restored(convention: Convention | None, result: Passed) -> Passed:
    """A result without what is in registers that a function with a convention of this name restores before it returns."""
    restored = (*INTEGER_RESULTS, *SSE_RESULTS) if convention is Convention.PRESERVE_ALL else INTEGER_RESULTS
    names = frozenset(map(Register, restored))
    kept = (piece for piece in result.pieces if piece.place not in names)
    return result.with_pieces(kept) if result.passing is Passing.DIRECT else result


def uncounted(types: TypeTable, cursor: Cursor, file: str, value: Travelling) -> int:
    """Return how many registers clang counts as free for a value beyond those that LLVM has left; only what is taken apart is asked for them."""
    if not types.policies.counts_apart:
        return 0
    counts = Argument.of(named=not value.is_unnamed) in types.policies.counts_apart
    illegal = is_int128_vector(value.type) or (isinstance(value.type, Vector) and value.size == 8)
    apart = illegal or isinstance(value.type, Record | Complex)
    return cursor.uncounted[file] if counts and apart else 0


def count_as_passed(types: TypeTable, cursor: Cursor, value: Travelling, classes: Classes) -> None:
    """Count the registers that clang takes a value to be in for which LLVM has none left."""
    wanted = {file: needs(types, classes, own, value) for own, file in FILES.items()}
    if all(number <= cursor.left(file) + cursor.uncounted[file] for file, number in wanted.items()):
        for file, number in wanted.items():
            cursor.uncounted[file] -= number


def take_counted(cursor: Cursor, file: str) -> Place:
    """The next register, or the next eightbyte of the stack where clang counts one that is not there."""
    cursor.uncounted[file] -= not cursor.left(file)
    return cursor.take_or_push(file)


def begin_list(types: TypeTable, cursor: Cursor) -> None:
    """Go on where a compiler has the list of arguments begin, behind the bytes that it alone knows of."""
    if types.policies.unpadded_va_start:
        cursor.forget_padding()
    cursor.push(cursor.skipped, 1)


def is_demoted(types: TypeTable, result: Type | None) -> bool:
    """Return whether LLVM returns a result in memory of which clang does not know that: a vector of several `__int128`."""
    if result is None or types.reading is not Reading.CLANG:
        return False
    value = Travelling.of(types, "", result)
    return (
        is_wide_vector(value)
        and Class.MEMORY in classify(with_wide_vectors(types), result).eightbytes
        and not is_divided(types, value)
    )


def is_counted(types: TypeTable, cursor: Cursor, value: Travelling) -> bool:
    """Return whether clang takes a vector, or a record of one, that LLVM has on the stack for one in a register."""
    left = cursor.left("sse") + cursor.uncounted["sse"]
    wide = classify(types, value.declared).eightbytes.count(Class.SSEUP) > 1
    return wide and not value.is_unnamed and value.size <= types.options.vectors and left > 0


@lru_cache(maxsize=REMEMBERED)
def with_wide_vectors(types: TypeTable) -> TypeTable:
    """The types for a function that asks for no vectors: it has those of the options."""
    if not types.policies.vectors_of_unit:
        return types
    return types.under(types.policies.changed({"vectors_of_unit": False}))


@lru_cache(maxsize=REMEMBERED)
def passing(types: TypeTable, argument: Argument | None) -> TypeTable:
    """The types for one sort of argument, or where first halves are classified by the text, for none.

    A compiler may classify unnamed arguments as it does others on one side of a call alone.
    """

    def kept(own: frozenset[Argument]) -> frozenset[Argument]:
        return own if argument in own else frozenset()

    policies = types.policies
    changed = replace(
        policies,
        float128_unions_in_integers=kept(policies.float128_unions_in_integers),
        small_reals_in_integers=kept(policies.small_reals_in_integers),
    )
    return types if changed == policies else types.under(changed)


def classes_counted(types: TypeTable, value: Travelling, classes: Classes) -> Classes:
    """The classes by which clang counts the registers of a value, whatever LLVM makes of its first half."""
    by_text = passing(types, None)
    return classes if by_text is types else classify(by_text, value.declared)


def count_for_list(types: TypeTable, cursor: Cursor, value: Travelling) -> None:
    """Count the bytes of the stack by which a compiler has the list of arguments begin later, behind a parameter.

    It counts a parameter that is not there, and aligns those behind it by its own count.
    """
    if not types.policies.va_list_counts_unnamed or not is_on_stack(
        types, cursor, value, classify(types, value.declared)
    ):
        return
    if not types.carries(value.declared):
        cursor.skipped += round_up(value.size, 8)
        return
    align = max(8, value.align)
    cursor.skipped = round_up(cursor.used + cursor.skipped, align) - round_up(cursor.used, align)


def is_on_stack(types: TypeTable, cursor: Cursor, value: Travelling, classes: Classes) -> bool:
    """Return whether a value is in memory, or finds too few registers."""
    few = any(needs(types, classes, own, value) > cursor.left(file) for own, file in FILES.items())
    return few or bool(set(classes.eightbytes) & {Class.MEMORY, Class.X87, Class.COMPLEX_X87})


def is_skipped(types: TypeTable, cursor: Cursor, value: Travelling, classes: Classes) -> bool:
    """Return whether a compiler does not put a value on the stack, as all of its bits are unnamed."""
    return is_passed_nowhere(types, value) and is_on_stack(types, cursor, value, classes)


def is_passed_nowhere(types: TypeTable, value: Travelling) -> bool:
    """Return whether a compiler passes nothing of a value that is in memory, as all of its bits are unnamed."""
    return types.policies.skips_unnamed_members and not types.carries(value.declared)


def is_on_stack_by_ellipsis(types: TypeTable, value: Travelling, *, variadic: bool) -> bool:
    """Return whether an argument is on the stack since its function takes variable arguments."""
    if variadic and types.policies.wide_vectors_on_stack:
        wide = classify(types, value.declared).eightbytes.count(Class.SSEUP) > 1
    else:
        wide = value.is_unnamed and is_wide_vector(value)
    float128 = types.policies.unnamed_float128_on_stack and value.type == Scalar(Kind.FLOAT128)
    fixed = types.policies.unnamed_fixed_on_stack and isinstance(strip(value.declared), FixedPoint)
    return wide or ((float128 or fixed) and value.is_unnamed)


@implements("pass.integer", "pass.sse", "pass.sseup", "pass.no-class", "pass.whole")
def pass_argument(types: TypeTable, cursor: Cursor, narrow: Narrow, value: Travelling) -> Passed:
    """An argument takes registers for all of its eightbytes, or none."""
    # No compiler extends what is atomic, and none relies on its being extended.
    narrow = AS_WRITTEN if is_atomic(value.declared) else narrow
    classes = classify(types, value.declared)
    kinds = set(classes.eightbytes)
    if kinds <= {Class.NO_CLASS} or is_skipped(types, cursor, value, classes):
        pass_over(types, cursor, value)
        return value.passed(Passing.IGNORED, NO_CLASS)
    if not value.size:
        # Only to a compiler that has such a record in memory.
        pass_nothing_in_memory(types, cursor, value)
        return value.passed(Passing.IGNORED, NO_CLASS)
    if kinds & {Class.MEMORY, Class.X87, Class.COMPLEX_X87}:
        if types.policies.unnamed_memory_by_reference and value.is_unnamed:
            return pass_address(cursor, value)
        clause = MEMORY if Class.MEMORY in kinds else X87
        return pass_on_stack(types, cursor, narrow, value, clause)
    counted = classes_counted(types, value, classes)
    # [x86_64:pass.whole]
    if any(
        needs(types, counted, own, value) > max(0, cursor.left(file) + uncounted(types, cursor, file, value))
        for own, file in FILES.items()
    ):
        count_as_passed(types, cursor, value, counted)
        return pass_without_registers(types, cursor, narrow, value)
    for own, file in FILES.items():
        cursor.uncounted[file] += classes.eightbytes.count(own) - counted.eightbytes.count(own)
    if types.policies.opaque_atomics and is_atomic(value.declared):
        for own, file in FILES.items():
            cursor.uncounted[file] += needs(types, classes, own, value)
    clauses = {Class.INTEGER: INTEGER, Class.SSE: SSE, Class.SSEUP: SSEUP}
    return in_registers(types, cursor, narrow, value, classes, clauses)


def pass_address(cursor: Cursor, value: Travelling) -> Passed:
    """The address of a value that the text has on the stack, as an integer."""
    return value.passed(
        Passing.INDIRECT, MEMORY, Piece(0, 8, cursor.take_or_push("integer"), MEMORY, None, 8)
    )


def pass_over(types: TypeTable, cursor: Cursor, value: Travelling) -> None:
    """Pass over what compilers take for a value without a class; by the text nothing."""
    policies, named = types.policies, Argument.of(named=not value.is_unnamed)
    flexible = named in policies.aligned_flexible and has_flexible_array(value.type, in_elements=True)
    if flexible or named in policies.aligned_nothing:
        cursor.push(round_up(value.size, 8), max(8, value.align))


def pass_nothing_in_memory(types: TypeTable, cursor: Cursor, value: Travelling) -> None:
    """Pass a record of no bytes as a compiler does that has it in memory: it takes an eightbyte.

    Clang makes it an integer of no bits where no integer register is left, of which it dies, or passes nothing.
    """
    if types.policies.opaque_flexible_arrays and value.align <= 8 and not cursor.left("integer"):
        return
    alone = Argument.of(named=not value.is_unnamed) in types.policies.aligned_flexible
    cursor.push(0 if alone else 8, max(8, value.align))


def pass_without_registers(types: TypeTable, cursor: Cursor, narrow: Narrow, value: Travelling) -> Passed:
    """A value that finds too few registers: on the stack, whole."""
    named = Argument.UNNAMED if value.is_unnamed else Argument.NAMED
    if value.type in INT128_TYPES and named in types.policies.splits_int128:
        return pass_int128_in_halves(cursor, value)
    if types.policies.trimmed_on_stack and value.size > 8 and not any(value.mask[8:]):
        return value.passed(Passing.DIRECT, WHOLE, Piece(0, 8, cursor.push(8, 8), WHOLE, None, 8))
    passed = pass_on_stack(types, cursor, narrow, value, WHOLE)
    if value.type in INT128_TYPES and named in types.policies.int128_drains_registers:
        cursor.drain("integer")
    return passed


def pass_int128_in_halves(cursor: Cursor, value: Travelling) -> Passed:
    """Each half of an `__int128` in the last register, or in an eightbyte of the stack."""
    pieces = [
        Piece(
            at,
            at + 8,
            cursor.take_or_push("integer"),
            WHOLE,
            None,
            8,
        )
        for at in (0, 8)
    ]
    return value.passed(Passing.DIRECT, WHOLE, *pieces)


def is_wide_vector(value: Travelling) -> bool:
    """Return whether a value is a `__m256` or `__m512`."""
    return isinstance(value.type, Vector) and value.size > VECTOR_REGISTERS["xmm"]


@implements("pass.unnamed-vector")
def pass_unnamed_vector(types: TypeTable, cursor: Cursor, narrow: Narrow, value: Travelling) -> Passed:
    """A `__m256` or `__m512` among the variable arguments is on the stack."""
    return pass_on_stack(types, cursor, narrow, value, UNNAMED_VECTOR)


def needs(types: TypeTable, classes: Classes, own: Class, value: Travelling) -> int:
    """Return the number of registers of one class that must be left for a value."""
    if (
        types.policies.records_need_two
        and isinstance(value.type, Record)
        and set(classes.eightbytes) == {own}
    ):
        return 2
    return classes.eightbytes.count(own)


@implements("pass.memory", "pass.x87", "class.int128")
def pass_on_stack(types: TypeTable, cursor: Cursor, narrow: Narrow, value: Travelling, clause: str) -> Passed:
    """The whole value in the argument area, at its own alignment and at least that of an eightbyte."""
    # [x86_64:pass.x87]
    size, align = round_up(value.size, 8), max(8, value.align)
    if types.policies.unpadded_stack:
        size, align = value.size if isinstance(value.type, Record) else size, 1
    if align > SIXTEEN and types.policies.stack_of_sixteen:
        align = 8
    if align > SIXTEEN and types.policies.aligned_from_frame:
        cursor.push(round_up(cursor.used + SIXTEEN, align) - SIXTEEN - cursor.used, 1)
        align = 8
    if cursor.used % align:
        # The place is where it is for the sake of its alignment.
        clause = INT128 if value.type in INT128_TYPES else MEMORY
    place = cursor.push(size, align)
    # clang copies a _BitInt to the stack as it does a record.
    narrow = AS_WRITTEN if is_extended(narrow, value.type) else narrow
    above, width = extension(types, narrow, value.type, value.size)
    piece = Piece(0, value.size, place, clause, above, width or size, above_clause(narrow, above, value.type))
    return value.passed(Passing.DIRECT, clause, piece)


def in_registers(
    types: TypeTable,
    cursor: Cursor,
    narrow: Narrow,
    value: Travelling,
    classes: Classes,
    clauses: dict[Class, str],
) -> Passed:
    """A register for each eightbyte; an SSEUP one lengthens the piece before it."""
    pieces: list[Piece] = []
    if is_extended(narrow, value.type):
        value = structs.replace(value, mask=b"\xff" * value.size)
    value = structs.replace(value, mask=carried(types, value, classes))
    leading = deciding_clause(
        classes, clauses[next(own for own in classes.eightbytes if own is not Class.NO_CLASS)]
    )
    for index, own in enumerate(classes.eightbytes):
        start, end = index * 8, min(index * 8 + 8, value.size)
        if own is Class.SSEUP:
            pieces.append(lengthened(pieces.pop(), end, clauses[own]))
        elif own is Class.SSE:
            clause = deciding_clause(classes, clauses[own])
            pieces.append(Piece(start, end, take_counted(cursor, "sse"), clause, Extension.ANY, 16, NARROW))
        elif own is Class.INTEGER:
            above, width = extension(types, narrow, value.type, end - start)
            clause = deciding_clause(classes, clauses[own])
            pieces.append(
                Piece(
                    start,
                    end,
                    take_counted(cursor, "integer"),
                    clause,
                    above,
                    width or 8,
                    above_clause(narrow, above, value.type),
                )
            )
    # Where SSEUP eightbytes lengthen the one piece, the clause of the SSE eightbyte still chose its register.
    clause = leading if len(pieces) == 1 else classes.clause
    passed = value.passed(Passing.DIRECT, clause, *pieces)
    return structs.replace(passed, overrun=overrun_of_va_arg(types, value, classes))


def overrun_of_va_arg(types: TypeTable, value: Travelling, classes: Classes) -> int:
    """Return how many bytes beyond a struct clang's va_arg stores that puts its two eightbytes together."""
    asked = types.policies.va_arg_stores_reals and value.is_unnamed and isinstance(value.type, Record)
    if not asked or len(classes.eightbytes) != 2 or classes.eightbytes[1] is not Class.SSE:
        return 0
    return max(0, 8 + bytes_of_reals(types, value.type, 8, value.size) - value.size)


def carried(types: TypeTable, value: Travelling, classes: Classes) -> bytes:
    """The significant bits of a value in registers, as far as its classes carry them."""
    of_unions = types.policies.one_member_of_unions
    if Class.NO_CLASS not in classes.eightbytes and not of_unions:
        return value.mask
    mask = bytearray(value.mask)
    for at, own in zip(range(0, value.size, 8), classes.eightbytes, strict=False):
        kept = 0 if own is Class.NO_CLASS else 8
        if own is Class.SSE and of_unions and isinstance(value.type, Record):
            kept = bytes_of_reals(types, value.type, at, value.size)
        mask[at + kept : at + 8] = bytes(len(mask[at + kept : at + 8]))
    return bytes(mask)


def lengthened(piece: Piece, end: int, clause: str) -> Piece:
    """A piece that goes on to byte `end` of the value in the register that xmm is a part of."""
    assert isinstance(piece.place, Register), "SSEUP is in a register"
    size = end - piece.start
    prefix = next(name for name, width in VECTOR_REGISTERS.items() if size <= width)
    return Piece(piece.start, end, Register(prefix + piece.place.name[3:]), clause, None, size)


def deciding_clause(classes: Classes, clause: str) -> str:
    """The clause without which an eightbyte had another class, or else the one that gives it its register."""
    return classes.clause if classes.clause in {NO_ELEMENT, ZERO_WIDTH} else clause


@implements("pass.bool")
def above_clause(narrow: Narrow, above: Extension | None, c_type: Type) -> str:
    """The clause that says what stands above a value of this type."""
    if c_type == Scalar(Kind.BOOL) and not narrow.bytes:
        return BOOL
    return NARROW if above in {None, Extension.ANY} else narrow.clause


@implements("pass.narrow")
def extension(types: TypeTable, narrow: Narrow, c_type: Type, size: int) -> tuple[Extension | None, int]:
    """Return the extension above an integer of `size` bytes, and the byte up to which it reaches: 0 where the text names nothing."""
    if size % 8 == 0 and not isinstance(c_type, BitInt):
        return None, 0
    is_real = isinstance(c_type, Scalar) and c_type.kind.is_floating
    if is_extended(narrow, c_type):
        return by_sign(types, c_type), narrow.bytes
    if narrow.bytes <= size or is_real or not isinstance(c_type, (Scalar, Enum)):
        return Extension.ANY, 0
    return by_sign(types, c_type), narrow.bytes


def by_sign(types: TypeTable, c_type: Type) -> Extension:
    """Return the extension of an integer by its signedness."""
    return Extension.SIGN if types.is_signed(c_type) else Extension.ZERO


def is_extended(narrow: Narrow, c_type: Type) -> bool:
    """Return whether a value is a `_BitInt` that is extended in a register, above its bits and not only above its bytes."""
    return isinstance(c_type, BitInt) and c_type.width < 8 * narrow.bytes


@implements(
    "result.integer", "result.sse", "result.sseup", "result.x87", "result.complex-x87", "result.memory"
)
def assign_result(
    types: TypeTable, cursor: Cursor, result: Type | None
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The places of a result, and the hidden pointer when it is returned in memory."""
    if result is None:
        return None, ()
    if types.policies.long_doubles_in_x87 and is_pair_of_long_doubles(types, result):
        result = Complex(Kind.LDOUBLE)
    value = Travelling.of(types, "", result)
    classes = classify(types, result)
    if is_wide_vector(value) and types.policies.vectors_of_unit:
        # LLVM, which knows what the function asks for, returns it.
        classes = classify(with_wide_vectors(types), result)
    kinds = set(classes.eightbytes)
    if kinds <= {Class.NO_CLASS} or (Class.MEMORY in kinds and is_passed_nowhere(types, value)):
        return value.passed(Passing.IGNORED, NO_CLASS), ()
    if Class.MEMORY in kinds and is_divided(types, value):
        return divided(types, value), ()
    if value.type == VECTOR_OF_ONE_DOUBLE and types.reading is Reading.CLANG:
        # LLVM, which Clang leaves results to that are no aggregates, returns the element.
        piece = Piece(0, 8, Register("xmm0"), VECTOR_OF_ONE, Extension.ANY, 16, VECTOR_OF_ONE)
        return value.passed(Passing.DIRECT, VECTOR_OF_ONE, piece), ()
    if Class.MEMORY in kinds:
        hidden = Piece(0, 8, cursor.take("integer"), RESULT_MEMORY, None, 8)
        address = Piece(0, 8, Register("rax"), RESULT_MEMORY, None, 8)
        return value.passed(Passing.INDIRECT, RESULT_MEMORY, address), (Hidden("result pointer", (hidden,)),)
    if Class.COMPLEX_X87 in kinds:
        parts = [
            Piece(at, at + X87_BYTES, Register(place), RESULT_COMPLEX_X87, None, X87_BYTES)
            for at, place in ((0, "st0"), (16, "st1"))
        ]
        return value.passed(Passing.DIRECT, RESULT_COMPLEX_X87, *parts), ()
    if Class.X87 in kinds:
        piece = Piece(0, X87_BYTES, Register("st0"), RESULT_X87, None, X87_BYTES)
        return value.passed(Passing.DIRECT, RESULT_X87, piece), ()
    clauses = {Class.INTEGER: RESULT_INTEGER, Class.SSE: RESULT_SSE, Class.SSEUP: RESULT_SSEUP}
    registers = Cursor(integer=INTEGER_RESULTS, sse=SSE_RESULTS)
    if (
        types.policies.loses_upper_parts
        and isinstance(value.type, Record)
        and classes.eightbytes.count(Class.SSEUP) > 1
    ):
        value = structs.replace(value, mask=value.mask[:16] + bytes(value.size - 16))
    # No compiler relies on the bits above a narrow result, and none extends it for others.
    return in_registers(types, registers, AS_WRITTEN, value, classes, clauses), ()


def is_divided(types: TypeTable, value: Travelling) -> bool:
    """Return whether clang returns a vector that is wider than the vector registers in several: any but one of `__int128`."""
    wide = is_wide_vector(value) and value.size > types.options.vectors
    of_int128 = isinstance(value.type, Vector) and value.type.kind.is_int128
    return types.reading is Reading.CLANG and wide and not of_int128


def divided(types: TypeTable, value: Travelling) -> Passed:
    """A result in as many vector registers as it takes."""
    width = types.options.vectors
    prefix = next(name for name, size in VECTOR_REGISTERS.items() if size == width)
    pieces = (
        Piece(start, start + width, Register(f"{prefix}{start // width}"), VECTOR_SIZE, None, width)
        for start in range(0, value.size, width)
    )
    return value.passed(Passing.DIRECT, VECTOR_SIZE, *pieces)


@implements("pass.vector-count")
def vector_count(used: int) -> Hidden:
    """`al` bounds the number of vector registers that a variadic call uses."""
    place = Piece(0, 1, Register("rax"), VECTOR_COUNT, Extension.ANY, 8, VECTOR_COUNT)
    return Hidden("vector count", (place,), (used, len(SSE_ARGUMENTS)))
