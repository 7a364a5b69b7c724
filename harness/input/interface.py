"""The interface of a file for baselines: its functions, objects, enumerations and typedef names, and the records they need."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.functions import convention_attributes, has_prototype, prototype
from abiprobe.harness.input.libclang import cindex, element_type, kind_of
from abiprobe.harness.input.limit_values import NESTED
from abiprobe.harness.input.own_declarations import definitions, simd_of, unread
from abiprobe.harness.input.reading import Inexpressible, identifier
from abiprobe.harness.input.records import record
from abiprobe.harness.input.type_text import TypeText, enumerators, unwrapped
from abiprobe.harness.input.types import convert
from abiprobe.oracles.language.lang import Convention, Record
from abiprobe.results.history.baseline.interface import (
    UNNAMED,
    DeclaredEnum,
    DeclaredFunction,
    DeclaredMember,
    DeclaredRecord,
    DeclaredVariable,
    Interface,
    Linkage,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from abiprobe.harness.input.reading import Reading
    from abiprobe.oracles.language.lang import Prototype

Value = TypeVar("Value")


def interface(reading: Reading) -> Interface:
    """All that the file declares itself, and the records and enumerations that it uses, also those of included files."""
    text = TypeText()
    functions = tuple(_functions(reading, text))
    variables = tuple(_variables(reading, text))
    kinds = cindex().CursorKind
    typedefs = [cursor for cursor in reading.unit.own if cursor.kind == kinds.TYPEDEF_DECL]
    named = {cursor.spelling: text(cursor.underlying_typedef_type) for cursor in typedefs}
    own = {*definitions(reading), *(one for one in reading.unit.own if one.kind == kinds.ENUM_DECL)}
    for cursor in own:
        text.use(cursor)
    records: list[DeclaredRecord] = []
    enums: list[DeclaredEnum] = []
    constants: list[tuple[str, int]] = []
    # What is used grows while it is looked at.
    done: set[Any] = set()
    while waiting := [cursor for cursor in text.used if cursor not in done]:
        for cursor in waiting:
            done.add(cursor)
            if cursor.kind != kinds.ENUM_DECL:
                records += (
                    [_record(reading, text, cursor, included=cursor not in own)] if identifier(cursor) else []
                )
            elif identifier(cursor):
                enums.append(_enum(reading, text, cursor, included=cursor not in own))
            else:
                constants += enumerators(cursor)
    if constants:
        enums.append(DeclaredEnum(UNNAMED, tuple(constants)))
    lost = ((one.name, one.reason) for one in unread(reading))
    return Interface(tuple(records), tuple(enums), functions, variables, tuple(named.items()), tuple(lost))


def _functions(reading: Reading, text: TypeText) -> Iterator[DeclaredFunction]:
    """Each function of the file once, as its last prototype says."""
    found: dict[str, list[Any]] = {}
    for cursor in reading.unit.own:
        if cursor.kind == cindex().CursorKind.FUNCTION_DECL:
            found.setdefault(cursor.spelling, []).append(cursor)
    for name, cursors in found.items():
        # In C a declaration that gives the name for the assembler may come second.
        if reading.unit.cxx and len({cursor.mangled_name for cursor in cursors}) > 1:
            yield DeclaredFunction(name, result="", unread="it is overloaded")
        else:
            yield _function(reading, text, cursors)


def _function(reading: Reading, text: TypeText, cursors: Sequence[Any]) -> DeclaredFunction:
    cursor = next((one for one in reversed(cursors) if has_prototype(one)), cursors[-1])
    broken = _why(lambda: reading.expect_sound(cursor))
    if broken:
        return DeclaredFunction(cursor.spelling, result="", unread=broken)
    value, why = _tried(lambda: prototype(reading, cursor))
    function, _ = unwrapped(cursor.type)
    params = text.parameters(function)
    return DeclaredFunction(
        cursor.spelling,
        text(function.get_result()),
        params,
        variadic=params is not None and function.is_function_variadic(),
        attributes=(*convention_attributes(cursor.type), *_other_attributes(reading, cursor, value)),
        linkage=_linkage(cursors),
        symbol=_symbol(cursors),
        value=value,
        unread=why,
    )


def _other_attributes(reading: Reading, cursor: Any, value: Prototype | None) -> Iterator[str]:
    """Yield attributes of a call that are not in the function's type: words of the prelude, and vector variants."""
    if value is not None:
        annotated = {
            Convention.SYSV_ABI.value: value.convention is Convention.SYSV_ABI,
            "kernel": value.kernel,
            "vertex": value.vertex,
        }
        yield from (word for word, said in annotated.items() if said)
    numbers = {argument.spelling: f'"{at}"' for at, argument in enumerate(cursor.get_arguments(), 1)}
    pragmas, why = _tried(lambda: simd_of(reading, cursor.spelling))
    for pragma in pragmas or ():
        clauses = re.sub(
            r'"(\w+)"', lambda word: numbers.get(word[1], word[0]), msgspec.json.encode(pragma).decode()
        )
        yield f"declare simd {clauses}"
    if why:
        yield f"declare simd ({why})"


