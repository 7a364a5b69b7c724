"""WebAssembly object files: data symbols, and the types of the functions in a table.

The format is that of WebAssembly/tool-conventions, Linking.md, linking metadata of version 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

MAGIC = b"\0asm"
CUSTOM, TYPE, IMPORT, FUNCTION, CODE, DATA = 0, 1, 2, 3, 10, 11
"""Sections."""
SYMBOL_TABLE = 8
IMPORTED_FUNCTION, IMPORTED_TABLE, IMPORTED_MEMORY = 0, 1, 2
FUNCTION_SYMBOL, DATA_SYMBOL, SECTION_SYMBOL = 0, 1, 3
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40
TABLE_INDEX_I32, TYPE_INDEX = 2, 6
WITH_ADDEND = frozenset({3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 25})
"""Types of relocations."""
VALUE_TYPES = {0x7F: "i32", 0x7E: "i64", 0x7D: "f32", 0x7C: "f64", 0x7B: "v128"}
FUNCTION_TYPE = 0x60
HEADER_BYTES = 8
WORD = 4


class FunctionType(NamedTuple):
    """The value types of a function's parameters and results."""

    parameters: tuple[str, ...]
    results: tuple[str, ...]


class Symbol(NamedTuple):
    """A function by its number, or data by segment, offset and size in bytes; what is not defined has no size."""

    kind: int
    name: str
    number: int
    offset: int = 0
    size: int = 0


class Relocation(NamedTuple):
    """A value to be put at an offset into a section: a symbol, or a type."""

    kind: int
    offset: int
    number: int


class Section(NamedTuple):
    """A section: what it is, and where its contents begin and end in the file."""

    kind: int
    start: int
    end: int


class Bytes:
    """A place in a file, moved on by what is read; what runs over the end raises `ValueError`."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        """The next byte."""
        if self.at >= len(self.data):
            raise ValueError("it ends too early")
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """The next number in LEB128, as if it had no sign."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def take(self, length: int) -> bytes:
        """The next bytes."""
        if length > len(self.data) - self.at:
            raise ValueError("it ends too early")
        self.at += length
        return self.data[self.at - length : self.at]

    def name(self) -> str:
        """The next name."""
        return self.take(self.number()).decode()


