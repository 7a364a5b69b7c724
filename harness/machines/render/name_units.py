"""Translation units whose object files have the names of C++ entities.

A function or variable is declared and its address taken; constructors and destructors, tables, guards, temporaries and thunks
are defined. Every identifier of a question gets a suffix of its own, which is taken out of the names that are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, cast

import msgspec
from msgspec.structs import replace

from abiprobe.harness.machines.render.entities import (
    UnwritableError,
    declare,
    head,
    identifier,
    named,
    parameters,
)
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.oracles.language.entities import (
    STD,
    AnyEntity,
    Builtin,
    Constructor,
    Conversion,
    Destructor,
    Function,
    FunctionType,
    Guard,
    LiteralOperator,
    Local,
    Named,
    Offset,
    Pack,
    PointerTo,
    Table,
    TableKind,
    TemplateParameter,
    Temporary,
    Thunk,
    Type,
    Variable,
    What,
    depends,
    every,
)

T = TypeVar("T")
VOID = Builtin("void")
TYPES = frozenset({What.STRUCT, What.UNION, What.ENUM, What.SCOPED_ENUM})
SECOND_BASE = Offset(-16)
"""The offset of the second base of a class, behind the virtual pointer and the data of the first."""
SPACES = frozenset({What.NAMESPACE, What.INLINE})
PRELUDE = """\
namespace std {
class type_info { public: virtual ~type_info(); const char *name; };
template <typename> struct char_traits {};
template <typename> struct allocator {};
template <typename, typename = char_traits<char>, typename = allocator<char>> struct basic_string {};
template <typename, typename = char_traits<char>> struct basic_istream {};
template <typename, typename = char_traits<char>> struct basic_ostream {};
template <typename, typename = char_traits<char>> struct basic_iostream {};
template <typename> struct vector {};
struct thing {};
}
extern int abi_source();
extern void abi_used(const volatile void *);
struct abi_virtual_base { int b; };
struct abi_first_base { virtual void abi_first(); char pad[16 - sizeof(void *)]; };
"""
SUFFIX = re.compile(r"(\d+)(\w*?)_q(\d+)q")


def marked(entity: AnyEntity, index: int) -> AnyEntity:
    """An entity with the suffix of a question on every identifier but those of std."""
    return _marked(entity, f"_q{index}q")


def _marked(of: T, suffix: str) -> T:
    if isinstance(of, tuple):
        return cast("T", tuple(_marked(one, suffix) for one in of))
    if not isinstance(of, msgspec.Struct):
        return of
    if of == STD:
        return of
    fields = {name: _marked(getattr(of, name), suffix) for name in of.__struct_fields__}
    if isinstance(of, Named) and of.scope != STD and isinstance(of.id, str):
        fields["id"] = f"{of.id}{suffix}"
    elif isinstance(of, LiteralOperator):
        fields["suffix"] = f"{of.suffix}{suffix}"
    return type(of)(**fields)


def unmarked(symbol: str) -> tuple[int, str] | None:
    """The number of the question that a symbol belongs to, and the symbol without its suffix; `None` for another one."""
    found = re.search(r"_q(\d+)q", symbol)
    if not found:
        return None
    suffix = found[0]
    if not symbol.startswith("_Z"):
        return int(found[1]), symbol.replace(suffix, "")
    parts, rest = [], symbol
    while (at := rest.find(suffix)) >= 0:
        parts.append(shortened(rest[:at], len(suffix)))
        rest = rest[at + len(suffix) :]
    return int(found[1]), "".join(parts) + rest


def shortened(text: str, by: int) -> str:
    """A text that ends with a name of the source, whose length is less by so many bytes."""
    for start in range(len(text) - 1, -1, -1):
        length = re.match(r"\d+", text[start:])
        if length and int(length[0]) == len(text) - start - len(length[0]) + by:
            return f"{text[:start]}{int(length[0]) - by}{text[start + len(length[0]) :]}"
    return text


def unit(entities: Sequence[AnyEntity]) -> str:
    """A unit that has every entity; raises `UnwritableError` where one cannot be had."""
    lines = [PRELUDE]
    for index, one in enumerate(entities):
        lines += [marker(index), *NameText(marked(one, index), index).lines()]
    return "\n".join(lines) + "\n"


def require_writable(of: AnyEntity) -> None:
    """Raise `UnwritableError` where no program here has an entity."""
    tuple(NameText(of, 0).lines())


def template_of(of: Named) -> Named:
    """The template of a specialization, or the entity itself."""
    return of if of.arguments is None else replace(of, arguments=None)


class NameText:
    """The declarations that an entity needs, and what makes a compiler write its name."""

    def __init__(self, asked: AnyEntity, index: int) -> None:
        self.asked = asked
        self.index = index
        self.declared: set[Named] = set()
        self.members: dict[Named, list[Named]] = {}
        self.own = target(asked)
        for one in every(asked):
            if isinstance(one, Named):
                self.note(one)
        if isinstance(asked, (Function, Thunk)):
            self.note_members_of_arguments(self.own.name if self.own else None)

    def note(self, of: Named) -> None:
        """Note an entity as a member of its class."""
        scope = of.scope
        if isinstance(scope, Named) and scope.what in TYPES and of.what in TYPES:
            listed = self.members.setdefault(scope, [])
            if template_of(of) not in listed:
                listed.append(template_of(of))

    def note_members_of_arguments(self, of: Named | None) -> None:
        """Note what is named as a member of a template parameter as one of its argument."""
        arguments = of.arguments if of is not None and of.arguments else ()
        for one in every(self.asked):
            if isinstance(one, Named) and isinstance(one.scope, TemplateParameter):
                if one.scope.index >= len(arguments):
                    raise UnwritableError("a parameter of no template")
                found = arguments[one.scope.index]
                for each in found.arguments if isinstance(found, Pack) else (found,):
                    if not isinstance(each, Named):
                        raise UnwritableError("a member of what is no class")
                    self.note(replace(one, scope=each))

    def lines(self) -> Iterator[str]:
        """The text about the entity."""
        asked = self.asked
        if isinstance(asked, Thunk):
            yield f"struct abi_second_base_{self.index} {{ virtual {signature(asked.target)}; }};"
        yield from self.needed(asked)
        match asked:
            case Function():
                yield from self.function(asked)
            case Variable():
                yield from self.variable(asked)
            case Table():
                yield from self.table(asked)
            case Guard(variable):
                yield from self.initialized(variable)
            case Temporary(variable, 1):
                yield from self.initialized(variable)
            case Thunk():
                yield from self.thunk(asked)
            case _:
                raise UnwritableError("a temporary that is not the first")

    def needed(self, of: object) -> Iterator[str]:
        """The declarations of all that a value names, but for its own members."""
        for one in every(of):
            if isinstance(one, (Function, Variable)) and one != self.own:
                yield from self.referred(one)
        for one in every(of):
            if isinstance(one, Named) and one.what in TYPES:
                yield from self.declaration(one)

    def referred(self, of: Function | Variable) -> Iterator[str]:
        """The declaration of a function or variable that an argument refers to."""
        if template_of(of.name) in self.declared or isinstance(of.name.scope, Local) or self.holds(of.name):
            return
        if of.name.arguments is not None or is_member(of.name):
            raise UnwritableError("a member or a specialization as an argument")
        self.declared.add(template_of(of.name))
        yield from self.within(of.name, f"{'' if isinstance(of, Function) else 'extern '}{signature(of)};")

    def holds(self, of: Named) -> bool:
        """Return whether the entity that is asked about is local to a function of this name."""
        return any(isinstance(one, Local) and one.function.name == of for one in every(self.asked))

    def declaration(self, of: Named) -> Iterator[str]:
        """The declaration of a class or enumeration, and of its template."""
        scope = of.scope
        if of in self.declared or is_std(of):
            return
        if depends(of):
            template = template_of(of)
            if template.scope is None or (isinstance(template.scope, Named) and not depends(template.scope)):
                yield from self.declaration(template) if template != of else ()
            return
        if isinstance(scope, Local):
            return
        self.declared.add(of)
        for one in every(of.arguments):
            if isinstance(one, Named) and one.what in TYPES:
                yield from self.declaration(one)
        if isinstance(scope, Named) and scope.what in TYPES:
            yield from self.declaration(scope)
            if of.arguments is not None and self.body_of(of):
                yield from self.specialization(of)
            return
        if of.arguments is not None:
            yield from self.declaration(template_of(of))
            if self.body_of(of):
                yield from self.specialization(of)
            return
        for member in self.inside(of):
            yield from self.needed_by(member, of)
        yield from self.within(of, self.definition(of))

    def needed_by(self, member: object, owner: Named) -> Iterator[str]:
        """The declarations that a member needs outside of its class."""
        for one in every(member):
            if isinstance(one, Named) and one.what in TYPES and not is_inside(one, owner):
                yield from self.declaration(one)
        for inner in self.inside(member) if isinstance(member, Named) else ():
            yield from self.needed_by(inner, owner)

    def specialization(self, of: Named) -> Iterator[str]:
        """The explicit specialization of a class template that has members."""
        for member in self.inside(of):
            yield from self.needed_by(member, of)
        arguments = named(of)[len(named(template_of(of))) :]
        name = named(of).removeprefix("::") if is_member(of) else f"{identifier(of)}{arguments}"
        text = f"template <> {of.what.value} {name}{self.bases_of(of)} {{ {self.body_of(of)} }};"
        yield from [text] if is_member(of) else self.within(of, text)

    def within(self, of: Named, text: str) -> Iterator[str]:
        """A declaration in the namespaces of an entity."""
        spaces = list(namespaces(of))
        opened = "".join(f"{one.what.value} {identifier(one)} {{ " for one in spaces)
        yield f"{opened}{text}{' }' * len(spaces)}"

    def definition(self, of: Named) -> str:
        """The definition of a class or enumeration, or of a class template."""
        if of.what in {What.ENUM, What.SCOPED_ENUM}:
            return f"{of.what.value} {identifier(of)} : int {{}};"
        template = f"{head(of.head)} " if of.head else ""
        tags = "".join(f'"{tag}", ' for tag in of.tags).rstrip(", ")
        attribute = f"[[gnu::abi_tag({tags})]] " if of.tags else ""
        return f"{template}{of.what.value} {attribute}{identifier(of)}{self.bases_of(of)} {{ {self.body_of(of)} }};"

    def bases_of(self, of: Named) -> str:
        """The base clause of a class whose VTT or thunk is asked."""
        if isinstance(self.asked, Table) and self.asked.kind is TableKind.VTT and self.asked.of == of:
            return " : virtual ::abi_virtual_base"
        if isinstance(self.asked, Thunk) and self.asked.target.name.scope == of:
            return f" : ::abi_first_base, ::abi_second_base_{self.index}"
        return ""

    def inside(self, of: Named) -> list[object]:
        """The members of a class: types, and the entity that is asked about."""
        found: list[object] = list(self.members.get(of, ()))
        if self.own is not None and self.own.name.scope == of:
            found.append(self.own)
        return found

    def body_of(self, of: Named) -> str:
        """The members between the braces of a class."""
        parts = []
        for member in self.inside(of):
            if isinstance(member, Named):
                self.declared.add(member)
                parts.append(self.definition(member))
            else:
                parts.append(self.member(cast("Function | Variable", member)))
        if (
            isinstance(self.asked, Table)
            and self.asked.of == of
            and self.asked.kind is not TableKind.TYPE_NAME
        ):
            parts.append("virtual void abi_key();")
        return " ".join(parts)

    def member(self, of: Function | Variable) -> str:
        """The declaration of the member that is asked about."""
        if isinstance(of, Variable):
            template = f"{head(of.name.head)} " if of.name.arguments is not None else ""
            if self.asked != of:
                return f"{template}inline static {declare(of.of, identifier(of.name))} = abi_source();"
            return f"{template}static {declare(of.of, identifier(of.name))};"
        virtual = isinstance(of.name.id, Destructor) and of.name.id.variant == 0
        return f"{'static ' * of.static}{'virtual ' * virtual}{signature(of)};".replace(
            "static template", "template"
        )

    def function(self, of: Function) -> Iterator[str]:
        """A function by its address, a constructor or destructor by its definition."""
        name = of.name
        if isinstance(name.id, (Constructor, Destructor)):
            if not isinstance(name.scope, Named):
                raise UnwritableError("a member of no class")
            yield f"{named(name.scope).removeprefix('::')}::{identifier(name)}({parameters(of.params, variadic=of.variadic)}) {{}}"
            return
        if isinstance(name.scope, Named) and isinstance(name.scope.scope, Local):
            yield from self.local_method(of, name.scope, name.scope.scope)
            return
        local = next((one for one in every(name.arguments) if isinstance(one, Local)), None)
        if local is not None:
            yield from self.within(name, f"{signature(of)} {{ __builtin_trap(); }}")
            yield from self.in_body(
                local.function, self.local_types(name.arguments), f"auto u = &{named(name)}; abi_used(&u);"
            )
            return
        if not is_member(name):
            yield from self.within(name, f"{signature(of)};")
        pointer = f"auto abi_use_{self.index}"
        if not is_member(name) and name.arguments is None:
            pointer = declare(
                PointerTo(FunctionType(of.result or VOID, of.params, of.variadic)), f"abi_use_{self.index}"
            )
        yield f"{pointer} = &{named(name)};"

    def local_types(self, of: object) -> list[str]:
        """The definitions of the local classes that arguments name."""
        found = dict.fromkeys(
            one for one in every(of) if isinstance(one, Named) and isinstance(one.scope, Local)
        )
        return [line for one in found for line in self.occurring(one, f"struct {identifier(one)} {{}};")]

    def occurring(self, of: Named, text: str) -> list[str]:
        """A local declaration behind those of the same name before it."""
        assert isinstance(of.scope, Local), "it is local"
        return [f"{{ {text} }}"] * (of.scope.occurrence - 1) + [text]

    def local_method(self, of: Function, owner: Named, local: Local) -> Iterator[str]:
        """A member function of a local class."""
        body = f"struct {identifier(owner)} {{ {signature(of)} {{ __builtin_trap(); }} }};"
        plain = f"struct {identifier(owner)} {{}};"
        before = [f"{{ {plain} }}"] * (local.occurrence - 1)
        use = f"auto u = &{identifier(owner)}::{identifier(of.name)}; abi_used(&u);"
        yield from self.in_body(local.function, [*before, body], use)

    def in_body(self, holder: Function, declarations: Iterable[str], use: str) -> Iterator[str]:
        """An inline function with declarations in its body, which is used."""
        text = f"{signature(holder, inline=True)} {{ {' '.join(declarations)} {use} __builtin_trap(); }}"
        if is_member(holder.name):
            raise UnwritableError("an entity in a member function")
        yield from self.within(holder.name, text)
        yield f"auto abi_use_{self.index} = &{named(holder.name)};"

    def variable(self, of: Variable) -> Iterator[str]:
        """A variable by its address."""
        if isinstance(of.name.scope, Local):
            text = f"static {declare(of.of, identifier(of.name))};"
            use = f"abi_used(&{identifier(of.name)});"
            yield from self.in_body(of.name.scope.function, self.occurring(of.name, f"{text} {use}"), "")
            return
        if not is_member(of.name):
            template = f"{head(of.name.head)} " if of.name.arguments is not None else ""
            yield from self.within(of.name, f"{template}extern {declare(of.of, identifier(of.name))};")
        yield f"auto abi_use_{self.index} = &{named(of.name)};"

    def initialized(self, of: Variable) -> Iterator[str]:
        """A variable that is initialized when a program runs."""
        if isinstance(of.name.scope, Local):
            text = f"static {declare(of.of, identifier(of.name))} = abi_source();"
            yield from self.in_body(of.name.scope.function, self.occurring(of.name, text), "")
            return
        if not is_member(of.name):
            template = f"{head(of.name.head)} " if of.name.arguments is not None else ""
            text = f"{template}inline {declare(of.of, identifier(of.name))} = abi_source();"
            yield from self.within(of.name, text)
        yield f"auto abi_use_{self.index} = &{named(of.name)};"

    def table(self, of: Table) -> Iterator[str]:
        """The tables of a class by its key function, the information about a type by `typeid`."""
        if of.kind in {TableKind.TYPE_INFO, TableKind.TYPE_NAME}:
            yield f"auto abi_use_{self.index} = &typeid({declare(of.of)});"
            return
        if not isinstance(of.of, Named) or of.of.what is not What.STRUCT:
            raise UnwritableError("a table of no class")
        yield f"void {named(of.of).removeprefix('::')}::abi_key() {{}}"

    def thunk(self, of: Thunk) -> Iterator[str]:
        """The thunk of a class with two bases, of which the second one declares the function."""
        name = of.target.name
        if of.this != SECOND_BASE or of.result is not None or not is_member(name):
            raise UnwritableError("a thunk that is not written here")
        if not isinstance(name.scope, Named):
            raise UnwritableError("a member of no class")
        yield f"void {named(name.scope).removeprefix('::')}::{identifier(name)}() {{}}"


def target(of: AnyEntity) -> Function | Variable | None:
    """The function or variable behind an entity."""
    match of:
        case Function() | Variable():
            return of
        case Guard(inner) | Temporary(inner):
            return inner
        case Thunk(target=inner):
            return inner
        case _:
            return None


def is_std(of: Named) -> bool:
    """Return whether an entity is std or one of its members."""
    return of == STD or (isinstance(of.scope, Named) and is_std(of.scope))


def is_member(of: Named) -> bool:
    """Return whether an entity is a member of a class."""
    return isinstance(of.scope, Named) and of.scope.what in TYPES


def is_inside(of: Named, owner: Named) -> bool:
    """Return whether an entity is a class or a member of it."""
    scope: object = of
    while isinstance(scope, Named):
        if scope == owner:
            return True
        scope = scope.scope
    return False


def namespaces(of: Named) -> Iterator[Named]:
    """The namespaces of an entity from the outside in."""
    scope = of.scope
    if isinstance(scope, Named):
        yield from namespaces(scope)
        if scope.what in SPACES:
            yield scope


def signature(of: Function | Variable, *, inline: bool = False) -> str:
    """The declaration of a function within its scope."""
    name = of.name
    if isinstance(of, Variable):
        return declare(of.of, identifier(name))
    template = f"{head(name.head)} " if name.arguments is not None else ""
    linkage = 'extern "C" ' if name.what is What.C_FUNCTION else ""
    suffix = " const" * of.const + " volatile" * of.volatile + f" {of.ref}" * bool(of.ref)
    listed = parameters(of.params, variadic=of.variadic, names=name.arguments is not None)
    declarator = f"{identifier(name)}({listed}){suffix}"
    if isinstance(name.id, (Constructor, Destructor, Conversion)):
        return f"{template}{'inline ' * inline}{declarator}"
    result: Type = Builtin("void") if of.result is None else of.result
    trailing = f"auto {declarator} -> {declare(result)}"
    return f"{template}{linkage}{'inline ' * inline}{trailing if name.arguments is not None else declare(result, declarator)}"


def entity_title(of: AnyEntity) -> str:
    """The kind of an entity, and its name or type: `function N::f`."""
    kind = of.kind.name.lower().replace("_", " ") if isinstance(of, Table) else type(of).__name__.lower()
    own = target(of)
    try:
        text = named(own.name) if own is not None else declare(cast(Table, of).of)
    except UnwritableError:
        text = "without a name in C++"
    return f"{kind} {text.removeprefix('::')}"


def declarations(of: AnyEntity) -> str:
    """The program of an entity, without what all have in common."""
    try:
        return "\n".join(NameText(of, 0).lines())
    except UnwritableError:
        return entity_title(of)
