"""Types, names and template arguments of `abiprobe.oracles.language.entities` in D.

`const` of D reaches all that a type leads to, and no type but a parameter's and a result's is a reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.machines.render.unsayable import UnsayableError
from abiprobe.oracles.language.entities import (
    STD,
    Applied,
    Argument,
    ArrayOf,
    Builtin,
    Constant,
    Dependent,
    Expansion,
    FunctionType,
    MemberPointer,
    Named,
    NullPointer,
    Pack,
    PointerTo,
    Qualified,
    ReferenceTo,
    Referred,
    Template,
    TemplateHead,
    TemplateParameter,
    Type,
    What,
    every,
)

BUILTINS = {
    **dict.fromkeys(("void", "int", "bool", "char", "double", "float", "short"), ""),
    "long": "cpp_long",
    "unsigned int": "uint",
    "decltype(nullptr)": "typeof(null)",
    "unsigned char": "ubyte",
    "signed char": "byte",
    "unsigned short": "ushort",
    "unsigned long": "cpp_ulong",
    "long long": "cpp_longlong",
    "unsigned long long": "cpp_ulonglong",
    "char16_t": "wchar",
    "char32_t": "dchar",
    "long double": "real",
}
"""The types of D by the C++ spelling; empty for those that are spelled alike. `wchar_t` of D is `char32_t` on ELF systems."""
SPACES = frozenset({What.NAMESPACE, What.INLINE})


class TypeText:
    """Spells types; the names of global ones begin with the `root`."""

    def __init__(self) -> None:
        self.root = "."
        self.given: tuple[Argument, ...] = ()
        """The arguments of the function template that is spelled."""

    def type(self, of: Type, *, const: bool = False) -> str:
        """A type, which is `const` already where it is reached through one that is."""
        match of:
            case Builtin("decltype(nullptr)") if self.given:
                raise UnsayableError("no type of null that a function template may have")
            case Builtin(spelling) if spelling in BUILTINS:
                return BUILTINS[spelling] or spelling
            case Builtin(spelling):
                raise UnsayableError(f"no {spelling}")
            case Qualified():
                return self.qualified(of)
            case PointerTo(FunctionType() as function):
                return self.function(function)
            case PointerTo(to):
                self.reached(to, const=const)
                return f"{self.type(to, const=const)}*"
            case ArrayOf(element, int(bound)):
                return f"{self.type(element, const=const)}[{bound}]"
            case ArrayOf():
                raise UnsayableError("no array type without a constant for its bound")
            case ReferenceTo():
                raise UnsayableError("no references but parameters and results")
            case MemberPointer():
                raise UnsayableError("no pointers to members")
            case FunctionType():
                raise UnsayableError("no types of functions, but of pointers to them")
            case Named():
                return self.named(of)
            case TemplateParameter(index):
                if const and index < len(self.given):
                    self.require_const(self.given[index])
                return f"T{index}"
            case Applied():
                raise UnsayableError("no template template parameters but aliases")
            case Expansion(TemplateParameter(index)):
                return f"T{index}"
            case _:
                raise UnsayableError(f"no type like {type(of).__name__.lower()}")

    def require_const(self, of: Argument) -> None:
        """Raise `UnsayableError` for an argument that a const parameter would make const as a whole."""
        if isinstance(of, PointerTo):
            self.type(of, const=True)

    def reached(self, to: Type, *, const: bool) -> None:
        """Raise `UnsayableError` for what is not `const` though a `const` pointer leads to it."""
        if const and not (isinstance(to, Qualified) and to.const) and not isinstance(to, FunctionType):
            raise UnsayableError("no const pointer to what is not const")

    def qualified(self, of: Qualified) -> str:
        """A type with `const`, the one qualifier that D has."""
        if of.volatile or of.restrict or of.vendor:
            raise UnsayableError("no volatile, and no qualifiers but const")
        return f"const({self.type(of.base, const=True)})"

    def function(self, of: FunctionType) -> str:
        """A pointer to a function, whose linkage is that of the block that it stands in."""
        if of.const or of.volatile or of.ref:
            raise UnsayableError("no pointers to members")
        if of.noexcept is not False:
            raise UnsayableError("no noexcept in a type")
        return f"{self.type(of.result)} function({self.parameters(of.params, variadic=of.variadic)})"

    def passed(self, of: Type) -> str:
        """The type of a parameter or result, which may be a reference."""
        if not isinstance(of, ReferenceTo):
            return self.type(of)
        if of.rvalue:
            raise UnsayableError("no rvalue references")
        if isinstance(of.to, FunctionType):
            raise UnsayableError("no references to functions")
        return f"ref {self.type(of.to)}"

    def result(self, of: Type | None) -> str:
        """The type of a result."""
        return "void" if of is None else self.passed(of)

    def parameters(self, params: Sequence[Type], *, variadic: bool = False) -> str:
        """The parameters of a function."""
        if variadic and not params:
            raise UnsayableError("no function of C++ with unnamed arguments alone")
        return ", ".join([*map(self.passed, params), *["..."] * variadic])

    def named(self, of: Named) -> str:
        """The qualified name of an entity; those of std lie in the unit itself."""
        match of.scope:
            case None:
                return f"{self.root}{self.last(of)}"
            case Named() as scope if scope == STD:
                return f"{self.root}{self.last(of)}"
            case Named() as scope:
                return f"{self.named(scope)}.{self.last(of)}"
            case _:
                raise UnsayableError("no names of C++ for what is local, or a member of a template parameter")

    def last(self, of: Named) -> str:
        """The name of an entity without its scope."""
        if not isinstance(of.id, str):
            raise UnsayableError("no such name")
        return of.id if of.arguments is None else f"{of.id}!({self.arguments(of.arguments)})"

    def arguments(self, of: Sequence[Argument]) -> str:
        """The arguments of a template, those of packs among them."""
        return ", ".join(text for one in of for text in self.argument(one))

    def argument(self, of: Argument) -> Iterator[str]:
        """A template argument, or those for a pack."""
        match of:
            case Template():
                raise UnsayableError("no template template parameters but aliases")
            case Constant(Builtin("bool"), value):
                yield "true" if value else "false"
            case Constant(Builtin("int"), int(value)) if value >= 0:
                yield str(value)
            case Constant() if self.given and not self.root:
                raise UnsayableError(
                    "no constants but those of int in the type of a function template, at which its compilers crash"
                )
            case Constant(Builtin() as c_type, int(value)):
                yield f"cast({self.type(c_type)}) {value}"
            case Dependent(TemplateParameter(index)):
                yield f"T{index}"
            case Dependent():
                raise UnsayableError("no name for an expression with template parameters")
            case Pack(inner):
                if self.given and any(map(breaks, every(inner))):
                    raise UnsayableError(
                        "no pack of pointers to functions or strings, at which its compilers crash"
                    )
                for one in inner:
                    yield from self.argument(one)
            case Constant() | NullPointer() | Referred():
                raise UnsayableError("no template parameter of a pointer, a reference or a deduced type")
            case _:
                yield self.type(of)


def breaks(of: object) -> bool:
    """Return whether a part of an argument in a pack breaks the compilers."""
    return isinstance(of, FunctionType) or (isinstance(of, Named) and of.scope == STD and len(of.head) > 1)


def head(of: Sequence[TemplateHead], text: TypeText) -> str:
    """The parameters of a template."""
    if any(one.pack for one in of[:-1]):
        raise UnsayableError("no parameter behind a pack")
    return ", ".join(head_parameter(one, f"T{index}", text) for index, one in enumerate(of))


def head_parameter(of: TemplateHead, name: str, text: TypeText) -> str:
    """A template parameter."""
    if of.pack and of.kind != "type":
        raise UnsayableError("no pack of values alone")
    if of.pack:
        return f"{name}..."
    if of.kind == "value":
        if not isinstance(of.of, Builtin):
            raise UnsayableError("no template parameter of a pointer, a reference or a deduced type")
        return f"{text.type(of.of)} {name}"
    if of.kind == "template":
        raise UnsayableError("no template template parameters but aliases")
    return name