class Module:
    """An object file, read as far as it is asked for; raises `ValueError` for one that is damaged."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        if not data.startswith(MAGIC):
            raise ValueError("it is no WebAssembly")
        self.sections = tuple(self._sections())

    def _sections(self) -> Iterator[Section]:
        at = Bytes(self.data, HEADER_BYTES)
        while at.at < len(self.data):
            kind, size = at.byte(), at.number()
            yield Section(kind, at.at, at.at + size)
            at.take(size)

    def section(self, kind: int) -> Bytes | None:
        """The contents of the section of a kind."""
        return next((Bytes(self.data, one.start) for one in self.sections if one.kind == kind), None)

    def custom(self, name: str) -> tuple[Bytes, int] | None:
        """The contents of a section of the toolchain's own, behind its name, and where they end."""
        for one in self.sections:
            at = Bytes(self.data, one.start)
            if one.kind == CUSTOM and at.name() == name:
                return at, one.end
        return None

    @cached_property
    def types(self) -> tuple[FunctionType, ...]:
        """The function types."""
        at = self.section(TYPE)
        return tuple(_function_type(at) for _ in range(at.number())) if at else ()

    @cached_property
    def imports(self) -> tuple[tuple[str, int], ...]:
        """The name of each function that is imported, and the number of its type."""
        return tuple(_imported(self.section(IMPORT)))

    @property
    def imported(self) -> tuple[int, ...]:
        """The number of the type of each function that is imported; their indices come first."""
        return tuple(number for _, number in self.imports)

    @cached_property
    def functions(self) -> tuple[int, ...]:
        """The number of the type of each function."""
        at = self.section(FUNCTION)
        return (*self.imported, *(at.number() for _ in range(at.number()))) if at else self.imported

    @cached_property
    def bodies(self) -> tuple[range, ...]:
        """The offsets of the code of each defined function in the section."""
        at = self.section(CODE)
        if at is None:
            return ()
        start, found = at.at, []
        for _ in range(at.number()):
            size = at.number()
            found.append(range(at.at - start, at.at - start + size))
            at.take(size)
        return tuple(found)

    @cached_property
    def segments(self) -> tuple[tuple[int, bytes], ...]:
        """The offset into the section and the contents of each segment of data."""
        at = self.section(DATA)
        if at is None:
            return ()
        start, found = at.at, []
        for _ in range(at.number()):
            flags = at.number()
            if flags & 2:
                at.number()
            if not flags & 1:
                _skip_constant(at)
            size = at.number()
            found.append((at.at - start, at.take(size)))
        return tuple(found)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbol table."""
        found = self.custom("linking")
        if found is None:
            raise ValueError("it has no symbol table")
        at, end = found
        at.number()
        while at.at < end:
            kind, size = at.byte(), at.number()
            if kind == SYMBOL_TABLE:
                return tuple(_symbol(at) for _ in range(at.number()))
            at.take(size)
        raise ValueError("it has no symbol table")

    def relocations(self, section: str) -> Iterator[Relocation]:
        """Yield the relocations of the section `CODE` or `DATA`."""
        found = self.custom(f"reloc.{section}")
        if found is None:
            return
        at, _ = found
        at.number()
        for _ in range(at.number()):
            kind, offset, index = at.byte(), at.number(), at.number()
            if kind in WITH_ADDEND:
                at.number()
            yield Relocation(kind, offset, index)


def _function_type(at: Bytes) -> FunctionType:
    if at.byte() != FUNCTION_TYPE:
        raise ValueError("a type is no function's")
    sides = [tuple(VALUE_TYPES.get(at.byte(), "?") for _ in range(at.number())) for _ in range(2)]
    return FunctionType(sides[0], sides[1])


def _imported(at: Bytes | None) -> Iterator[tuple[str, int]]:
    """The functions among the imports, each with the number of its type."""
    if at is None:
        return
    for _ in range(at.number()):
        at.name()
        name, kind = at.name(), at.byte()
        if kind == IMPORTED_FUNCTION:
            yield name, at.number()
        elif kind == IMPORTED_MEMORY:
            _skip_limits(at)
        elif kind == IMPORTED_TABLE:
            at.byte()
            _skip_limits(at)
        else:
            # A global has a type and whether it varies, a tag what it is and a type.
            at.byte(), at.number()


def _skip_limits(at: Bytes) -> None:
    """Skip the limits of a table or memory: the least size and, by a flag, the greatest."""
    bounded = at.number() & 1
    at.number()
    if bounded:
        at.number()


def _skip_constant(at: Bytes) -> None:
    """The address of a segment, which is a constant in an object file."""
    at.byte(), at.number(), at.byte()


def _symbol(at: Bytes) -> Symbol:
    kind, flags = at.byte(), at.number()
    if kind == SECTION_SYMBOL:
        return Symbol(kind, "", at.number())
    if kind == DATA_SYMBOL:
        name = at.name()
        return Symbol(kind, name, -1) if flags & UNDEFINED else Symbol(kind, name, *_place(at))
    index = at.number()
    named = not flags & UNDEFINED or flags & EXPLICIT_NAME
    return Symbol(kind, at.name() if named else "", index)


def _place(at: Bytes) -> tuple[int, int, int]:
    return at.number(), at.number(), at.number()


@contextmanager
def _damage() -> Iterator[None]:
    """Raise `ValueError` for numbers that lead nowhere."""
    try:
        yield
    except (IndexError, KeyError, StopIteration, OverflowError) as error:
        raise ValueError(f"it is damaged: {error!r}") from error


def constants(data: bytes) -> dict[str, bytes]:
    """The initial contents of every data symbol that the object file defines; raises `ValueError` for a damaged file."""
    with _damage():
        return _constants(Module(data))


def _constants(module: Module) -> dict[str, bytes]:
    return {
        one.name: module.segments[one.number][1][one.offset : one.offset + one.size]
        for one in module.symbols
        if one.kind == DATA_SYMBOL and one.size and one.number < len(module.segments)
    }


class Listed(NamedTuple):
    """A function in a table: its type, and the type by which it calls through a pointer, if it does."""

    type: FunctionType
    calls: FunctionType | None


NOTHING = Listed(FunctionType((), ()), None)
"""The stand-in for an address of no function."""


def listed(data: bytes, table: str) -> tuple[Listed, ...]:
    """The functions in a table of addresses, in order; raises `ValueError` where there is none."""
    with _damage():
        module = Module(data)
        calls = _called_types(module)
        return tuple(
            NOTHING if number is None else Listed(module.types[module.functions[number]], calls.get(number))
            for number in _in_table(module, table)
        )


def _in_table(module: Module, table: str) -> Iterator[int | None]:
    """Yield the number of each function in a table of addresses; `None` for an address of none."""
    place = next((one for one in module.symbols if one.kind == DATA_SYMBOL and one.name == table), None)
    if place is None or not place.size:
        raise ValueError(f"it has no {table}")
    segment, contents = module.segments[place.number]
    if place.offset + place.size > len(contents):
        raise ValueError(f"{table} lies outside of its segment")
    start = segment + place.offset
    addresses = {
        one.offset: module.symbols[one.number].number
        for one in module.relocations("DATA")
        if one.kind == TABLE_INDEX_I32
    }
    yield from (addresses.get(start + at) for at in range(0, place.size, WORD))


def defined(data: bytes) -> dict[str, Listed]:
    """The functions that the object file defines, by name; raises `ValueError` for a damaged file."""
    with _damage():
        module = Module(data)
        calls = _called_types(module)
        return {
            one.name: Listed(module.types[module.functions[one.number]], calls.get(one.number))
            for one in module.symbols
            if one.kind == FUNCTION_SYMBOL and one.number >= len(module.imported)
        }


def bare_table(data: bytes, table: str) -> tuple[str, ...] | None:
    """The names of the functions in a table, empty for none, where the object file has nothing else; `None` for any other file."""
    with _damage():
        module = Module(data)
        if module.bodies or not any(one.name == table for one in module.symbols):
            return None
        names = (None if number is None else module.imports[number] for number in _in_table(module, table))
        return tuple("" if one is None else one[0] for one in names)


def _called_types(module: Module) -> dict[int, FunctionType]:
    """The type by which each function calls through a pointer, of those that do."""
    found: dict[int, FunctionType] = {}
    bodies = iter(enumerate(module.bodies, len(module.imported)))
    number, body = next(bodies, (0, range(0)))
    for one in module.relocations("CODE"):
        if one.kind != TYPE_INDEX:
            continue
        while one.offset >= body.stop:
            number, body = next(bodies)
        found.setdefault(number, module.types[one.number])
    return found
