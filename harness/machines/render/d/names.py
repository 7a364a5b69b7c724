"""Units of D whose object files have the names of entities of C++, as `abiprobe.harness.machines.render.name_units` has them in C++.

What is asked is defined: D takes the address of a member function in too few places. The declarations of a namespace stand
together, because no other block of it may come behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from abiprobe.harness.machines.render.d.types import SPACES, TypeText, head
from abiprobe.harness.machines.render.name_units import marked
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.harness.machines.render.unsayable import UnsayableError
from abiprobe.oracles.language.entities import (
    STD,
    AnyEntity,
    Builtin,
    Constructor,
    Conversion,
    Destructor,
    Function,
    Guard,
    Named,
    Operator,
    Table,
    Temporary,
    Thunk,
    Variable,
    What,
    depends,
    every,
)

VOID = Builtin("void")
PRELUDE = """\
module abi_names;
import core.stdc.config;
extern (C++, "std") {
struct char_traits(T) {}
struct allocator(T) {}
struct basic_string(T, U = char_traits!char, V = allocator!char) {}
struct basic_istream(T, U = char_traits!char) {}
struct basic_ostream(T, U = char_traits!char) {}
struct basic_iostream(T, U = char_traits!char) {}
struct vector(T) {}
struct thing {}
}
"""
BINARY = frozenset({"+", "-", "*", "/", "<<", "&"})
UNARY = frozenset({"+", "-", "*", "~"})
ENUMS = {What.ENUM, What.SCOPED_ENUM}
KEYWORDS = {What.STRUCT: "struct", What.UNION: "union"}


def unit(entities: Sequence[AnyEntity]) -> str:
    """A unit that has every entity; raises `UnsayableError` where D has none of its kind."""
    lines = [PRELUDE]
    for index, one in enumerate(entities):
        lines += [marker(index), *NameText(marked(one, index), index).lines()]
    return "\n".join(lines) + "\n"


def declarations(of: AnyEntity) -> str:
    """The program of an entity, without what all have in common."""
    return "\n".join(NameText(of, 0).lines())


class NameText(TypeText):
    """The declarations that an entity needs, by their scopes, and the entity."""

    def __init__(self, asked: AnyEntity, index: int) -> None:
        super().__init__()
        self.index = index
        self.own = own(asked)
        # A qualified name in the type of a function template is another to the compilers.
        self.root = "" if self.own.name.scope is None else "."
        self.given = self.own.name.arguments or ()
        self.scopes: dict[Named | None, dict[Named, None]] = {None: {}}
        self.use = ""

    def lines(self) -> Iterator[str]:
        """Yield the lines; raises `UnsayableError`."""
        for one in every(self.own):
            if isinstance(one, Named) and (one.what in KEYWORDS or one.what in ENUMS):
                self.note(one)
        self.note(self.own.name)
        texts = [self.declared(one) for one in self.scopes[None]]
        yield "extern (C++) {"
        yield from texts
        yield self.use
        yield "}"

    def note(self, of: Named) -> None:
        """Note an entity, or its template, in its scope, and its scope in that one's."""
        if STD in {of, of.scope} or depends(of.scope):
            return
        if not isinstance(of.scope, (Named, type(None))):
            raise UnsayableError("no names of C++ for what is local, or a member of a template parameter")
        if isinstance(of.scope, Named):
            self.note(of.scope)
        template = plain(of)
        self.scopes.setdefault(None if of.scope is None else plain(of.scope), {}).setdefault(template)
        self.scopes.setdefault(template, {})

    def declared(self, of: Named) -> str:
        """The declaration of an entity, with all that lies in it."""
        inside = " ".join(map(self.declared, self.scopes[of]))
        if of == plain(self.own.name):
            return self.entity(self.own)
        if of.what in SPACES:
            if not isinstance(of.id, str):
                raise UnsayableError("no unnamed namespace")
            return f"extern (C++, {of.id}) {{ {inside} }}"
        if not isinstance(of.id, str):
            raise UnsayableError("no such name")
        if of.tags:
            raise UnsayableError("no ABI tags")
        if of.what in ENUMS:
            return f"enum {of.id} : int {{ e }}"
        params = f"({head(of.head, self)})" if of.head else ""
        return f"{KEYWORDS[of.what]} {of.id}{params} {{ {inside} }}"

    def entity(self, of: Function | Variable) -> str:
        """The definition of what is asked; a specialization needs a use."""
        if of.name.head and of.name.arguments is None:
            raise UnsayableError("no template without arguments")
        return self.variable(of) if isinstance(of, Variable) else self.defined(of)

    def variable(self, of: Variable) -> str:
        """A variable of C++, which all threads share."""
        text = f"{'static ' * is_member(of.name)}__gshared {self.type(of.of)} {of.name.id}"
        if of.name.arguments is not None:
            raise UnsayableError("no variable templates, but templates with a variable in them")
        self.used(of)
        return f"{text};"

    def defined(self, of: Function) -> str:
        """A function that does not return."""
        if of.volatile or of.ref:
            raise UnsayableError("no volatile and no ref-qualified member functions")
        body = f"{' const' * of.const} {{ assert(0); }}"
        name, params = of.name, self.parameters(of.params, variadic=of.variadic)
        match name.id:
            case Constructor(1, None):
                if not params:
                    raise UnsayableError("no default constructor of a struct")
                self.used(of)
                return f"this({params}) {body}"
            case Destructor(1):
                self.used(of)
                return f"~this() {body}"
            case Constructor() | Destructor():
                raise UnsayableError("no constructors and destructors but those of complete objects")
            case Operator() | Conversion():
                if not is_member(name):
                    raise UnsayableError("no operators but members")
                declarator, use = operator_name(of, self)
                self.used(of, use)
                return f"{self.result(of.result)} {declarator}({params}){body}"
            case str(identifier):
                own_head = f"({head(name.head, self)})" if name.arguments is not None else ""
                self.used(of, self.last(name))
                static = "static " * (of.static and is_member(name))
                return f"{static}{self.result(of.result)} {identifier}{own_head}({params}){body}"
            case _:
                raise UnsayableError("no such name")

    def used(self, of: Function | Variable, name: str = "") -> None:
        """Note a use of what nobody writes otherwise: a specialization by its name, or what is a member of one."""
        if is_member(of.name):
            assert isinstance(of.name.scope, Named), "a member has a class"
            address = f"auto a = &p.{name};" if "!" in name else ""
            self.use = f"void abi_use_{self.index}() {{ auto p = cast({self.named(of.name.scope)}*) null; {address} }}"
        elif of.name.arguments is not None:
            self.use = f"void abi_use_{self.index}() {{ auto a = &{self.named(of.name)}; }}"


