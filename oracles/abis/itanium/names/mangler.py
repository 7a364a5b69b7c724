"""The mangled names of entities (5.1.2, 5.1.4)."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from abiprobe.oracles.abis.itanium.names.as_declared import as_declared
from abiprobe.oracles.abis.itanium.names.codes import sequence, signed
from abiprobe.oracles.abis.itanium.names.expressions import Expressions
from abiprobe.oracles.abis.itanium.names.types import REFS, cv
from abiprobe.oracles.abis.itanium.names.writing import cite
from abiprobe.oracles.abis.itanium.names.written_out import written_out
from abiprobe.oracles.engine.policies import NameHabit
from abiprobe.oracles.language.entities import (
    STD,
    AnyEntity,
    Constructor,
    Conversion,
    Destructor,
    Function,
    Guard,
    Named,
    Offset,
    Table,
    Temporary,
    Thunk,
    Variable,
    What,
)

MANGLER = "oracles.abis.itanium.names.mangler.Mangler"
MANGLED = cite("name.mangled", f"{MANGLER}.mangled")
PLAIN = cite("name.plain", f"{MANGLER}.mangled")
TABLE = cite("name.table", f"{MANGLER}.special")
THUNK = cite("name.thunk", f"{MANGLER}.thunk")
COVARIANT = cite("name.covariant", f"{MANGLER}.thunk")
GUARD = cite("name.guard", f"{MANGLER}.special")
TEMPORARY = cite("name.temporary", f"{MANGLER}.special")
RESULT = cite("name.result", f"{MANGLER}.function")


def is_plain(of: Function | Variable) -> bool:
    """Return whether an entity has C linkage, or is a variable of the global namespace and no specialization."""
    name = of.name
    is_global = name.what is What.VARIABLE and name.scope is None and name.arguments is None
    return name.what is What.C_FUNCTION or (is_global and isinstance(name.id, str) and not name.tags)


class Mangler(Expressions):
    """Writes the mangled name of one entity."""

    def mangled(self, of: AnyEntity) -> None:
        """Write a mangled name, or the name of an entity that is not mangled."""
        # [cxxabi:name.plain]
        if isinstance(of, (Function, Variable)) and is_plain(of):
            assert isinstance(of.name.id, str), "it has a name of the source"
            self.put(of.name.id, PLAIN)
            return
        # [cxxabi:name.mangled]
        self.put("_Z", MANGLED)
        if isinstance(of, (Function, Variable)):
            self.encoding(of)
        else:
            self.special(of)

    def encoding(self, of: Function | Variable) -> None:
        """Write the encoding of a function or variable; C linkage leaves the type out."""
        if isinstance(of, Variable):
            self.name(of.name)
        elif of.name.what is What.C_FUNCTION:
            assert isinstance(of.name.id, str), "it has a name of the source"
            self.source(of.name.id)
        else:
            self.function(of)

    def function(self, of: Function) -> None:
        """Write the name and the type of a function."""
        self.name(of.name, cv(of.const, of.volatile) + REFS[of.ref])
        arguments = of.name.arguments or ()
        if NameHabit.WRITTEN_OUT in self.policy.habits and is_nested(of.name):
            of = replace(
                of, result=written_out(of.result, arguments), params=written_out(of.params, arguments)
            )
        elif NameHabit.AS_DECLARED in self.policy.habits and arguments:
            self.in_declaration = True
            of = replace(
                of,
                result=None if of.result is None else as_declared(of.result, arguments),
                params=tuple(as_declared(one, arguments) for one in of.params),
            )
        # [cxxabi:name.result]
        if has_result(of.name):
            assert of.result is not None, "a specialization has the result of its template"
            self.type(of.result)
        self.parameters(of.params, variadic=of.variadic)

    def special(self, of: Table | Guard | Temporary | Thunk) -> None:
        """Write the name of what stands for a class or an object."""
        match of:
            case Table(kind, c_type):
                # [cxxabi:name.table]
                self.put(kind.value, TABLE)
                self.type(c_type)
            case Guard(variable):
                # [cxxabi:name.guard]
                self.put("GV", GUARD)
                self.name(variable.name)
            case Temporary(variable, number):
                # [cxxabi:name.temporary]
                self.put("GR", TEMPORARY)
                self.name(variable.name)
                self.put(f"{sequence(number - 1)}_", TEMPORARY)
            case Thunk():
                self.thunk(of)
            case _:
                assert_never(of)

    def thunk(self, of: Thunk) -> None:
        """Write the name of a thunk."""
        # [cxxabi:name.thunk] [cxxabi:name.covariant]
        clause = THUNK if of.result is None else COVARIANT
        self.put("T", clause)
        self.put("c" * (of.result is not None), clause)
        self.put(call_offset(of.this), clause)
        if of.result is not None:
            self.put(call_offset(of.result), clause)
        self.encoding(of.target)


def has_result(name: Named) -> bool:
    """Return whether the encoding of a function has its result."""
    return name.arguments is not None and not isinstance(name.id, (Constructor, Destructor, Conversion))


def is_nested(name: Named) -> bool:
    """Return whether the name of a function template is a nested one."""
    return name.arguments is not None and name.scope is not None and name.scope != STD


def call_offset(of: Offset) -> str:
    """The encoding of a call offset."""
    if of.virtual is None:
        return f"h{signed(of.fixed)}_"
    return f"v{signed(of.fixed)}_{signed(of.virtual)}_"
