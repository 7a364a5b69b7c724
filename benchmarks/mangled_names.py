"""The reader of mangled names for `symbols.py`: by the grammar of the Itanium C++ ABI, 5.1, into the entities that are mangled again.

It keeps the dictionary of substitutions as 5.1.10 numbers components, and knows no more than the grammar: every scope is a class
to it. What the entities have no word for raises `UnreadError` with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from abiprobe.oracles.abis.itanium.names import codes
from abiprobe.oracles.abis.itanium.names.scopes import ABBREVIATIONS
from abiprobe.oracles.language import entities as e

OWN = {code: spelling for spelling, code in codes.BUILTIN.items()}
UNARY = {code: symbol for symbol, code in codes.UNARY.items()}
BINARY = {code: symbol for symbol, code in codes.BINARY.items()}
FUNCTION = {code: symbol for symbol, code in codes.FUNCTION.items()}
CASTS = {code: keyword for keyword, code in codes.CAST.items()}
OF_TYPE = {code: keyword for keyword, code in codes.OF_TYPE.items()}
OF_EXPRESSION = {code: keyword for keyword, code in codes.OF_EXPRESSION.items()}
KEYS = {code: key for key, code in codes.ELABORATED.items()}
REFS = {"R": "&", "O": "&&"}
NUMBER = re.compile(r"\d+")
BUILTIN = re.compile("|".join(sorted(map(re.escape, OWN), key=len, reverse=True)))
UNSAID = {
    "C4": "a unified constructor, which the text does not have",
    "C5": "a constructor's group, which the text does not have",
    "D4": "a unified destructor, which the text does not have",
    "D5": "a destructor's group, which the text does not have",
    "TH": "the initialization of a thread-local variable, which the entities do not have",
    "TW": "the wrapper of a thread-local variable, which the entities do not have",
    "TC": "a construction table, which the entities do not have",
    "GT": "an entry point for transactions, which the entities do not have",
    "GI": "the initialization of a module, which the entities do not have",
    "Q1": "a constraint, which the entities do not have",
    "Q2": "a constraint, which the entities do not have",
    "TA": "the object of a template parameter, which the entities do not have",
    "Dv": "a vector type, for which the text has no code",
    "Tn": "the declaration of a template parameter, which the text does not have",
    "Tp": "the declaration of a template parameter, which the text does not have",
    "Ty": "the declaration of a template parameter, which the text does not have",
    "Tt": "the declaration of a template parameter, which the text does not have",
}


class UnreadError(Exception):
    """A name that the grammar here does not read, and why."""


def expand(short: object) -> Any:
    """A member of std by its abbreviation's description."""
    if not isinstance(short, tuple):
        return short
    name, arguments = short
    given = None if arguments is None else tuple(map(expand, arguments))
    return e.Named(e.What.STRUCT, name, e.STD, arguments=given)


ABBREVIATED = {code: expand(short) for short, code in ABBREVIATIONS.items()}


