"""Types, expressions and names of `abiprobe.oracles.language.entities` as C++ text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from abiprobe.oracles.language.entities import (
    Applied,
    Argument,
    ArrayOf,
    Binary,
    Builtin,
    Cast,
    Closure,
    ComplexOf,
    Conditional,
    Constant,
    Construction,
    Constructor,
    Conversion,
    Decltype,
    Dependent,
    Destructor,
    Expansion,
    Expression,
    Fold,
    FunctionParameter,
    FunctionType,
    LiteralOperator,
    Local,
    MemberPointer,
    Named,
    New,
    NullPointer,
    OfExpression,
    OfType,
    Operator,
    Pack,
    PackSize,
    PointerTo,
    Qualified,
    ReferenceTo,
    Referred,
    Rethrow,
    Scope,
    Template,
    TemplateHead,
    TemplateParameter,
    Type,
    Unary,
    Unnamed,
    What,
    depends,
)


class UnwritableError(Exception):
    """There is no program here that has such an entity."""


def declare(of: Type, declarator: str = "") -> str:
    """A declaration of `declarator` as a type, or the type alone."""
    match of:
        case PointerTo(to):
            return declare(to, f"(*{declarator})" if is_declared(to) else f"*{declarator}")
        case ReferenceTo(to, rvalue):
            mark = "&&" if rvalue else "&"
            return declare(to, f"({mark}{declarator})" if is_declared(to) else f"{mark}{declarator}")
        case MemberPointer(of=owner, member=member):
            # Without parentheses a name before it would be read as its scope.
            return declare(member, f"({spelled(owner)}::*{declarator})")
        case ArrayOf(element, bound):
            return declare(element, f"{declarator}[{'' if bound is None else bound_text(bound)}]")
        case FunctionType():
            return declare(
                of.result, f"{declarator}({parameters(of.params, variadic=of.variadic)}){trailer(of)}"
            )
        case Qualified(base, const, volatile, restrict):
            marks = " ".join(["const"] * const + ["volatile"] * volatile + ["__restrict"] * restrict)
            if of.vendor:
                raise UnwritableError("qualifiers of a vendor")
            if isinstance(base, (PointerTo, MemberPointer)):
                return declare(base, f"{marks} {declarator}")
            return f"{marks} {declare(base, declarator)}"
        case Expansion(inner):
            return declare(inner, f"...{declarator}")  # type: ignore[arg-type]
        case _:
            return f"{spelled(of)} {declarator}".rstrip()


def is_declared(of: Type) -> bool:
    """Return whether a declarator of this type has a part behind the name."""
    return isinstance(of, (ArrayOf, FunctionType))


def trailer(of: FunctionType) -> str:
    """The qualifiers and the exception specification behind the parameters of a function type."""
    text = " const" * of.const + " volatile" * of.volatile + f" {of.ref}" * bool(of.ref)
    if of.noexcept is True:
        return f"{text} noexcept"
    return text if of.noexcept is False else f"{text} noexcept({expression(of.noexcept)})"


def parameters(params: Sequence[Type], *, variadic: bool = False, names: bool = False) -> str:
    """The parameters of a function, with names where its result may refer to them."""
    texts = [declare(one, f"p{index}" if names else "") for index, one in enumerate(params)]
    return ", ".join([*texts, *["..."] * variadic])


def bound_text(bound: int | Expression) -> str:
    """The bound of an array."""
    return str(bound) if isinstance(bound, int) else expression(bound)


def spelled(of: Type) -> str:
    """A type without a declarator."""
    match of:
        case Builtin(spelling):
            return spelling
        case Named():
            return f"{'typename ' * is_dependent(of)}{named(of)}"
        case TemplateParameter(index):
            return f"T{index}"
        case Applied(template, arguments):
            return f"T{template.index}<{argument_list(arguments)}>"
        case Decltype(inner):
            return f"decltype({expression(inner)})"
        case ComplexOf(inner):
            return f"_Complex {spelled(inner)}"
        case (
            PointerTo()
            | ReferenceTo()
            | MemberPointer()
            | ArrayOf()
            | FunctionType()
            | Qualified()
            | Expansion()
        ):
            return declare(of)
        case _:
            raise UnwritableError("a type that is not written here")


def is_dependent(of: Named) -> bool:
    """Return whether a name is a member of a template parameter, or of a specialization for one."""
    scope: Scope = of.scope
    while isinstance(scope, Named):
        if any(depends(one) for one in scope.arguments or ()):
            return True
        scope = scope.scope
    return isinstance(scope, TemplateParameter)


def named(of: Named) -> str:
    """The qualified name of an entity."""
    scope = of.scope
    if isinstance(scope, Named) and is_unnamed_space(scope):
        return named(replace(of, scope=scope.scope))
    if isinstance(scope, Named):
        return f"{named(scope)}::{last(of)}"
    if isinstance(scope, TemplateParameter):
        return f"T{scope.index}::{last(of)}"
    if scope is None:
        return f"::{last(of)}"
    if isinstance(scope, Local):
        return last(of)
    raise UnwritableError("a scope that is not written here")


def is_unnamed_space(of: Named) -> bool:
    """Return whether this is an unnamed namespace."""
    return of.what is What.NAMESPACE and isinstance(of.id, Unnamed)


def last(of: Named) -> str:
    """The name of an entity without its scope."""
    arguments = "" if of.arguments is None else f"<{argument_list(of.arguments, of.head)}>"
    return f"{identifier(of)}{arguments}"


def identifier(of: Named) -> str:
    """The name of an entity without its scope and arguments."""
    match of.id:
        case str(text):
            return text
        case Operator(symbol):
            return f"operator {symbol}"
        case LiteralOperator(suffix):
            return f'operator ""{suffix}'
        case Conversion(to):
            return f"operator {spelled(to)}"
        case Constructor() if isinstance(of.scope, Named):
            return identifier(of.scope)
        case Destructor() if isinstance(of.scope, Named):
            return f"~{identifier(of.scope)}"
        case Unnamed() if is_unnamed_space(of):
            return ""
        case Unnamed() | Closure():
            raise UnwritableError("a type without a name")
        case _:
            raise UnwritableError("a name that is not written here")


def argument_list(arguments: Sequence[Argument], head: Sequence[TemplateHead] = ()) -> str:
    """Template arguments, those of packs among them."""
    typed = [index < len(head) and head[index].of is not None for index, _ in enumerate(arguments)]
    return ", ".join(
        text
        for one, is_typed in zip(arguments, typed, strict=True)
        for text in (["nullptr"] if is_typed and isinstance(one, NullPointer) else argument(one))
    )


def argument(of: Argument) -> Iterator[str]:
    """A template argument, or those for a pack."""
    match of:
        case Template(name):
            yield named(name)
        case Constant() | NullPointer() | Referred():
            yield expression(of)
        case Dependent(inner):
            yield expression(inner)
        case Pack(arguments):
            for one in arguments:
                yield from argument(one)
        case Expansion(inner):
            yield f"{spelled(inner)}..."  # type: ignore[arg-type]
        case _:
            yield spelled(of)


def expression(of: Expression) -> str:
    """An expression, with parentheses around each operation."""
    match of:
        case TemplateParameter(index):
            return f"T{index}"
        case FunctionParameter(index):
            return "this" if index is None else f"p{index}"
        case Constant(c_type, value):
            return constant(c_type, value)
        case NullPointer(c_type):
            return "nullptr" if c_type == Builtin("decltype(nullptr)") else f"({spelled(c_type)})nullptr"
        case Referred(to, address):
            return f"{'&' * address}{named(to.name)}"
        case Unary(symbol, inner, postfix):
            text = expression(inner)
            return f"({text}{symbol})" if postfix else f"({symbol}{text})"
        case Binary("[]", left, right):
            return f"({expression(left)}[{expression(right)}])"
        case Binary(symbol, left, right):
            return f"({expression(left)} {symbol} {expression(right)})"
        case Conditional(test, yes, no):
            return f"({expression(test)} ? {expression(yes)} : {expression(no)})"
        case New(c_type, placement, initial, braces, array, rooted):
            before = f"({', '.join(map(expression, placement))}) " if placement else ""
            inside = ", ".join(map(expression, initial or ()))
            behind = "" if initial is None else f"{{{inside}}}" if braces else f"({inside})"
            return f"({'::' * rooted}new {before}{spelled(c_type)}{'[1]' * array}{behind})"
        case Rethrow():
            return "throw"
        case Cast(keyword, to, inner):
            return f"{keyword}<{spelled(to)}>({expression(inner)})"
        case Construction(c_type, arguments, braces):
            inside = ", ".join(map(expression, arguments))
            start = "" if c_type is None else spelled(c_type)
            return f"{start}{{{inside}}}" if braces or c_type is None else f"{start}({inside})"
        case OfType(keyword, c_type):
            return f"{keyword}({spelled(c_type)})"
        case OfExpression(keyword, inner):
            return f"{keyword}({expression(inner)})"
        case PackSize(inner):
            return f"sizeof...({expression(inner)})"
        case Fold(symbol, pack, left, initial):
            texts = ["...", expression(pack)] if left else [expression(pack), "..."]
            if initial is not None:
                texts = [expression(initial), *texts] if left else [*texts, expression(initial)]
            return f"({f' {symbol} '.join(texts)})"
        case _:
            raise UnwritableError("an expression that is not written here")


def constant(of: Type, value: int | str) -> str:
    """A constant of an integer type or an enumeration."""
    if isinstance(value, str):
        raise UnwritableError("a floating-point constant")
    if of == Builtin("bool"):
        return "true" if value else "false"
    return str(value) if of == Builtin("int") else f"({spelled(of)}){value}"


def head(of: Sequence[TemplateHead]) -> str:
    """The head of a template."""
    return f"template <{', '.join(head_parameter(one, f'T{index}') for index, one in enumerate(of))}>"


def head_parameter(of: TemplateHead, name: str) -> str:
    """A template parameter."""
    dots = "... " * of.pack
    match of.kind:
        case "type":
            return f"typename {dots}{name}"
        case "value":
            return "auto " + dots + name if of.of is None else declare(of.of, dots + name)
        case "template":
            return f"template <typename> class {dots}{name}"
