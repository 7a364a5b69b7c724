"""C++ entities that have a name in an object file, as frozen values: functions, variables, tables, guards, temporaries, thunks.

Types are as the standard has them behind all aliases: cv-qualifiers stand once, of an array on its elements, and of a
parameter none at the top. Two scopes are the same if all that is said of both is the same.
"""

from __future__ import annotations

from enum import Enum as PyEnum
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from abiprobe.oracles.language.lang import Value
from abiprobe.oracles.language.names import Count, Identifier


class Entity(Value, frozen=True):
    """Base of all that has a name of its own in an object file."""


class What(PyEnum):
    """The kind of thing that a name is declared as."""

    NAMESPACE = "namespace"
    """a namespace"""
    INLINE = "inline namespace"
    """an inline namespace"""
    STRUCT = "struct"
    """a class"""
    UNION = "union"
    """a union"""
    ENUM = "enum"
    """an enumeration"""
    SCOPED_ENUM = "enum class"
    """a scoped enumeration"""
    VARIABLE = "variable"
    """a variable or a static data member"""
    FUNCTION = "function"
    """a function or a member function"""
    C_FUNCTION = 'extern "C" function'
    """a function with C linkage"""


class Builtin(Value, frozen=True):
    """A type of the language, as C++ spells it; `_BitInt(7)` and `unsigned _BitInt(7)` among them."""

    spelling: str


class Qualified(Value, frozen=True):
    """A type with cv-qualifiers, `restrict` and the vendor's own qualifiers, these in alphabetical order."""

    base: Type
    const: bool = False
    volatile: bool = False
    restrict: bool = False
    vendor: tuple[Identifier, ...] = ()


class PointerTo(Value, frozen=True):
    """`to *`."""

    to: Type


class ReferenceTo(Value, frozen=True):
    """`to &`, or `to &&`."""

    to: Type
    rvalue: bool = False


class ComplexOf(Value, frozen=True):
    """`_Complex of`."""

    of: Type


class ArrayOf(Value, frozen=True):
    """`element[bound]`; the bound is an expression where it depends on a template parameter."""

    element: Type
    bound: Count | Expression | None = None


class FunctionType(Value, frozen=True):
    """The type of a function; `noexcept` is an expression where it depends on a template parameter."""

    result: Type
    params: tuple[Type, ...] = ()
    variadic: bool = False
    const: bool = False
    volatile: bool = False
    ref: Literal["", "&", "&&"] = ""
    noexcept: bool | Expression = False


class MemberPointer(Value, frozen=True):
    """`member of::*`."""

    of: Type
    member: Type


class TemplateParameter(Value, frozen=True):
    """A reference to the parameter of a function template by its position, from 0: a type, a template or a value."""

    index: Count


class Applied(Value, frozen=True):
    """A template template parameter with arguments."""

    template: TemplateParameter
    arguments: tuple[Argument, ...]


class Expansion(Value, frozen=True):
    """The pack expansion of a type or an expression."""

    of: Type | Expression


class Decltype(Value, frozen=True):
    """`decltype(of)` where it depends on a template parameter; `plain` for the name of an entity or a member access without parentheses."""

    of: Expression
    plain: bool = False


class Elaborated(Value, frozen=True):
    """A dependent type that is named with its key."""

    key: Literal["struct", "union", "enum"]
    name: Named


class VendorType(Value, frozen=True):
    """A type of the vendor's own."""

    name: Identifier


class Operator(Value, frozen=True):
    """The name `operator symbol`; `unary` for one of `+ - & *` without a second operand."""

    symbol: str
    unary: bool = False


class LiteralOperator(Value, frozen=True):
    """The name `operator ""suffix`."""

    suffix: Identifier


class Conversion(Value, frozen=True):
    """The name `operator to`."""

    to: Type


class Constructor(Value, frozen=True):
    """A constructor: of a complete object (1), of a base (2), allocating (3); `inherited` from a base class."""

    variant: Literal[1, 2, 3] = 1
    inherited: Type | None = None


class Destructor(Value, frozen=True):
    """A destructor: deleting (0), of a complete object (1), of a base (2)."""

    variant: Literal[0, 1, 2] = 1


class Unnamed(Value, frozen=True):
    """An unnamed class or enumeration: the how many-th of its scope, from 1."""

    number: Count = 1


class Closure(Value, frozen=True):
    """The type of a lambda with these parameters: the how many-th such one of its context, from 1."""

    params: tuple[Type, ...] = ()
    variadic: bool = False
    number: Count = 1


