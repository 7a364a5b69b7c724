"""Expressions (5.1.6), and references to parameters of functions (5.1.5.9)."""

from __future__ import annotations

from typing import assert_never

from abiprobe.oracles.abis.itanium.names import codes
from abiprobe.oracles.abis.itanium.names.codes import BINARY, FUNCTION, UNARY
from abiprobe.oracles.abis.itanium.names.types import EXPANSION, Types, cv
from abiprobe.oracles.abis.itanium.names.writing import cite
from abiprobe.oracles.engine.policies import NameHabit
from abiprobe.oracles.language.entities import (
    Binary,
    Builtin,
    Call,
    Cast,
    Conditional,
    Constant,
    Construction,
    Expansion,
    Expression,
    Fold,
    FunctionParameter,
    Member,
    New,
    NullPointer,
    OfExpression,
    OfType,
    PackSize,
    Referred,
    Rethrow,
    StringLiteral,
    TemplateParameter,
    Unary,
    Unresolved,
)

EXPRESSIONS = "oracles.abis.itanium.names.expressions.Expressions"
EXPRESSION = cite("name.expression", f"{EXPRESSIONS}.operation")
PARAMETER = cite("name.function-parameter", f"{EXPRESSIONS}.function_parameter")
UNRESOLVED = cite("name.unresolved", f"{EXPRESSIONS}.unresolved")
LITERAL = cite("name.literal", f"{EXPRESSIONS}.literal")
FLOAT = cite("name.float", f"{EXPRESSIONS}.literal")
STRING = cite("name.string", f"{EXPRESSIONS}.primary")
NULL = cite("name.null", f"{EXPRESSIONS}.null_pointer")
NULLPTR = cite("name.nullptr", f"{EXPRESSIONS}.null_pointer")
EXTERNAL = cite("name.external", f"{EXPRESSIONS}.primary")