class Reader:
    """Reads one name."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.components: list[Any] = []

    # Characters

    def sees(self, *starts: str) -> bool:
        """Return whether what follows begins with one of these."""
        return self.text.startswith(starts, self.at)

    def takes(self, start: str) -> bool:
        """Step over what follows if it is this."""
        found = self.sees(start)
        self.at += len(start) * found
        return found

    def expect(self, start: str) -> None:
        """Step over what must follow."""
        if not self.takes(start):
            raise self.unread()

    def unread(self) -> UnreadError:
        """The reason why the rest is not read."""
        two = self.text[self.at : self.at + 2]
        return UnreadError(UNSAID.get(two, f"not read from {two!r} on"))

    def number(self) -> int:
        """A decimal number, negative behind n."""
        negative = self.takes("n")
        found = NUMBER.match(self.text, self.at)
        if found is None:
            raise self.unread()
        self.at = found.end()
        return -int(found[0]) if negative else int(found[0])

    def counted(self, end: str = "_") -> int:
        """A position that is one more than the number written, and 0 without one."""
        if self.takes(end):
            return 0
        found = self.number() + 1
        self.expect(end)
        return found

    def sequence(self) -> int:
        """A position in base 36, 0 where nothing is written."""
        end = self.text.index("_", self.at)
        digits, self.at = self.text[self.at : end], end + 1
        return int(digits, 36) + 1 if digits else 0

    def source(self) -> str:
        """A name of the source."""
        length = self.number()
        found = self.text[self.at : self.at + length]
        self.at += length
        return found

    def add(self, one: Any) -> Any:
        """Number a component."""
        self.components.append(one)
        return one

    def until_end(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        """All up to E."""
        found = []
        while not self.takes("E"):
            found.append(read())
        return tuple(found)

    # Entities

    def entity(self) -> e.AnyEntity:
        """All that follows _Z."""
        found = self.special() if self.sees("T", "G") else self.encoding()
        if self.at != len(self.text):
            raise self.unread()
        return found

    def special(self) -> e.AnyEntity:
        """A table, a guard, a temporary or a thunk."""
        two = self.text[self.at : self.at + 2]
        if two in {"TV", "TT", "TI", "TS"}:
            self.at += 2
            return e.Table(e.TableKind(two), self.type())
        if self.takes("GV"):
            return e.Guard(e.Variable(self.variable(self.name()[0])))
        if self.takes("GR"):
            name = self.variable(self.name()[0])
            return e.Temporary(e.Variable(name), self.sequence() + 1)
        if two in {"Th", "Tv", "Tc"}:
            self.at += 1
            both = self.takes("c")
            this = self.offset()
            result = self.offset() if both else None
            target = self.encoding()
            assert isinstance(target, e.Function)
            return e.Thunk(this, target, result)
        raise self.unread()

    def offset(self) -> e.Offset:
        """A call offset."""
        virtual = not self.takes("h")
        if virtual:
            self.expect("v")
        fixed = self.number()
        self.expect("_")
        if not virtual:
            return e.Offset(fixed)
        found = self.number()
        self.expect("_")
        return e.Offset(fixed, found)

    def encoding(self) -> e.Function | e.Variable:
        """A function with its type, or a variable."""
        name, cv, ref = self.name()
        if self.at == len(self.text) or self.sees("E"):
            return e.Variable(self.variable(name))
        name = replace(name, what=e.What.FUNCTION)
        own = name.id
        plain = isinstance(own, e.Constructor | e.Destructor | e.Conversion)
        result = self.type() if name.arguments is not None and not plain else None
        params, variadic = self.parameters()
        return e.Function(name, params, result, variadic, "K" in cv, "V" in cv, ref)

    def variable(self, name: e.Named) -> e.Named:
        """The name as that of a variable."""
        return replace(name, what=e.What.VARIABLE)

    def parameters(self) -> tuple[tuple[Any, ...], bool]:
        """The types of parameters up to the end, and whether unnamed ones follow."""
        found: list[Any] = []
        while self.at < len(self.text) and not self.sees("E", "RE", "OE"):
            if self.takes("z"):
                return tuple(found), True
            found.append(self.type())
        return (() if found == [e.Builtin("void")] else tuple(found)), False

    # Names

    def name(self, base: e.Scope = None) -> tuple[e.Named, str, Any]:
        """A name within a function or the global scope, with the qualifiers of a member function."""
        if self.sees("N"):
            return self.nested(base)
        if self.takes("Z"):
            return self.local()
        return self.unscoped(base), "", ""

    def unscoped(self, base: e.Scope) -> Any:
        """A name without scopes, with arguments if it has some."""
        if self.sees("S") and not self.sees("St"):
            found = self.substitution()
        else:
            found = self.unqualified(e.STD if self.takes("St") else base)
            if self.sees("I"):
                self.add(found)
        if self.sees("I"):
            found = replace(found, arguments=self.arguments())
        return found

    def nested(self, base: e.Scope) -> tuple[e.Named, str, Any]:
        """A nested name: each scope is a component, the whole is not."""
        self.expect("N")
        start = self.at
        while self.sees("r", "V", "K"):
            self.at += 1
        cv = self.text[start : self.at]
        ref = REFS.get(self.text[self.at], "") if not self.sees("On") else ""
        self.at += bool(ref)
        found: Any = base
        while not self.takes("E"):
            known = False
            if self.takes("St"):
                found, known = e.STD, True
            elif self.sees("S"):
                found, known = self.substitution(), True
            elif self.sees("I"):
                found = replace(found, arguments=self.arguments())
            elif self.sees("T"):
                found = e.TemplateParameter(self.template_parameter())
            elif self.sees("Dt", "DT"):
                found = self.decltype()
            elif self.takes("M"):
                found = e.Initializer(self.variable(found))
            else:
                found = self.unqualified(found)
            # A variable whose initializer is a scope is one component with its M.
            if not known and not self.sees("E", "M"):
                self.add(found)
        if not isinstance(found, e.Named):
            raise UnreadError("a nested name that names nothing")
        return found, cv, ref

    def local(self) -> tuple[e.Named, str, Any]:
        """A name in a function, or in a default argument."""
        function = self.encoding()
        self.expect("E")
        if self.sees("s"):
            raise UnreadError("a string literal, which the entities do not have")
        if isinstance(function, e.Variable):
            function = e.Function(replace(function.name, what=e.What.C_FUNCTION))
        argument = self.counted() if self.takes("d") else None
        scope = e.Local(function, 1, argument)
        name, cv, ref = self.name(scope)
        occurrence = 1
        if self.takes("__"):
            occurrence = self.number() + 2
            self.expect("_")
        elif self.sees("_") and self.text[self.at + 1 : self.at + 2].isdigit():
            occurrence = int(self.text[self.at + 1]) + 2
            self.at += 2
        return moved(name, scope, replace(scope, occurrence=occurrence)), cv, ref

    def unqualified(self, scope: e.Scope) -> e.Named:
        """A name in a scope, with its tags."""
        found = self.id()
        tags = []
        while self.takes("B"):
            tags.append(self.source())
        return e.Named(e.What.STRUCT, found, scope, tags=tuple(tags))

    def id(self) -> Any:
        """The name of an entity in its scope."""
        two = self.text[self.at : self.at + 2]
        if two[:1].isdigit():
            return self.source()
        if two in UNSAID:
            raise self.unread()
        if two[:1] == "L" and two[1:].isdigit():
            raise UnreadError("internal linkage, which the text does not mark")
        self.at += 2
        if two == "CI":
            self.at += 1
            return e.Constructor(int(self.text[self.at - 1]), self.type())  # type: ignore[arg-type]
        if two in {"C1", "C2", "C3"}:
            return e.Constructor(int(two[1]))  # type: ignore[arg-type]
        if two in {"D0", "D1", "D2"}:
            return e.Destructor(int(two[1]))  # type: ignore[arg-type]
        if two == "DC":
            return e.StructuredBinding(self.until_end(self.source))
        if two == "cv":
            return e.Conversion(self.type())
        if two == "li":
            return e.LiteralOperator(self.source())
        if two == "Ut":
            return e.Unnamed(self.counted() + 1)
        if two == "Ul":
            params, variadic = self.parameters()
            self.expect("E")
            return e.Closure(params, variadic, self.counted() + 1)
        if two in FUNCTION:
            return e.Operator(FUNCTION[two])
        if two in UNARY:
            return e.Operator(UNARY[two], unary=True)
        self.at -= 2
        raise self.unread()

    def substitution(self) -> Any:
        """A component that has been before, or a member of std that has an abbreviation."""
        self.expect("S")
        short = f"S{self.text[self.at : self.at + 1]}"
        if short in ABBREVIATED:
            self.at += 1
            found, tags = ABBREVIATED[short], []
            while self.takes("B"):
                tags.append(self.source())
            return self.add(replace(found, tags=tuple(tags))) if tags else found
        number = self.sequence()
        if number >= len(self.components):
            raise UnreadError("a substitution for what has not been before")
        return self.components[number]

    # Types

    def type(self) -> Any:
        """A type, numbered as a component if it is one."""
        if self.sees("S") and not self.sees("St"):
            found = self.substitution()
            if self.sees("I") and isinstance(found, e.TemplateParameter):
                return self.add(e.Applied(found, self.arguments()))
            return self.add(replace(found, arguments=self.arguments())) if self.sees("I") else found
        if self.sees("N", "Z", "St") or self.text[self.at : self.at + 1].isdigit():
            return self.add(self.name()[0])
        known = BUILTIN.match(self.text, self.at)
        if known and not self.sees("Dp", "Dt", "DT", "Do", "DO"):
            self.at = known.end()
            return e.Builtin(OWN[known[0]])
        return self.compound()

    def compound(self) -> Any:
        """A type of which each form is a component."""
        one = self.text[self.at : self.at + 1]
        two = self.text[self.at : self.at + 2]
        if two in UNSAID:
            raise self.unread()
        if two in KEYS:
            self.at += 2
            return self.add(e.Elaborated(KEYS[two], self.name()[0]))  # type: ignore[arg-type]
        if two in {"DB", "DU"}:
            self.at += 2
            width = self.number()
            self.expect("_")
            return e.Builtin(f"{'unsigned ' * (two == 'DU')}_BitInt({width})")
        if two == "Dp":
            self.at += 2
            return self.add(e.Expansion(self.type()))
        if two in {"Dt", "DT"}:
            return self.add(self.decltype())
        if one == "T":
            found = self.add(e.TemplateParameter(self.template_parameter()))
            return self.add(e.Applied(found, self.arguments())) if self.sees("I") else found
        if one in {"r", "V", "K", "U", "F"} or two in {"Do", "DO"}:
            return self.add(self.qualified())
        self.at += 1
        if one == "P":
            return self.add(e.PointerTo(self.type()))
        if one in REFS:
            return self.add(e.ReferenceTo(self.type(), one == "O"))
        if one == "C":
            return self.add(e.ComplexOf(self.type()))
        if one == "A":
            return self.add(self.array())
        if one == "u":
            return self.add(e.VendorType(self.source()))
        if one == "M":
            of, member = self.type(), self.type()
            if isinstance(member, e.FunctionType):
                # The type of a member function is another than that of a function.
                self.components = [(of, one) if one is member else one for one in self.components]
            elif isinstance(member, tuple):
                member = member[1]
            return self.add(e.MemberPointer(of, member))
        self.at -= 1
        raise self.unread()

    def qualified(self) -> Any:
        """A type behind qualifiers, or a function type behind its own."""
        vendor: list[str] = []
        while self.sees("U"):
            before = self.at
            self.at += 1
            vendor.append(self.source())
            # In another order they qualify a qualified type.
            if vendor[-2:] != sorted(vendor[-2:], reverse=True):
                self.at = before
                vendor.pop()
                break
        start = self.at
        while self.sees("r", "V", "K"):
            self.at += 1
        cv = self.text[start : self.at]
        if not vendor and (self.sees("F", "Do", "DO")):
            return self.function(cv)
        base = self.type()
        return e.Qualified(base, "K" in cv, "V" in cv, "r" in cv, tuple(sorted(vendor)))

    def function(self, cv: str) -> e.FunctionType:
        """A function type behind its qualifiers."""
        noexcept: Any = self.takes("Do")
        if self.takes("DO"):
            noexcept = self.expression()
            self.expect("E")
        self.expect("F")
        if self.takes("Y"):
            raise UnreadError("a function type with C linkage")
        result = self.type()
        params, variadic = self.parameters()
        ref = REFS.get(self.text[self.at], "")
        self.at += bool(ref)
        self.expect("E")
        return e.FunctionType(result, params, variadic, "K" in cv, "V" in cv, ref, noexcept)  # type: ignore[arg-type]

    def array(self) -> e.ArrayOf:
        """An array behind its A."""
        bound: Any = None
        if self.text[self.at].isdigit():
            bound = self.number()
        elif not self.sees("_"):
            bound = self.expression()
        self.expect("_")
        return e.ArrayOf(self.type(), bound)

    def template_parameter(self) -> int:
        """The position of a template parameter."""
        self.expect("T")
        if self.sees("L"):
            raise UnreadError("a template parameter of a generic lambda or another level")
        return self.counted()

    def decltype(self) -> e.Decltype:
        """A type by an expression."""
        plain = self.takes("Dt")
        if not plain:
            self.expect("DT")
        found = self.expression()
        self.expect("E")
        return e.Decltype(found, plain)

    def arguments(self) -> tuple[Any, ...]:
        """Template arguments."""
        self.expect("I")
        return self.until_end(self.argument)

    def argument(self) -> Any:
        """One template argument."""
        if self.takes("J"):
            return e.Pack(self.until_end(self.argument))
        if self.sees("L"):
            return self.primary()
        if self.takes("X"):
            found = self.expression()
            self.expect("E")
            if isinstance(found, e.Unary) and found.symbol == "&" and isinstance(found.of, e.Referred):
                return e.Referred(found.of.to, address=True)
            return e.Dependent(found)
        return self.type()

    # Expressions

    def primary(self) -> Any:
        """A literal, or an entity."""
        self.expect("L")
        if self.takes("_Z"):
            to = self.encoding()
            self.expect("E")
            return e.Referred(to)
        of = self.type()
        if isinstance(of, e.ArrayOf):
            self.expect("E")
            return e.StringLiteral(of)
        end = self.text.index("E", self.at)
        value, self.at = self.text[self.at : end], end + 1
        if of == e.Builtin("decltype(nullptr)") or isinstance(of, e.PointerTo | e.MemberPointer):
            return e.NullPointer(of, literal=not value)
        if re.fullmatch(r"n?\d+", value) and of not in map(e.Builtin, ("float", "double", "long double")):
            return e.Constant(of, int(value.replace("n", "-")))
        return e.Constant(of, value)

    def expression(self) -> Any:
        """An expression."""
        two = self.text[self.at : self.at + 2]
        if self.sees("T"):
            return e.TemplateParameter(self.template_parameter())
        if self.sees("L"):
            return self.primary()
        if self.sees("fp") or (self.sees("fL") and self.text[self.at + 2].isdigit()):
            return self.function_parameter()
        if self.sees("nw", "na", "gsnw", "gsna"):
            return self.new()
        if self.takes("tr"):
            return e.Rethrow()
        if self.sees("sr", "gs", "on") or two[:1].isdigit():
            return self.unresolved()
        self.at += 2
        if two in {"pp", "mm"}:
            return e.Unary(UNARY[two], postfix=not self.takes("_"), of=self.expression())
        if two in UNARY:
            return e.Unary(UNARY[two], self.expression())
        if two in BINARY:
            return e.Binary(BINARY[two], self.expression(), self.expression())
        if two == "qu":
            return e.Conditional(self.expression(), self.expression(), self.expression())
        if two in {"cl", "cp"}:
            return e.Call(self.expression(), self.until_end(self.expression), two == "cp")
        if two in CASTS:
            return e.Cast(CASTS[two], self.type(), self.expression())  # type: ignore[arg-type]
        if two in OF_TYPE:
            return e.OfType(OF_TYPE[two], self.type())  # type: ignore[arg-type]
        if two in OF_EXPRESSION:
            return e.OfExpression(OF_EXPRESSION[two], self.expression())  # type: ignore[arg-type]
        if two == "sZ":
            return e.PackSize(self.expression())
        if two == "sp":
            return e.Expansion(self.expression())
        if two in {"il", "tl"}:
            return e.Construction(
                self.type() if two == "tl" else None, self.until_end(self.expression), braces=True
            )
        if two == "cv":
            to = self.type()
            several = self.takes("_")
            return e.Construction(to, self.until_end(self.expression) if several else (self.expression(),))
        if two in {"dt", "pt"}:
            return e.Member(self.expression(), self.unresolved(), two == "pt")
        if two in {"fl", "fr", "fL", "fR"}:
            return self.fold(two[1])
        self.at -= 2
        raise self.unread()

    def new(self) -> e.New:
        """An expression that allocates an object."""
        rooted, array = self.takes("gs"), self.sees("na")
        self.at += 2
        placement = []
        while not self.takes("_"):
            placement.append(self.expression())
        of = self.type()
        braces = self.takes("il")
        initial = self.until_end(self.expression) if braces or self.takes("pi") else None
        if initial is None:
            self.expect("E")
        return e.New(of, tuple(placement), initial, braces, array, rooted)

    def fold(self, code: str) -> e.Fold:
        """A fold expression behind its code."""
        symbol = BINARY[self.text[self.at : self.at + 2]]
        self.at += 2
        operands = [self.expression() for _ in range(1 + code.isupper())]
        if code == "L":
            operands.reverse()
        return e.Fold(symbol, operands[0], code in "lL", operands[1] if len(operands) > 1 else None)

    def function_parameter(self) -> e.FunctionParameter:
        """A reference to a parameter of a function."""
        if self.takes("fpT"):
            return e.FunctionParameter(None)
        level = 0
        if not self.takes("fp"):
            self.expect("fL")
            level = self.number() + 1
            self.expect("p")
        start = self.at
        while self.sees("r", "V", "K"):
            self.at += 1
        cv = self.text[start : self.at]
        return e.FunctionParameter(self.counted(), level, "K" in cv, "V" in cv)

    def unresolved(self) -> Any:
        """A name that an instantiation resolves."""
        rooted = self.takes("gs")
        within, levels = None, []
        if self.takes("srN"):
            within = self.dependent()
            levels = list(self.until_end(self.level))
        elif self.takes("sr"):
            if self.text[self.at].isdigit():
                levels = list(self.until_end(self.level))
            else:
                within = self.dependent()
        if self.takes("on"):
            two = self.text[self.at : self.at + 2]
            if two not in FUNCTION and two not in UNARY:
                raise self.unread()
            self.at += 2
            name: Any = e.Operator(FUNCTION[two]) if two in FUNCTION else e.Operator(UNARY[two], unary=True)
        elif self.text[self.at].isdigit():
            name = self.source()
        else:
            raise self.unread()
        arguments = self.arguments() if self.sees("I") else None
        return e.Unresolved(name, arguments, within, tuple(levels), rooted)

    def dependent(self) -> Any:
        """A type that depends on a parameter."""
        if not self.sees("T", "D", "S") or self.sees("St"):
            raise UnreadError("a qualifier that depends on no parameter, for which the text has levels")
        return self.type()

    def level(self) -> tuple[str, Any]:
        """A name within one that an instantiation resolves."""
        return self.source(), self.arguments() if self.sees("I") else None


def moved(name: Any, scope: e.Local, other: e.Local) -> Any:
    """A name in another scope of a function."""
    if name is scope:
        return other
    if isinstance(name, e.Initializer):
        return e.Initializer(moved(name.of, scope, other))
    if isinstance(name, e.Named) and name.scope is not None:
        return replace(name, scope=moved(name.scope, scope, other))
    return name


def read(symbol: str) -> e.AnyEntity:
    """The entity of a mangled name."""
    reader = Reader(symbol)
    reader.expect("_Z")
    try:
        return reader.entity()
    except (IndexError, ValueError, AttributeError, TypeError, AssertionError) as error:
        raise UnreadError(f"the grammar does not lead through: {error}"[:90]) from error