class StructuredBinding(Value, frozen=True):
    """The object behind a structured binding."""

    names: tuple[Identifier, ...]


Id: TypeAlias = (
    Identifier
    | Operator
    | LiteralOperator
    | Conversion
    | Constructor
    | Destructor
    | Unnamed
    | Closure
    | StructuredBinding
)


class Local(Value, frozen=True):
    """The scope that is the body of a function, or the default argument of one of its parameters, counted from the last one, from 0.

    `occurrence` is the how many-th entity of its name the one declared directly in it is, from 1.
    """

    function: Function
    occurrence: Count = 1
    default_argument: Count | None = None


class Initializer(Value, frozen=True):
    """The scope that is the initializer of a variable or a data member."""

    of: Named


class TemplateHead(Value, frozen=True):
    """One parameter of a template: the type of a value, a template of type parameters, or a type."""

    kind: Literal["type", "value", "template"] = "type"
    of: Type | None = None
    pack: bool = False


class Named(Value, frozen=True):
    """A namespace, class, enumeration, variable or function by its name and scope.

    Of a specialization there are `arguments`, and of a template that is given only its `head`. `tags` are ABI tags, those
    that others lend it among them.
    """

    what: What
    id: Id
    scope: Scope = None
    head: tuple[TemplateHead, ...] = ()
    arguments: tuple[Argument, ...] | None = None
    tags: tuple[Identifier, ...] = ()


Scope: TypeAlias = Named | Local | Initializer | TemplateParameter | Decltype | None
Type: TypeAlias = (
    Builtin
    | Qualified
    | PointerTo
    | ReferenceTo
    | ComplexOf
    | ArrayOf
    | FunctionType
    | MemberPointer
    | TemplateParameter
    | Applied
    | Expansion
    | Decltype
    | Elaborated
    | VendorType
    | Named
)


class Constant(Value, frozen=True):
    """A value of an integer type, `bool`, a character type or an enumeration; of a floating type its bytes in hexadecimal, high-order ones first."""

    of: Type
    value: int | str


class NullPointer(Value, frozen=True):
    """A null pointer of a type; `literal` where it is the expression `nullptr`, and no template argument that happens to be null."""

    of: Type
    literal: bool = False


class StringLiteral(Value, frozen=True):
    """A string literal by its type."""

    of: ArrayOf


class Referred(Value, frozen=True):
    """A function or variable in an expression or a template argument; `address` where a pointer to it is meant."""

    to: Function | Variable
    address: bool = False


class FunctionParameter(Value, frozen=True):
    """A reference to a parameter by its position, from 0, so many function prototype scopes outside (5.1.5.9); `None` is `this`."""

    index: Count | None
    level: Count = 0
    const: bool = False
    volatile: bool = False


class Unary(Value, frozen=True):
    """`symbol of`; `++` and `--` in front unless `postfix`."""

    symbol: str
    of: Expression
    postfix: bool = False


class Binary(Value, frozen=True):
    """`left symbol right`; `[]` is a subscript."""

    symbol: str
    left: Expression
    right: Expression


class Conditional(Value, frozen=True):
    """`test ? yes : no`."""

    test: Expression
    yes: Expression
    no: Expression


class Call(Value, frozen=True):
    """`callee(arguments)`; `parenthesized` for a name in parentheses that would be looked up by its arguments without them."""

    callee: Expression
    arguments: tuple[Expression, ...] = ()
    parenthesized: bool = False


class New(Value, frozen=True):
    """`new (placement) of`, `rooted` as `::new`, of an `array` as `new of[]`; what is given to `initial` in parentheses or `braces`."""

    of: Type
    placement: tuple[Expression, ...] = ()
    initial: tuple[Expression, ...] | None = None
    braces: bool = False
    array: bool = False
    rooted: bool = False


class Rethrow(Value, frozen=True):
    """`throw` without an operand."""


class Cast(Value, frozen=True):
    """`keyword<to>(of)`."""

    keyword: Literal["static_cast", "const_cast", "dynamic_cast", "reinterpret_cast"]
    to: Type
    of: Expression


class Construction(Value, frozen=True):
    """`of(arguments)` or `of{arguments}`; without a type a braced list."""

    of: Type | None
    arguments: tuple[Expression, ...] = ()
    braces: bool = False


class OfType(Value, frozen=True):
    """`sizeof(of)`, `alignof(of)` or `typeid(of)`."""

    keyword: Literal["sizeof", "alignof", "typeid"]
    of: Type