class Expressions(Types):
    """Writes expressions."""

    def expression(self, of: Expression) -> None:
        """Write an expression."""
        match of:
            case TemplateParameter(index):
                # [cxxabi:name.substitution]
                self.template_parameter(index)
            case FunctionParameter():
                self.function_parameter(of)
            case Unresolved():
                self.unresolved(of)
            case Constant() | NullPointer() | StringLiteral() | Referred():
                self.primary(of)
            case _:
                self.operation(of)

    def operation(self, of: Expression) -> None:
        """Write the code of an operation and its operands."""
        # [cxxabi:name.expression]
        match of:
            case Unary(symbol, inner, postfix):
                self.put(f"{UNARY[symbol]}{'_' * (symbol in ('++', '--') and not postfix)}", EXPRESSION)
                self.expression(inner)
            case Binary(symbol, left, right):
                self.coded(BINARY[symbol], left, right)
            case Conditional(test, yes, no):
                self.coded("qu", test, yes, no)
            case Call(callee, arguments, parenthesized):
                self.put("cp" if parenthesized else "cl", EXPRESSION)
                self.expression(callee)
                self.closed(arguments)
            case New():
                self.new(of)
            case Rethrow():
                self.put("tr", EXPRESSION)
            case Cast(keyword, to, inner):
                self.put(codes.CAST[keyword], EXPRESSION)
                self.type(to)
                self.expression(inner)
            case Construction():
                self.construction(of)
            case OfType(keyword, inner_type):
                self.put(codes.OF_TYPE[keyword], EXPRESSION)
                self.type(inner_type)
            case OfExpression(keyword, inner):
                self.coded(codes.OF_EXPRESSION[keyword], inner)
            case PackSize(inner):
                self.coded("sZ", inner)
            case Expansion(inner):
                # [cxxabi:name.expansion]
                self.put("sp", EXPANSION)
                self.expression(inner)  # type: ignore[arg-type]
            case Fold():
                self.fold(of)
            case Member(inner, member, arrow):
                self.coded("pt" if arrow else "dt", inner, member)
            case _:
                raise AssertionError("written elsewhere")

    def coded(self, code: str, *operands: Expression) -> None:
        """Write a code and operands."""
        self.put(code, EXPRESSION)
        for one in operands:
            self.expression(one)

    def closed(self, operands: tuple[Expression, ...]) -> None:
        """Write operands and what ends them."""
        for one in operands:
            self.expression(one)
        self.put("E", EXPRESSION)

    def new(self, of: New) -> None:
        """Write what allocates and initializes an object."""
        self.put(f"{'gs' * of.rooted}{'na' if of.array else 'nw'}", EXPRESSION)
        for one in of.placement:
            self.expression(one)
        self.put("_", EXPRESSION)
        self.type(of.of)
        if of.initial is not None:
            self.put("il" if of.braces else "pi", EXPRESSION)
        self.closed(of.initial or ())

    def construction(self, of: Construction) -> None:
        """Write a conversion, or a braced list."""
        code = "il" if of.of is None else "tl" if of.braces else "cv"
        self.put(code, EXPRESSION)
        if of.of is not None:
            self.type(of.of)
        if code == "cv" and len(of.arguments) == 1:
            self.expression(of.arguments[0])
            return
        self.put("_" * (code == "cv"), EXPRESSION)
        self.closed(of.arguments)

    def fold(self, of: Fold) -> None:
        """Write a fold expression, its operands in the order of the source."""
        code = ("L" if of.left else "R") if of.initial is not None else ("l" if of.left else "r")
        self.put(f"f{code}{BINARY[of.symbol]}", EXPRESSION)
        operands = [of.pack] if of.initial is None else [of.pack, of.initial]
        for one in reversed(operands) if of.left else operands:
            self.expression(one)

    def function_parameter(self, of: FunctionParameter) -> None:
        """Write a reference to a parameter of a function."""
        # [cxxabi:name.function-parameter]
        if of.index is None:
            self.put("fpT", PARAMETER)
            return
        level = f"fL{of.level - 1}p" if of.level else "fp"
        self.put(f"{level}{cv(of.const, of.volatile)}{of.index - 1 if of.index else ''}_", PARAMETER)

    def unresolved(self, of: Unresolved) -> None:
        """Write a name that only an instantiation resolves."""
        # [cxxabi:name.unresolved]
        self.put("gs" * of.rooted, UNRESOLVED)
        if of.within is not None or of.levels:
            self.put("srN" if of.within is not None and of.levels else "sr", UNRESOLVED)
        if of.within is not None:
            self.type(of.within)
        for name, arguments in of.levels:
            self.source(name)
            if arguments is not None:
                self.arguments(arguments)
        self.put("E" * bool(of.levels), UNRESOLVED)
        if isinstance(of.id, str):
            self.source(of.id)
        else:
            self.put(f"on{UNARY[of.id.symbol] if of.id.unary else FUNCTION[of.id.symbol]}", UNRESOLVED)
        if of.arguments is not None:
            self.arguments(of.arguments)

    def primary(self, of: Constant | NullPointer | StringLiteral | Referred) -> None:
        """Write a literal, or a reference to an entity."""
        match of:
            case Constant():
                self.literal(of)
            case NullPointer():
                self.null_pointer(of)
            case StringLiteral(array):
                # [cxxabi:name.string]
                self.put("L", STRING)
                self.type(array)
                self.put("E", STRING)
            case Referred(to, address):
                # [cxxabi:name.external]
                self.put(f"{'ad' * address}L_Z", EXTERNAL)
                self.encoding(to)
                self.put("E", EXTERNAL)
            case _:
                assert_never(of)

    def literal(self, of: Constant) -> None:
        """Write a number with its type."""
        # [cxxabi:name.literal] [cxxabi:name.float]
        self.put("L", LITERAL)
        self.type(of.of)
        if isinstance(of.value, str):
            self.put(of.value, FLOAT)
        else:
            self.put(codes.signed(of.value), LITERAL)
        self.put("E", LITERAL)

    def null_pointer(self, of: NullPointer) -> None:
        """Write a null pointer: the expression `nullptr`, or a template argument."""
        # [cxxabi:name.null] [cxxabi:name.nullptr]
        clause = NULLPTR if of.literal else NULL
        self.put("L", clause)
        self.type(of.of)
        as_literal = NameHabit.NULLPTR in self.policy.habits and of.of == Builtin("decltype(nullptr)")
        self.put("" if of.literal or as_literal else "0", clause)
        self.put("E", clause)
