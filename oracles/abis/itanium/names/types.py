"""Types and template arguments (5.1.5)."""

from __future__ import annotations

from itertools import chain
from typing import assert_never

from abiprobe.oracles.abis.itanium.names import codes
from abiprobe.oracles.abis.itanium.names.as_declared import has_anew, is_anew
from abiprobe.oracles.abis.itanium.names.scopes import ABBREVIATION, Names, abbreviation, template_of
from abiprobe.oracles.abis.itanium.names.writing import cite
from abiprobe.oracles.engine.policies import NameHabit
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.language.entities import (
    Applied,
    Argument,
    ArrayOf,
    Builtin,
    ComplexOf,
    Constant,
    Decltype,
    Dependent,
    Elaborated,
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
    VendorType,
)

TYPES = "oracles.abis.itanium.names.types.Types"
COMPOUND = cite("name.compound", f"{TYPES}.unsubstituted")
QUALIFIED = cite("name.qualified", f"{TYPES}.qualified")
BUILTIN = cite("name.builtin", f"{TYPES}.type")
VENDOR = cite("name.vendor-type", f"{TYPES}.unsubstituted")
FUNCTION = cite("name.function-type", f"{TYPES}.function_type")
EXCEPTION = cite("name.exception", f"{TYPES}.exception")
PARAMETERS = cite("name.parameters", f"{TYPES}.parameters")
EXPANSION = cite("name.expansion", f"{TYPES}.unsubstituted")
DECLTYPE = cite("name.decltype", f"{TYPES}.unsubstituted")
CLASS = cite("name.class", f"{TYPES}.unsubstituted")
ARRAY = cite("name.array", f"{TYPES}.array")
MEMBER_POINTER = cite("name.member-pointer", f"{TYPES}.member_pointer")
TEMPLATE_PARAMETER = cite("name.template-parameter", f"{TYPES}.template_parameter")
ARGUMENTS = cite("name.arguments", f"{TYPES}.arguments")
ADDRESS = cite("name.address", f"{TYPES}.argument")
REFS = {"": "", "&": "R", "&&": "O"}


def is_const_pointer(of: Type) -> bool:
    """Return whether a type is a pointer that is const itself."""
    return isinstance(of, Qualified) and isinstance(of.base, PointerTo)


def cv(const: bool, volatile: bool, restrict: bool = False) -> str:  # noqa: FBT001, FBT002 - as the grammar has them
    """The codes of cv-qualifiers in order."""
    return f"{'r' * restrict}{'V' * volatile}{'K' * const}"