class OfExpression(Value, frozen=True):
    """`sizeof(of)`, `alignof(of)`, `typeid(of)`, `noexcept(of)` or `throw of`."""

    keyword: Literal["sizeof", "alignof", "typeid", "noexcept", "throw"]
    of: Expression


class PackSize(Value, frozen=True):
    """`sizeof...(of)`."""

    of: TemplateParameter | FunctionParameter


class Fold(Value, frozen=True):
    """A fold expression over `pack`, a left one or not, with an initial value or without."""

    symbol: str
    pack: Expression
    left: bool = False
    initial: Expression | None = None


class Unresolved(Value, frozen=True):
    """A name that only an instantiation resolves, with its qualifiers: a type that depends on a parameter, then names.

    `rooted` for a leading `::`.
    """

    id: Identifier | Operator
    arguments: tuple[Argument, ...] | None = None
    within: Type | None = None
    levels: tuple[tuple[Identifier, tuple[Argument, ...] | None], ...] = ()
    rooted: bool = False


class Member(Value, frozen=True):
    """`object.member`, or with an `arrow`."""

    object: Expression
    member: Unresolved
    arrow: bool = False


Expression: TypeAlias = (
    TemplateParameter
    | FunctionParameter
    | Constant
    | NullPointer
    | StringLiteral
    | Referred
    | Unary
    | Binary
    | Conditional
    | Call
    | New
    | Rethrow
    | Cast
    | Construction
    | OfType
    | OfExpression
    | PackSize
    | Fold
    | Unresolved
    | Member
    | Expansion
)


class Dependent(Value, frozen=True):
    """A template argument that is an expression with template parameters."""

    expression: Expression


class Pack(Value, frozen=True):
    """The arguments for a parameter pack."""

    arguments: tuple[Argument, ...] = ()


class Template(Value, frozen=True):
    """A template as an argument; its name has no arguments."""

    name: Named


Argument: TypeAlias = Type | Template | Constant | NullPointer | Referred | Dependent | Pack


class Function(Entity, frozen=True):
    """A function by its name and type; of a specialization `params` and `result` are those of the template.

    `const`, `volatile` and `ref` are those of a member function, and `static` is one without an object.
    """

    name: Named
    params: tuple[Type, ...] = ()
    result: Type | None = None
    variadic: bool = False
    const: bool = False
    volatile: bool = False
    ref: Literal["", "&", "&&"] = ""
    static: bool = False


class Variable(Entity, frozen=True):
    """A variable, also a static data member or a local one."""

    name: Named
    of: Type = Builtin("int")


class TableKind(PyEnum):
    """The thing that stands in the object file for a class; the value is the code of its name."""

    VIRTUAL_TABLE = "TV"
    """the virtual table"""
    VTT = "TT"
    """the table of the tables for construction"""
    TYPE_INFO = "TI"
    """the structure of type information"""
    TYPE_NAME = "TS"
    """the string that it refers to"""


class Table(Entity, frozen=True):
    """A table of a class, or the information about a type."""

    kind: TableKind
    of: Type


class Guard(Entity, frozen=True):
    """The guard of a variable that is initialized once."""

    of: Variable


class Temporary(Entity, frozen=True):
    """A temporary whose lifetime the initializer of a variable extends: the how many-th, from 1."""

    of: Variable
    number: Count = 1


class Offset(Value, frozen=True):
    """A call offset in bytes; `virtual` is the offset in the virtual table."""

    fixed: int
    virtual: int | None = None


class Thunk(Entity, frozen=True):
    """An override thunk: the adjustments of `this` and of a covariant result."""

    this: Offset
    target: Function
    result: Offset | None = None


AnyEntity: TypeAlias = Function | Variable | Table | Guard | Temporary | Thunk

STD = Named(What.NAMESPACE, "std")
REMEMBERED = 1 << 12
"""Values whose parts are remembered."""


def depends(of: object) -> bool:
    """Return whether a value has a template parameter in it."""
    return any(isinstance(one, TemplateParameter) for one in every(of))


@lru_cache(REMEMBERED)
def every(of: object) -> tuple[msgspec.Struct, ...]:
    """A value and all that it is made of, each before its own parts."""
    found, waiting = [], [of]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting.extend(reversed(one))
        elif isinstance(one, msgspec.Struct) and not isinstance(one, Builtin):
            found.append(one)
            waiting.extend(getattr(one, name) for name in reversed(one.__struct_fields__))
    return tuple(found)
