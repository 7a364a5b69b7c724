"""Names and scopes (5.1.2, 5.1.3, 5.1.7, 5.1.8), and their abbreviations (5.1.10)."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from abiprobe.oracles.abis.itanium.names.codes import FUNCTION, UNARY, following
from abiprobe.oracles.abis.itanium.names.writing import Writer, cite
from abiprobe.oracles.engine.policies import NameHabit
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.entities import (
    STD,
    Builtin,
    Closure,
    Constructor,
    Conversion,
    Decltype,
    Destructor,
    Function,
    Initializer,
    LiteralOperator,
    Local,
    Named,
    Operator,
    Scope,
    StructuredBinding,
    TemplateHead,
    TemplateParameter,
    Unnamed,
    What,
)

NAMES = "oracles.abis.itanium.names.scopes.Names"
UNSCOPED = cite("name.unscoped", f"{NAMES}.unscoped")
NESTED = cite("name.nested", f"{NAMES}.nested")
QUALIFIERS = cite("name.nested-qualifiers", f"{NAMES}.nested")
SOURCE = cite("name.source", f"{NAMES}.source")
BINDING = cite("name.binding", f"{NAMES}.unqualified")
TAGS = cite("name.tags", f"{NAMES}.tags")
UNNAMED_NAMESPACE = cite("name.unnamed-namespace", f"{NAMES}.unnamed")
OPERATOR = cite("name.operator", f"{NAMES}.unqualified")
CONVERSION = cite("name.conversion", f"{NAMES}.unqualified")
LITERAL_OPERATOR = cite("name.literal-operator", f"{NAMES}.unqualified")
CONSTRUCTOR = cite("name.constructor", f"{NAMES}.unqualified")
DESTRUCTOR = cite("name.destructor", f"{NAMES}.unqualified")
UNNAMED = cite("name.unnamed", f"{NAMES}.unnamed")
UNNAMED_ELSEWHERE = cite("name.unnamed-elsewhere", f"{NAMES}.unnamed")
LOCAL = cite("name.local", f"{NAMES}.local")
DISCRIMINATOR = cite("name.discriminator", f"{NAMES}.discriminator")
LOCAL_CONSTRUCTOR = cite("name.local-constructor", f"{NAMES}.local")
CLOSURE = cite("name.closure", f"{NAMES}.closure")
CLOSURE_ELSEWHERE = cite("name.closure-elsewhere", f"{NAMES}.closure")
DEFAULT_ARGUMENT = cite("name.default-argument", f"{NAMES}.local")
INITIALIZER = cite("name.initializer", f"{NAMES}.prefix")
ABBREVIATION = cite("name.abbreviation", f"{NAMES}.abbreviated")

SPACES = frozenset({What.NAMESPACE, What.INLINE})
CHAR = (Builtin("char"),)
TRAITS = ("char_traits", CHAR)
STREAM = (Builtin("char"), TRAITS)
ABBREVIATIONS: dict[object, str] = {
    ("allocator", None): "Sa",
    ("basic_string", None): "Sb",
    ("basic_string", (*STREAM, ("allocator", CHAR))): "Ss",
    ("basic_istream", STREAM): "Si",
    ("basic_ostream", STREAM): "So",
    ("basic_iostream", STREAM): "Sd",
}
"""The abbreviations of members of std."""
ABBREVIATED = frozenset({"allocator", "basic_string", "basic_istream", "basic_ostream", "basic_iostream"})


def abbreviation(of: Named) -> str:
    """The abbreviation of a name without regard to its tags, empty for none."""
    if of == STD:
        return "St"
    if of.scope != STD or of.id not in ABBREVIATED:
        return ""
    return ABBREVIATIONS.get(within_std(of), "")


def within_std(of: object) -> object:
    """A member of std by its name and arguments, and anything else as it is."""
    if not isinstance(of, Named) or of.scope != STD:
        return of
    return of.id, None if of.arguments is None else tuple(map(within_std, of.arguments))


def template_of(of: Named) -> Named:
    """The template of a specialization."""
    return replace(of, arguments=None)


def enclosing(of: Named) -> Local | None:
    """The function that an entity is declared in."""
    scope = of.scope
    while isinstance(scope, (Named, Initializer)):
        scope = scope.scope if isinstance(scope, Named) else scope.of.scope
    return scope if isinstance(scope, Local) else None


class Names(Writer):
    """Writes names and scopes."""

    def name(self, of: Named, qualifiers: str = "") -> None:
        """Write a name with the qualifiers of a member function."""
        local = enclosing(of)
        if local is not None:
            self.local(of, local, qualifiers)
        else:
            self.relative(of, qualifiers)

    def relative(self, of: Named, qualifiers: str) -> None:
        """Write a name within its function, or within the global scope."""
        if not qualifiers and (of.scope is None or of.scope == STD or isinstance(of.scope, Local)):
            self.unscoped(of)
        else:
            self.nested(of, qualifiers)

    def unscoped(self, of: Named) -> None:
        """Write an unscoped name, and of a specialization that of its template and the arguments."""
        # [cxxabi:name.unscoped]
        if of.arguments is None:
            self.unscoped_name(of)
            return
        template = template_of(of)
        if not self.known(template):
            self.unscoped_name(template)
            self.remember(template)
        self.arguments(of.arguments, self.declared(of, NameHabit.DECLARED, NameHabit.DECLARED_UNSCOPED))

    def declared(self, of: Named, *habits: NameHabit) -> tuple[TemplateHead, ...]:
        """The parameters of a function template that a compiler of one of these habits declares."""
        return of.head if of.what is What.FUNCTION and not self.policy.habits.isdisjoint(habits) else ()

    def unscoped_name(self, of: Named) -> None:
        """Write an unqualified name, in std behind `St`."""
        if of.scope == STD:
            self.put("St", UNSCOPED)
        self.unqualified(of)

    def nested(self, of: Named, qualifiers: str) -> None:
        """Write a nested name."""
        # [cxxabi:name.nested] [cxxabi:name.nested-qualifiers]
        self.put("N", NESTED)
        self.put(qualifiers, QUALIFIERS)
        if of.arguments is None:
            self.prefix(of.scope)
            self.unqualified(of)
        else:
            self.template_prefix(template_of(of))
            self.arguments(of.arguments, self.declared(of, NameHabit.DECLARED))
        self.put("E", NESTED)

    def prefix(self, scope: Scope) -> None:
        """Write a scope, of which a function is none and the global one is nothing."""
        match scope:
            case None | Local():
                return
            case TemplateParameter() | Decltype():
                self.type(scope)
            case Initializer(of):
                # [cxxabi:name.initializer]
                if not self.substituted(scope):
                    self.inside(of)
                    self.put("M", INITIALIZER)
                    self.remember(scope)
            case Named():
                if not self.known(scope):
                    self.inside(scope)
                    self.remember(scope)
            case _:
                assert_never(scope)

    def inside(self, of: Named) -> None:
        """Write a name behind its scope."""
        if of.arguments is None:
            self.prefix(of.scope)
            self.unqualified(of)
        else:
            self.template_prefix(template_of(of))
            self.arguments(of.arguments)

    def template_prefix(self, template: Named) -> None:
        """Write a template behind its scope."""
        if not self.known(template):
            self.prefix(template.scope)
            self.unqualified(template)
            self.remember(template)

    def known(self, of: Named) -> bool:
        """Write the abbreviation or the substitution of a name; return whether it has one."""
        return self.substituted(of) or self.abbreviated(of)

    def abbreviated(self, of: Named) -> bool:
        """Write the abbreviation of a name, with its tags; return whether it has one."""
        # [cxxabi:name.abbreviation] [cxxabi:name.tags]
        short = abbreviation(of)
        self.put(short, ABBREVIATION)
        if short and of.tags:
            self.tags(of)
        numbered = NameHabit.NUMBERED_ABBREVIATIONS in self.policy.habits and of.arguments is not None
        if short and (of.tags or numbered):
            self.remember(of)
        return bool(short)

    def unqualified(self, of: Named) -> None:
        """Write the name of an entity without its scope."""
        match of.id:
            case str(identifier):
                self.source(identifier)
            case Operator(symbol, unary):
                # [cxxabi:name.operator]
                self.put(UNARY[symbol] if unary else FUNCTION[symbol], OPERATOR)
            case Conversion(to):
                # [cxxabi:name.conversion]
                self.put("cv", CONVERSION)
                self.type(to)
            case LiteralOperator(suffix):
                # [cxxabi:name.literal-operator]
                self.put("li", LITERAL_OPERATOR)
                self.source(suffix)
            case Constructor(variant, inherited):
                # [cxxabi:name.constructor]
                self.put(f"C{'I' * (inherited is not None)}{variant}", CONSTRUCTOR)
                if inherited is not None:
                    self.type(inherited)
            case Destructor(variant):
                # [cxxabi:name.destructor]
                self.put(f"D{variant}", DESTRUCTOR)
            case Unnamed(number):
                self.unnamed(of, number)
            case Closure():
                self.closure(of, of.id)
            case StructuredBinding(names):
                # [cxxabi:name.binding]
                self.put("DC", BINDING)
                for one in names:
                    self.source(one)
                self.put("E", BINDING)
            case _:
                assert_never(of.id)
        self.tags(of)

    def source(self, identifier: str) -> None:
        """Write a name of the source."""
        # [cxxabi:name.source]
        self.put(f"{len(identifier.encode())}{identifier}", SOURCE)

    def tags(self, of: Named) -> None:
        """Write the ABI tags of an entity; those of an inline namespace are for its members."""
        # [cxxabi:name.tags]
        for tag in () if of.what in SPACES else sorted(set(of.tags)):
            self.put("B", TAGS)
            self.put(f"{len(tag.encode())}{tag}", TAGS)

    def unnamed(self, of: Named, number: int) -> None:
        """Write the name of an unnamed type, or of an unnamed namespace by families."""
        if of.what in SPACES:
            # [cxxabi:name.unnamed-namespace]
            if self.policy.family is None:
                raise SilentError(UNNAMED_NAMESPACE, "the name of an unnamed namespace is not said")
            self.put("12_GLOBAL__N_1", UNNAMED_NAMESPACE)
            return
        # [cxxabi:name.unnamed-elsewhere]
        if of.scope is None or (isinstance(of.scope, Named) and of.scope.what in SPACES):
            raise SilentError(UNNAMED_ELSEWHERE, "an unnamed type at namespace scope has no specified name")
        # [cxxabi:name.unnamed]
        self.put(f"Ut{following(number)}_", UNNAMED)

    def closure(self, of: Named, closure: Closure) -> None:
        """Write the name of a closure type."""
        # [cxxabi:name.closure-elsewhere]
        if of.scope is None or (isinstance(of.scope, Named) and of.scope.what in SPACES):
            raise SilentError(
                CLOSURE_ELSEWHERE, "a closure type that is internal to a unit has no specified name"
            )
        # [cxxabi:name.closure]
        self.put("Ul", CLOSURE)
        for one in closure.params:
            self.type(one)
        if closure.variadic:
            self.put("z", CLOSURE)
        elif not closure.params:
            self.put("v", CLOSURE)
        self.put(f"E{following(closure.number)}_", CLOSURE)

    def local(self, of: Named, scope: Local, qualifiers: str) -> None:
        """Write the name of an entity that is declared in a function."""
        # [cxxabi:name.local] [cxxabi:name.local-constructor]
        self.put("Z", LOCAL)
        self.encoding(of_complete_object(scope.function))
        self.put("E", LOCAL)
        # [cxxabi:name.default-argument]
        if scope.default_argument is not None:
            number = scope.default_argument
            self.put(f"d{number - 1 if number else ''}_", DEFAULT_ARGUMENT)
        self.relative(of, qualifiers)
        self.discriminator(scope.occurrence)

    def discriminator(self, occurrence: int) -> None:
        """Write the discriminator of a local entity."""
        # [cxxabi:name.discriminator]
        number = occurrence - 2
        if number >= 0:
            self.put(f"_{number}" if number < 10 else f"__{number}_", DISCRIMINATOR)


def of_complete_object(of: Function) -> Function:
    """A constructor or destructor as that of the complete object, and any other function as it is."""
    name = of.name
    if isinstance(name.id, (Constructor, Destructor)):
        return replace(of, name=replace(name, id=replace(name.id, variant=1)))
    return of


assert LOCAL_CONSTRUCTOR
