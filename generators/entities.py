"""The grammar of C++ entities whose names are asked: functions with their types, members, templates, local entities, tables.

Every name of a template is bound to one head, so that two of one question never contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Literal

from abiprobe.generators.draw import Draw
from abiprobe.generators.streams import once, seeded
from abiprobe.oracles.language.entities import (
    STD,
    AnyEntity,
    Applied,
    Argument,
    ArrayOf,
    Binary,
    Builtin,
    Conditional,
    Constant,
    Constructor,
    Conversion,
    Decltype,
    Dependent,
    Destructor,
    Expansion,
    Expression,
    Fold,
    Function,
    FunctionParameter,
    FunctionType,
    Guard,
    Id,
    Local,
    MemberPointer,
    Named,
    NullPointer,
    Offset,
    OfType,
    Operator,
    Pack,
    PackSize,
    PointerTo,
    Qualified,
    ReferenceTo,
    Referred,
    Scope,
    Table,
    TableKind,
    Template,
    TemplateHead,
    TemplateParameter,
    Temporary,
    Thunk,
    Type,
    Unary,
    Variable,
    What,
    every,
)
from abiprobe.oracles.language.question import Sort

VOID, INT, BOOL, CHAR = (Builtin(one) for one in ("void", "int", "bool", "char"))
NULL = Builtin("decltype(nullptr)")
INTEGERS = (
    INT,
    CHAR,
    BOOL,
    Builtin("long"),
    Builtin("unsigned int"),
    Builtin("short"),
    Builtin("unsigned long long"),
)
BUILTINS = (
    *(INT, CHAR, BOOL, Builtin("double"), Builtin("float"), Builtin("long"), Builtin("unsigned int"), NULL),
    *map(Builtin, ("short", "unsigned char", "signed char", "unsigned short", "unsigned long", "long long")),
    *map(Builtin, ("unsigned long long", "wchar_t", "char16_t", "char32_t")),
)
SPACES = (
    None,
    None,
    Named(What.NAMESPACE, "N"),
    Named(What.NAMESPACE, "M", Named(What.NAMESPACE, "N")),
    Named(What.INLINE, "I", Named(What.NAMESPACE, "O")),
)
TYPE, TEMPLATE = TemplateHead(), TemplateHead("template")
F_POINTER, X_POINTER = PointerTo(FunctionType(VOID, (INT,))), PointerTo(INT)
HEADS: dict[str, tuple[TemplateHead, ...]] = {
    "A": (TYPE,),
    "B": (TYPE, TYPE),
    "V": (TemplateHead("value", INT),),
    "W": (TYPE, TemplateHead("value", BOOL)),
    "U": (TemplateHead("value", Builtin("unsigned long")),),
    "K": (TemplateHead(pack=True),),
    "L": (TemplateHead("value", INT, pack=True),),
    "Q": (TEMPLATE,),
    "NT": (TemplateHead("value"),),
    "F": (TemplateHead("value", F_POINTER),),
    "R": (TemplateHead("value", ReferenceTo(FunctionType(VOID, (INT,)))),),
    "X": (TemplateHead("value", X_POINTER),),
    "Z": (TemplateHead("value", CHAR),),
}
"""The class templates by name, simplest first."""
TRUTHS = (BOOL, CHAR)
"""Types to which a size is narrowed."""
BOUNDS = (0, 1, 3, 42, 100)
UNSIGNED = frozenset(
    {CHAR, *(one for one in INTEGERS if "unsigned" in one.spelling), Builtin("unsigned long")}
)
"""Types without negative values on some target."""
CONVERTED: tuple[Type, ...] = (INT, BOOL, PointerTo(Qualified(CHAR, const=True)))
LOCAL: tuple[Type, ...] = (INT, CHAR, PointerTo(INT))
REFS: tuple[Literal["", "&"], ...] = ("", "", "&")
LONG_NAMES = ("C", "D", "S", "a_class_with_a_longer_name")
OPERATORS = ("+", "-", "*", "/", "==", "<", "<<", "[]", "()", "&", "->*", ",", "+=", "!", "~")
ALONE = frozenset({"[]", "()"})
"""Operators that members only can be."""
ONE_OPERAND = frozenset({"!", "~"})
CHOICES = 5
DEEPEST = 3


def stream(*, seed: int) -> Iterator[AnyEntity]:
    """The entities of a run one by one, without end; none comes twice."""
    drawn = (an_entity(seeded(Sort.NAMES, seed, number)) for number in count())
    return once(filter(has_own_name, drawn))


def an_entity(draw: Draw) -> AnyEntity:
    """The entity that the decisions of `draw` make."""
    return _Maker(draw).entity()


def has_own_name(of: object) -> bool:
    """Return whether a value names anything outside of std."""
    return any(
        isinstance(one, Named) and isinstance(one.id, str) and STD not in {one, one.scope}
        for one in every(of)
    )


class _Maker:
    """The making of one entity."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.arguments: tuple[Argument, ...] = ()
        self.head: tuple[TemplateHead, ...] = ()

    def often(self, of: int) -> bool:
        """True once in `of` times."""
        return self.draw.below(of) == of - 1

    def entity(self) -> AnyEntity:
        makers = (
            *(self.function, self.function, self.function, self.template, self.template, self.template),
            *(self.method, self.method, self.method, self.special_member, self.variable, self.variable),
            *(self.table, self.guard, self.local_variable, self.local_method, self.of_local_type),
        )
        return self.draw.pick(makers)()

    def function(self) -> AnyEntity:
        """A function of a namespace, sometimes an operator."""
        space = self.draw.pick(SPACES)
        if self.often(6):
            symbol = self.draw.pick([one for one in OPERATORS if one not in ALONE])
            operands = (self.klass(), *(() if symbol in ONE_OPERAND else (self.parameter(),)))
            unary = symbol in {"+", "-", "*", "&"} and self.often(3)
            return Function(
                Named(What.FUNCTION, Operator(symbol, unary), space), operands[:1] if unary else operands, INT
            )
        return Function(
            Named(What.FUNCTION, "f", space), self.parameters(), self.result(), variadic=self.often(10)
        )

    def template(self) -> AnyEntity:
        """A specialization of a function template."""
        self.choose()
        scope: Scope = self.draw.pick(SPACES)
        if self.often(4):
            scope = self.owner()
        head, arguments = self.head, self.arguments
        params = self.parameters(most=3)
        result = self.dependent_result(params)
        name = Named(What.FUNCTION, "f", scope, head, arguments)
        const = isinstance(scope, Named) and scope.what is What.STRUCT and self.often(3)
        return Function(name, params, result, const=const)

    def choose(self) -> None:
        """Choose the parameters of a template and its arguments."""
        self.head = tuple(self.head_parameter() for _ in range(1 + self.draw.below(3)))
        if self.often(3):
            last = TYPE if self.often(2) else TemplateHead("value", INT)
            self.head += (TemplateHead(last.kind, last.of, pack=True),)
        self.arguments = tuple(self.argument_for(one, ground=True) for one in self.head)

    def head_parameter(self) -> TemplateHead:
        return self.draw.pick((TYPE, TYPE, TYPE, TemplateHead("value", INT), TEMPLATE, TemplateHead("value")))

    def method(self) -> AnyEntity:
        """A member function, sometimes an operator."""
        static = self.often(5)
        name: Id = "f"
        params = self.parameters()
        if self.often(4) and not static:
            symbol = self.draw.pick(OPERATORS)
            name = Operator(symbol)
            params = () if symbol in ONE_OPERAND else (self.parameter(),)
        elif self.often(6) and not static:
            name, params = Conversion(self.draw.pick(CONVERTED)), ()
        return Function(
            Named(What.FUNCTION, name, self.owner()),
            params,
            self.result(),
            const=not static and self.often(3),
            volatile=not static and self.often(8),
            ref="" if static else self.draw.pick(("", "", "", "&", "&&")),
            static=static,
        )

    def special_member(self) -> AnyEntity:
        """A constructor or destructor."""
        owner = self.owner()
        if self.often(3):
            return Function(Named(What.FUNCTION, Destructor(self.draw.pick((1, 2, 0))), owner))
        params = tuple(ReferenceTo(one) if one == owner else one for one in self.parameters())
        return Function(Named(What.FUNCTION, Constructor(self.draw.pick((1, 2))), owner), params)

    def variable(self) -> AnyEntity:
        """A variable or static data member, sometimes of a template."""
        scope: Scope = self.owner() if self.often(2) else self.draw.pick(SPACES)
        head: tuple[TemplateHead, ...] = ()
        arguments: tuple[Argument, ...] | None = None
        if self.often(3):
            self.choose()
            head, arguments = self.head, self.arguments
            self.head, self.arguments = (), ()
        return Variable(Named(What.VARIABLE, "x", scope, head, arguments), self.object_type(1))

    def table(self) -> AnyEntity:
        """A table of a class, or information about a type."""
        kind = self.draw.pick(
            (TableKind.VIRTUAL_TABLE, TableKind.TYPE_INFO, TableKind.TYPE_NAME, TableKind.VTT)
        )
        if kind in {TableKind.VIRTUAL_TABLE, TableKind.VTT}:
            if self.often(4):
                return Thunk(Offset(-16), Function(Named(What.FUNCTION, "f", self.owner()), (), VOID))
            return Table(kind, self.owner())
        return Table(kind, PointerTo(self.klass()) if self.often(2) else self.owner())

    def guard(self) -> AnyEntity:
        """The guard of a variable, or a temporary."""
        scope: Scope = self.draw.pick(SPACES)
        if self.often(4):
            return Temporary(
                Variable(Named(What.VARIABLE, "x", scope), ReferenceTo(Qualified(INT, const=True)))
            )
        if self.often(2):
            scope = Local(self.holder(), 1 + self.draw.below(2) * self.draw.below(13))
        return Guard(Variable(Named(What.VARIABLE, "x", scope)))

    def holder(self) -> Function:
        """A function with something in its body."""
        return Function(Named(What.FUNCTION, "g", self.draw.pick(SPACES)), self.parameters(most=2), VOID)

    def local_class(self) -> Named:
        return Named(What.STRUCT, "S", Local(self.holder(), 1 + self.draw.below(2) * self.draw.below(13)))

    def local_variable(self) -> AnyEntity:
        """A static variable of a function."""
        where = Local(self.holder(), 1 + self.draw.below(2) * self.draw.below(13))
        return Variable(Named(What.VARIABLE, "x", where), self.draw.pick(LOCAL))

    def local_method(self) -> AnyEntity:
        """A member function of a local class."""
        owner = self.local_class()
        params = (*self.parameters(most=2), *((PointerTo(owner),) if self.often(2) else ()))
        return Function(Named(What.FUNCTION, "f", owner), params, VOID, const=self.often(3))

    def of_local_type(self) -> AnyEntity:
        """A specialization for a local class."""
        owner = self.local_class()
        params = (TemplateParameter(0), *((PointerTo(TemplateParameter(0)),) if self.often(2) else ()))
        return Function(Named(What.FUNCTION, "f", self.draw.pick(SPACES), (TYPE,), (owner,)), params, VOID)

    def owner(self) -> Named:
        """A class that has members, a specialization or a nested one among them, without parameters of a template."""
        saved, self.head = self.head, ()
        found: Named = self.plain_class()
        if self.often(3):
            found = self.specialization(1)
        if self.often(4):
            found = Named(What.STRUCT, "In", found)
        self.head = saved
        return found

    def plain_class(self) -> Named:
        return Named(What.STRUCT, self.draw.pick(LONG_NAMES), self.draw.pick(SPACES))

    def specialization(self, depth: int) -> Named:
        name = self.draw.pick(tuple(HEADS))
        head = HEADS[name]
        scope = self.draw.pick(SPACES)
        return Named(
            What.STRUCT, name, scope, head, tuple(self.argument_for(one, depth=depth) for one in head)
        )

    def klass(self, depth: int = 0) -> Named:
        """A class or enumeration."""
        kind = self.draw.below(8)
        if kind >= 5 and depth < DEEPEST:
            return self.specialization(depth + 1)
        if kind == 4:
            return self.of_std(depth)
        if kind == 3:
            what = self.draw.pick((What.ENUM, What.SCOPED_ENUM, What.UNION))
            name = {What.ENUM: "E", What.SCOPED_ENUM: "G", What.UNION: "Un"}[what]
            return Named(what, name, self.draw.pick(SPACES))
        if kind == 2:
            return Named(What.STRUCT, "In", self.plain_class())
        return self.plain_class()

    def of_std(self, depth: int) -> Named:
        """A member of std."""
        traits = Named(What.STRUCT, "char_traits", STD, (TYPE,), (CHAR,))
        allocator = Named(What.STRUCT, "allocator", STD, (TYPE,), (CHAR,))
        stream_head, name = (TYPE, TYPE), self.draw.pick(("basic_istream", "basic_ostream", "basic_iostream"))
        return self.draw.pick(
            (
                Named(What.STRUCT, "basic_string", STD, (TYPE, TYPE, TYPE), (CHAR, traits, allocator)),
                Named(What.STRUCT, name, STD, stream_head, (CHAR, traits)),
                allocator,
                Named(What.STRUCT, "thing", STD),
                Named(What.STRUCT, "vector", STD, (TYPE,), (self.object_type(depth + 1),)),
                Named(
                    What.STRUCT,
                    "basic_string",
                    STD,
                    (TYPE, TYPE, TYPE),
                    (INT, traits, Named(What.STRUCT, "allocator", STD, (TYPE,), (INT,))),
                ),
            )
        )

    def parameters(self, most: int = 4) -> tuple[Type, ...]:
        found: list[Type] = []
        for _ in range(self.draw.below(most + 1)):
            found.append(self.draw.pick(found) if found and self.often(4) else self.parameter())
        for index, one in enumerate(self.head):
            if one.pack and one.kind == "type" and self.often(2):
                found.append(Expansion(TemplateParameter(index)))
        return tuple(found)

    def parameter(self) -> Type:
        """The type of a parameter: of an object, or a reference."""
        kind = self.draw.below(6)
        if kind == 4:
            return ReferenceTo(self.pointed_to(1), rvalue=self.often(3))
        return self.object_type(0)

    def object_type(self, depth: int) -> Type:
        """A type that a parameter has without its cv-qualifiers."""
        kind = self.draw.below(10)
        of_type = [index for index, one in enumerate(self.head) if one.kind == "type" and not one.pack]
        if of_type and self.often(2):
            return TemplateParameter(self.draw.pick(of_type))
        templates = [index for index, one in enumerate(self.head) if one.kind == "template"]
        if templates and self.often(4):
            return Applied(TemplateParameter(self.draw.pick(templates)), (self.object_type(depth + 1),))
        if depth >= DEEPEST or kind < 3:
            return self.draw.pick(BUILTINS)
        if kind < 6:
            return self.klass(depth)
        if kind == 9:
            owner = self.plain_class()
            if self.often(2):
                const = self.often(3)
                return MemberPointer(
                    owner, self.function_type(depth + 1, const=const, ref=self.draw.pick(REFS))
                )
            return MemberPointer(owner, self.object_type(depth + 1))
        return PointerTo(self.pointed_to(depth + 1))

    def pointed_to(self, depth: int) -> Type:
        """A type that a pointer or reference leads to."""
        kind = self.draw.below(8)
        if kind == 5 and depth < DEEPEST:
            return self.function_type(depth)
        if kind == 4:
            bounds = [index for index, one in enumerate(self.head) if self.is_bound(index, one)]
            bound: int | Expression = 1 + self.draw.below(12)
            if bounds and self.often(2):
                bound = Binary(
                    "+", TemplateParameter(self.draw.pick(bounds)), Constant(INT, 1 + self.draw.below(3))
                )
            return ArrayOf(self.object_type(depth + 1), bound)
        base = self.object_type(depth)
        if kind in {2, 3}:
            return Qualified(base, const=kind == 2 or self.often(2), volatile=kind == 3)
        return base

    def is_bound(self, index: int, of: TemplateHead) -> bool:
        """Return whether an array may have a template parameter and more elements."""
        given = self.arguments[index] if index < len(self.arguments) else None
        return of == TemplateHead("value", INT) and given in {Constant(INT, value) for value in BOUNDS}

    def function_type(self, depth: int, *, const: bool = False, ref: Literal["", "&"] = "") -> FunctionType:
        params = tuple(self.object_type(depth + 1) for _ in range(self.draw.below(3)))
        result = VOID if self.often(2) else self.object_type(depth + 1)
        return FunctionType(
            result,
            params,
            variadic=self.often(8),
            const=const,
            ref=ref,
            noexcept=self.often(4),
        )

    def result(self) -> Type:
        return self.draw.pick((VOID, INT)) if not self.often(3) else self.object_type(1)

    def dependent_result(self, params: tuple[Type, ...]) -> Type:
        """The result of a function template."""
        plain = [index for index, one in enumerate(params) if isinstance(one, TemplateParameter)]
        if plain and self.often(4):
            at = self.draw.pick(plain)
            return Decltype(FunctionParameter(at), plain=True)
        return self.result()

    def argument_for(self, of: TemplateHead, *, depth: int = 0, ground: bool = False) -> Argument:
        """An argument for a template parameter; a `ground` one is of a function template."""
        if of.pack:
            packs = [
                i for i, one in enumerate(self.head) if one.pack and (one.kind, one.of) == (of.kind, of.of)
            ]
            if packs and not ground and of.kind == "type" and self.often(2):
                return Pack((Expansion(TemplateParameter(packs[0])),))
            single = TemplateHead(of.kind, of.of)
            return Pack(
                tuple(
                    self.argument_for(single, depth=depth, ground=ground) for _ in range(self.draw.below(4))
                )
            )
        saved = self.head
        if ground:
            self.head = ()
        try:
            return self.single(of, depth)
        finally:
            self.head = saved

    def single(self, of: TemplateHead, depth: int) -> Argument:
        if of.kind == "type":
            return self.object_type(depth + 1)
        if of.kind == "template":
            name = self.draw.pick(("A", "A2"))
            return Template(Named(What.STRUCT, name, self.draw.pick(SPACES), (TYPE,)))
        if of.of is None:
            return self.any_value()
        return self.value(of.of)

    def any_value(self) -> Argument:
        """A value whose type is deduced."""
        integer = self.draw.pick(INTEGERS)
        what = self.draw.pick((What.ENUM, What.SCOPED_ENUM))
        enumeration = Named(what, "E2" if what is What.ENUM else "G2", self.draw.pick(SPACES))
        values: tuple[Argument, ...] = (
            self.number(integer),
            self.number(integer),
            Constant(enumeration, self.draw.below(3)),
            NullPointer(NULL),
            NullPointer(PointerTo(INT)),
            Referred(self.referred_function(), address=True),
            Referred(Variable(Named(What.VARIABLE, "v", self.draw.pick(SPACES))), address=True),
        )
        return self.draw.pick(values)

    def referred_function(self) -> Function:
        return Function(Named(What.FUNCTION, "h", self.draw.pick(SPACES)), (INT,), VOID)

    def number(self, of: Builtin) -> Constant:
        if of == BOOL:
            return Constant(of, self.draw.below(2))
        value = self.draw.pick(BOUNDS)
        return Constant(of, -value if value and of not in UNSIGNED and self.often(3) else value)

    def value(self, of: Type) -> Argument:
        """A value of a type."""
        match of:
            case PointerTo(FunctionType()):
                return NullPointer(of) if self.often(3) else Referred(self.referred_function(), address=True)
            case ReferenceTo(FunctionType()):
                return Referred(self.referred_function())
            case PointerTo():
                variable = Variable(Named(What.VARIABLE, "v", self.draw.pick(SPACES)))
                return NullPointer(of) if self.often(3) else Referred(variable, address=True)
            case Builtin():
                if self.head and self.often(2):
                    found = self.computed(of)
                    if isinstance(found, TemplateParameter):
                        return Dependent(found) if self.head[found.index].of == of else self.number(of)
                    return self.number(of) if found is None else Dependent(found)
                return self.number(of)
            case _:
                raise AssertionError("no template has such a parameter")

    def computed(self, of: Builtin) -> Expression | None:
        """An expression with the parameters of a template, whose value a type has whatever the arguments are."""
        found: list[Expression] = []
        for index, one in enumerate(self.head):
            parameter = TemplateParameter(index)
            if one.pack and of not in TRUTHS:
                found.append(PackSize(parameter))
                if one.kind == "value" and of == INT:
                    found.append(Fold("+", parameter, left=self.often(2), initial=Constant(INT, 0)))
            elif one.kind == "type" and not one.pack and of not in TRUTHS:
                found += [OfType("sizeof", parameter), OfType("alignof", PointerTo(parameter))]
            elif one.of == INT and not one.pack:
                number = Constant(INT, 1 + self.draw.below(4))
                symbol = self.draw.pick(("==", "<", "!=", "&&", "<=", ">"))
                compared = Binary(symbol, parameter, number)
                found += [
                    compared,
                    Unary("!", parameter),
                    Conditional(compared, Constant(BOOL, 1), Constant(BOOL, 0)),
                ]
        return self.draw.pick(found) if found else None
