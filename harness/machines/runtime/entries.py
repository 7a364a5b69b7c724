"""Code that enters functions of WebAssembly and is entered by them, for each type that a unit has.

An entry loads the parameters from the first state block, calls `abi_entered`, and stores the stack pointer and the results in
the second, with its type. A capture stores its parameters, its type and the stack pointer in the third, calls `abi_captured` on the driver's stack,
and returns what the fourth has. A value that the state block has no place for is zero, and is not stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from abiprobe.harness.machines.readers.wasm import FunctionType, Listed
from abiprobe.harness.machines.runtime.wasm import TYPES, encoded

if TYPE_CHECKING:
    from abiprobe.harness.machines.runtime.description import Machine

ENTER, LEFT, CAPTURED, RETURNS = range(4)
"""The state blocks of the driver, in their order in `abi_states`."""
NOTHING = FunctionType((), ())
WORD = 8
HEAD = """\
    .globaltype __stack_pointer, i32
    .tabletype __indirect_function_table, funcref
    .functype abi_captured () -> ()
    .functype abi_blank () -> ()
"""


def entries(functions: Sequence[Listed], callers: str, callees: str, machine: Machine) -> str:
    """The assembly for a table of functions called `callers`; `callees` is that of the functions which they call in pairs."""
    entered = {one.type: number for number, one in enumerate(functions)}
    captured = {one.calls: number for number, one in enumerate(functions) if one.calls is not None}
    return "\n".join(
        [
            HEAD,
            *(line for kind, number in entered.items() for line in _entry(kind, number, machine)),
            *(line for kind, number in captured.items() for line in _capture(kind, number, machine)),
            *_table("abi_entries", [f"abi_entry_{entered[one.type]}" for one in functions]),
            *_table(
                "abi_captures",
                ["0" if one.calls is None else f"abi_capture_{captured[one.calls]}" for one in functions],
            ),
            *_table("abi_caller_table", [callers]),
            *_table("abi_callee_table", [callees]),
            "",
        ]
    )


def typed_tables(tables: Mapping[str, Mapping[str, Listed]]) -> str:
    """The assembly for tables of functions with their types, by name; what has no letter for a name is no function."""
    functions = {name: one for table in tables.values() for name, one in table.items() if not name.isdigit()}
    lines = [f"    .functype {name} {_spelled(one.type)}" for name, one in functions.items()]
    for table, named in tables.items():
        lines += _table(table, ["0" if name.isdigit() else name for name in named])
    return "\n".join([*lines, ""])


def _table(name: str, items: Sequence[str]) -> Iterator[str]:
    """Words of constant data."""
    yield f'    .section .rodata.{name},"",@'
    yield f"    .globl {name}"
    yield "    .p2align 2"
    yield f"{name}:"
    yield from (f"    .int32 {item}" for item in items)
    yield f"    .size {name}, {4 * len(items)}"


def _entry(kind: FunctionType, number: int, machine: Machine) -> Iterator[str]:
    yield from _head(f"abi_entry_{number}", NOTHING)
    if kind.results:
        yield f"    .local {', '.join(kind.results)}"
    yield from _load("sp", ENTER, machine)
    yield "    global.set __stack_pointer"
    for at, value in enumerate(kind.parameters):
        yield from _loaded(value, f"p{at}", ENTER, machine)
    yield "    i32.const 0"
    yield "    i32.load abi_entered"
    yield f"    call_indirect {_spelled(kind)}"
    for at in reversed(range(len(kind.results))):
        yield f"    local.set {at}"
    for at, value in enumerate(kind.results):
        yield from _stored(value, f"r{at}", f"local.get {at}", LEFT, machine)
    yield from _store("sp", "global.get __stack_pointer", LEFT, machine)
    yield from _type_stored(kind, LEFT, machine)
    yield "    end_function"


def _capture(kind: FunctionType, number: int, machine: Machine) -> Iterator[str]:
    yield from _head(f"abi_capture_{number}", kind)
    yield "    call abi_blank"
    for at, value in enumerate(kind.parameters):
        yield from _stored(value, f"p{at}", f"local.get {at}", CAPTURED, machine)
    yield from _store("sp", "global.get __stack_pointer", CAPTURED, machine)
    yield from _type_stored(kind, CAPTURED, machine)
    yield "    i32.const 0"
    yield "    i32.load abi_driver_sp"
    yield "    global.set __stack_pointer"
    yield "    call abi_captured"
    yield from _load("sp", RETURNS, machine)
    yield "    global.set __stack_pointer"
    for at, value in enumerate(kind.results):
        yield from _loaded(value, f"r{at}", RETURNS, machine)
    yield "    end_function"


def _head(name: str, kind: FunctionType) -> Iterator[str]:
    yield f'    .section .text.{name},"",@'
    yield f"    .type {name},@function"
    yield f"{name}:"
    yield f"    .functype {name} {_spelled(kind)}"


def _spelled(kind: FunctionType) -> str:
    return f"({', '.join(kind.parameters)}) -> ({', '.join(kind.results)})"


def _loaded(value: str, place: str, block: int, machine: Machine) -> Iterator[str]:
    """Push a value, 0 where the state block has no such place."""
    name = f"{value}.{place}"
    if name in machine.registers:
        yield from _load(name, block, machine)
    else:
        zeros = f"{', '.join(['0'] * 16)}" if value == "v128" else "0"
        yield f"    {value}.const {zeros}"


def _stored(value: str, place: str, pushing: str, block: int, machine: Machine) -> Iterator[str]:
    """Store a value, if the state block has such a place."""
    name = f"{value}.{place}"
    if name in machine.registers:
        yield from _store(name, pushing, block, machine)


def _load(register: str, block: int, machine: Machine) -> Iterator[str]:
    yield "    i32.const 0"
    yield f"    {_type(register)}.load {_at(register, block, machine)}"


def _store(register: str, pushing: str, block: int, machine: Machine) -> Iterator[str]:
    yield "    i32.const 0"
    yield f"    {pushing}"
    yield f"    {_type(register)}.store {_at(register, block, machine)}"


def _type_stored(kind: FunctionType, block: int, machine: Machine) -> Iterator[str]:
    """Store the type of a function, which none of its values shows whole."""
    types = encoded(kind.parameters, kind.results)
    for at in range(0, len(types), WORD):
        yield "    i32.const 0"
        yield f"    i64.const {int.from_bytes(types[at : at + WORD], 'little')}"
        yield f"    i64.store {_at(TYPES, block, machine)}+{at}"


def _type(register: str) -> str:
    return "i32" if register == "sp" else register.partition(".")[0]


def _at(register: str, block: int, machine: Machine) -> str:
    return f"abi_states+{block * machine.state_bytes + machine.registers[register].offset}"