def _variables(reading: Reading, text: TypeText) -> Iterator[DeclaredVariable]:
    """Each object of the file once."""
    kinds = cindex().CursorKind
    found: dict[str, list[Any]] = {}
    for cursor in reading.unit.own:
        if cursor.kind == kinds.VAR_DECL:
            found.setdefault(cursor.spelling, []).append(cursor)
    for name, cursors in found.items():
        cursor = cursors[-1]
        value, _ = _tried(partial(convert, reading, cursor.type, cursor))
        yield DeclaredVariable(
            name,
            text(cursor.type),
            thread=cursor.tls_kind != cindex().TLSKind.NONE,
            constant="const" in _of_elements(cursor.type),
            linkage=_linkage(cursors),
            symbol=_symbol(cursors),
            value=value,
        )


def _of_elements(c_type: Any) -> frozenset[str]:
    """The qualifiers of an object, or of the elements of an array."""
    kinds = cindex().TypeKind
    bare, said = unwrapped(c_type)
    if kind_of(bare) in (kinds.CONSTANTARRAY, kinds.INCOMPLETEARRAY):
        return said | _of_elements(element_type(bare))
    return said


def _record(reading: Reading, text: TypeText, definition: Any, *, included: bool) -> DeclaredRecord:
    keyword = "union" if definition.kind == cindex().CursorKind.UNION_DECL else "struct"
    name = f"{keyword} {identifier(definition)}"
    if not definition.is_definition():
        return DeclaredRecord(name, opaque=True, included=included)
    value, why = _tried(lambda: record(reading, definition, definition))
    members = tuple(_members(reading, text, definition))
    asked = value if isinstance(value, Record) else None
    return DeclaredRecord(name, members, asked, why, included=included)


def _members(reading: Reading, text: TypeText, definition: Any, path: str = "") -> Iterator[DeclaredMember]:
    """The members with a name; in place of one whose type is a record without a name, those of the record."""
    kinds = cindex().TypeKind
    for field in definition.type.get_fields():
        name = identifier(field)
        bare, _ = unwrapped(field.type)
        inner = bare.get_declaration() if kind_of(bare) == kinds.RECORD else None
        if inner is not None and not identifier(inner):
            yield from _members(reading, text, inner, f"{path}{name}." if name else path)
        elif name:
            value, _ = _tried(partial(convert, reading, field.type, field))
            yield DeclaredMember(path + name, text.member(field), value)


def _enum(reading: Reading, text: TypeText, definition: Any, *, included: bool) -> DeclaredEnum:
    if not definition.is_definition():
        return DeclaredEnum(f"enum {identifier(definition)}", (), included=included)
    fixed = cindex().conf.lib.clang_EnumDecl_isScoped(definition) or ":" in _head(reading, definition)
    underlying = text(definition.enum_type) if fixed else ""
    value, _ = _tried(
        lambda: convert(reading, definition.enum_type if fixed else definition.type, definition),
    )
    return DeclaredEnum(
        f"enum {identifier(definition)}", enumerators(definition), underlying, value, included
    )


def _head(reading: Reading, definition: Any) -> str:
    """Return the text before the enumerators."""
    return reading.print(definition).partition("{")[0].replace("::", "")


def _linkage(cursors: Sequence[Any]) -> Linkage:
    """Return the linkage of a function or an object, by all its declarations."""
    last = cursors[-1]
    if last.linkage != cindex().LinkageKind.EXTERNAL:
        return Linkage.INTERNAL
    if cindex().conf.lib.clang_getCursorVisibility(last) == HIDDEN:
        return Linkage.HIDDEN
    storage = cindex().StorageClass
    inlined = all(
        cindex().conf.lib.clang_Cursor_isFunctionInlined(each) and each.storage_class != storage.EXTERN
        for each in cursors
    )
    return Linkage.INLINE if inlined else Linkage.EXTERNAL


HIDDEN = 1
"""libclang's `CXVisibility_Hidden`."""


def _symbol(cursors: Sequence[Any]) -> str:
    """The name for the assembler, where a declaration gives one."""
    label = cindex().CursorKind.ASM_LABEL_ATTR
    inner = (child for each in cursors for child in each.get_children() if child.kind == label)
    return next((child.spelling for child in inner), "")


def _tried(work: Callable[[], Value]) -> tuple[Value | None, str]:
    """Return the value of a declaration, or the reason why it has none."""
    found: list[Value] = []
    why = _why(lambda: found.append(work()))
    return (found[0] if found else None), why


def _why(work: Callable[[], object]) -> str:
    """Return the reason why something cannot be read; empty if it can."""
    try:
        work()
    except Inexpressible as error:
        return error.reason
    except Problem as problem:
        return problem.message
    except RecursionError:
        return NESTED
    return ""