def operator_name(of: Function, text: TypeText) -> tuple[str, str]:
    """The declaration of an operator in D, and its name in a call."""
    match of.name.id:
        case Conversion(to):
            return f"opCast(T : {text.type(to)})", f"opCast!({text.type(to)})"
        case Operator("==") if len(of.params) == 1:
            return "opEquals", "opEquals"
        case Operator("[]") if len(of.params) == 1:
            return "opIndex", "opIndex"
        case Operator("()"):
            return "opCall", "opCall"
        case Operator("+=") if len(of.params) == 1:
            return 'opOpAssign(string op : "+")', 'opOpAssign!"+"'
        case Operator(symbol) if symbol in UNARY and not of.params:
            return f'opUnary(string op : "{symbol}")', f'opUnary!"{symbol}"'
        case Operator(symbol) if symbol in BINARY and len(of.params) == 1:
            return f'opBinary(string op : "{symbol}")', f'opBinary!"{symbol}"'
        case Operator(symbol):
            raise UnsayableError(f"no operator {symbol} of its own")
        case _:
            raise AssertionError("other names are no operators")


def own(asked: AnyEntity) -> Function | Variable:
    """The function or variable that is asked about; raises `UnsayableError` for what D names in its own way."""
    match asked:
        case Function() | Variable():
            return asked
        case Table():
            raise UnsayableError("tables and type information under names of its own only")
        case Guard() | Temporary():
            raise UnsayableError("no variables that are initialized when they are reached")
        case Thunk():
            raise UnsayableError("no second base class")
        case _:
            assert_never(asked)


def plain(of: Named) -> Named:
    """The template of a specialization, or the entity itself."""
    return Named(of.what, of.id, of.scope if of.scope is None else plain_scope(of), of.head, None, of.tags)


def plain_scope(of: Named) -> Named:
    """The scope of an entity, of a specialization its template."""
    assert isinstance(of.scope, Named), "others have no names"
    return plain(of.scope)


def outer(of: Named) -> Iterator[Named]:
    """The scopes of an entity."""
    scope = of.scope
    while isinstance(scope, Named):
        yield scope
        scope = scope.scope


def is_member(of: Named) -> bool:
    """Return whether an entity is a member of a class."""
    return isinstance(of.scope, Named) and of.scope.what not in SPACES