class Types(Names):
    """Writes types and template arguments."""

    def type(self, of: Type) -> None:
        """Write a type, or the substitution for it."""
        # [cxxabi:name.builtin]
        if isinstance(of, Builtin):
            try:
                self.put(codes.builtin(of.spelling), BUILTIN)
            except KeyError:
                raise AbsentError(f"the text has no type {of.spelling}") from None
        elif isinstance(of, Named):
            if self.in_declaration and is_anew(of):
                self.anew(of)
            elif not self.known(of):
                # What is in a qualified name is read in the instance.
                outer, self.in_declaration = self.in_declaration, False
                self.name(of)
                self.in_declaration = outer
                self.remember(of)
        elif self.in_declaration and has_anew(of):
            if isinstance(of, ArrayOf):
                self.remember(object())
            self.unsubstituted(of)
            if not isinstance(of, ArrayOf):
                self.remember(object())
        elif not self.substituted(of):
            if isinstance(of, ArrayOf) and NameHabit.ARRAYS_FIRST in self.policy.habits:
                self.remember(of)
            self.unsubstituted(of)
            if not (NameHabit.CONST_POINTERS in self.policy.habits and is_const_pointer(of)):
                self.remember(of)

    def anew(self, of: Named) -> None:
        """Write a specialization in the type of a function template; see `NameHabit.AS_DECLARED`."""
        short = abbreviation(template_of(of))
        if short:
            self.put(short, ABBREVIATION)
        else:
            self.unscoped_name(template_of(of))
            self.remember(object())
        inside = (one.arguments if isinstance(one, Pack) else (one,) for one in of.arguments or ())
        self.arguments(tuple(chain.from_iterable(inside)))

    def unsubstituted(self, of: Type) -> None:
        """Write a type that is neither a builtin one nor named."""
        match of:
            case PointerTo(to):
                # [cxxabi:name.compound]
                self.prefixed("P", COMPOUND, to)
            case ReferenceTo(to, rvalue):
                self.prefixed("O" if rvalue else "R", COMPOUND, to)
                if is_const_pointer(to):
                    self.remember(to)
            case ComplexOf(inner):
                self.prefixed("C", COMPOUND, inner)
            case Qualified():
                self.qualified(of)
            case ArrayOf():
                self.array(of)
            case FunctionType():
                self.function_type(of)
            case MemberPointer():
                self.member_pointer(of)
            case TemplateParameter(index):
                self.template_parameter(index)
            case Applied(template, arguments):
                self.type(template)
                self.arguments(arguments)
            case Expansion(inner):
                # [cxxabi:name.expansion]
                self.prefixed("Dp", EXPANSION, inner)  # type: ignore[arg-type]
            case Decltype(expression, plain):
                # [cxxabi:name.decltype]
                self.put("Dt" if plain else "DT", DECLTYPE)
                self.expression(expression)
                self.put("E", DECLTYPE)
            case Elaborated(key, named):
                # [cxxabi:name.class]
                self.put(codes.ELABORATED[key], CLASS)
                self.name(named)
            case VendorType(name):
                # [cxxabi:name.vendor-type]
                self.put("u", VENDOR)
                self.source(name)
            case Builtin() | Named():
                raise AssertionError("written elsewhere")
            case _:
                assert_never(of)

    def prefixed(self, code: str, clause: str, of: Type) -> None:
        """Write a code before a type."""
        self.put(code, clause)
        self.type(of)

    def qualified(self, of: Qualified) -> None:
        """Write a type behind its qualifiers."""
        # [cxxabi:name.qualified]
        for one in sorted(of.vendor, reverse=True):
            self.put("U", QUALIFIED)
            self.source(one)
        self.put(cv(of.const, of.volatile, of.restrict), QUALIFIED)
        self.type(of.base)

    def array(self, of: ArrayOf) -> None:
        """Write an array type."""
        # [cxxabi:name.array]
        self.put("A", ARRAY)
        if isinstance(of.bound, int):
            self.put(str(of.bound), ARRAY)
        elif of.bound is not None:
            self.expression(of.bound)
        self.put("_", ARRAY)
        self.type(of.element)

    def function_type(self, of: FunctionType) -> None:
        """Write a function type."""
        # [cxxabi:name.function-type]
        self.put(cv(of.const, of.volatile), FUNCTION)
        self.exception(of)
        self.put("F", FUNCTION)
        self.type(of.result)
        self.parameters(of.params, variadic=of.variadic)
        self.put(REFS[of.ref], FUNCTION)
        self.put("E", FUNCTION)

    def exception(self, of: FunctionType) -> None:
        """Write the exception specification of a function type."""
        # [cxxabi:name.exception]
        if of.noexcept is True:
            self.put("Do", EXCEPTION)
        elif of.noexcept is not False:
            self.put("DO", EXCEPTION)
            self.expression(of.noexcept)
            self.put("E", EXCEPTION)

    def parameters(self, params: tuple[Type, ...], *, variadic: bool) -> None:
        """Write the types of parameters."""
        # [cxxabi:name.parameters]
        for one in params:
            self.type(one)
        if variadic:
            self.put("z", PARAMETERS)
        elif not params:
            self.put("v", PARAMETERS)

    def member_pointer(self, of: MemberPointer) -> None:
        """Write a pointer to member; the type of a member function is one of its class."""
        # [cxxabi:name.member-pointer] [cxxabi:name.function-type]
        self.put("M", MEMBER_POINTER)
        self.type(of.of)
        member = of.member
        if not isinstance(member, FunctionType):
            self.type(member)
        elif not self.substituted((of.of, member)):
            self.function_type(member)
            self.remember((of.of, member))

    def template_parameter(self, index: int) -> None:
        """Write a reference to a template parameter."""
        # [cxxabi:name.template-parameter]
        self.put(f"T{index - 1 if index else ''}_", TEMPLATE_PARAMETER)

    def arguments(self, of: tuple[Argument, ...], head: tuple[TemplateHead, ...] = ()) -> None:
        """See `Writer.arguments`."""
        # [cxxabi:name.arguments]
        if NameHabit.NO_EMPTY_PACKS in self.policy.habits:
            of = tuple(one for one in of if one != Pack())
            if not of:
                return
        self.put("I", ARGUMENTS)
        for index, one in enumerate(of):
            if head:
                self.declaration(head[index], one)
            self.argument(one)
        self.put("E", ARGUMENTS)

    def declaration(self, of: TemplateHead, argument: Argument) -> None:
        """Write the declaration of a parameter that its argument does not tell, as compilers do; the text has none."""
        if of.kind != "value":
            return
        if of.of is None and not of.pack:
            self.put("TnDa", ARGUMENTS)
        elif of.pack and argument == Pack() and NameHabit.DECLARED in self.policy.habits:
            self.put("TpTn", ARGUMENTS)
            self.type(of.of or Builtin("auto"))

    def argument(self, of: Argument) -> None:
        """Write a template argument."""
        match of:
            case Template(name):
                self.type(name)
            case Constant() | NullPointer() | Referred(address=False):
                self.expression(of)
            case Referred(to):
                # [cxxabi:name.address]
                self.put("Xad", ADDRESS)
                self.expression(Referred(to))
                self.put("E", ADDRESS)
            case Dependent(expression):
                self.put("X", ARGUMENTS)
                self.expression(expression)
                self.put("E", ARGUMENTS)
            case Pack(arguments):
                self.put("J", ARGUMENTS)
                for one in arguments:
                    self.argument(one)
                self.put("E", ARGUMENTS)
            case _:
                self.type(of)
