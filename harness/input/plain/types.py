"""Types as pycparser has them, as values of `abiprobe.oracles.language.lang`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import msgspec
from pycparser import c_ast

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.plain.attributes import Attributes, read, together
from abiprobe.harness.input.plain.constants import constant
from abiprobe.harness.input.plain.sizes import HEADERS, Sizes
from abiprobe.oracles.language.lang import (
    DECIMAL,
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Enumerator,
    Kind,
    Pointer,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)

Declared: TypeAlias = c_ast.Decl | c_ast.Typedef | c_ast.Typename
Derived: TypeAlias = c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl

_BASIC: Mapping[tuple[str, ...], tuple[Kind, Kind | None]] = MappingProxyType(
    {
        ("char",): (Kind.CHAR, Kind.UCHAR),
        ("short",): (Kind.SHORT, Kind.USHORT),
        (): (Kind.INT, Kind.UINT),
        ("long",): (Kind.LONG, Kind.ULONG),
        ("long", "long"): (Kind.LLONG, Kind.ULLONG),
        ("__int128",): (Kind.INT128, Kind.UINT128),
        ("_Bool",): (Kind.BOOL, None),
        ("bool",): (Kind.BOOL, None),
        ("float",): (Kind.FLOAT, None),
        ("double",): (Kind.DOUBLE, None),
        ("double", "long"): (Kind.LDOUBLE, None),
    }
)
"""The words of a type but for `int`, `signed` and `unsigned`, in their order, with the kind and its unsigned one."""
_OWN_NAMES: Mapping[str, Kind] = MappingProxyType(
    {
        **{kind.value: kind for kind in Kind if kind.value.startswith("_")},
        "__float128": Kind.FLOAT128,
        "_Float32": Kind.FLOAT,
        "_Float32x": Kind.DOUBLE,
        "_Float64": Kind.DOUBLE,
        "_Float64x": Kind.LDOUBLE,
        "__int128_t": Kind.INT128,
        "__uint128_t": Kind.UINT128,
    }
)
"""Types with a name of one word."""
_HEADER_NAMES = frozenset(name for names in HEADERS.values() for name in names)
LARGEST = 1 << 32
"""Elements of the longest array."""


class Function(msgspec.Struct, frozen=True):
    """The type of a function: that of its result (`None` for `void`), and its node."""

    result: Type | None
    node: c_ast.FuncDecl


AnyType: TypeAlias = Type | Function | None
"""The possible types of a declaration; `None` is `void`."""


class Unnamed(msgspec.Struct, frozen=True):
    """The name of a record or an enumeration without a tag: that of its `typedef`, one made of `stem`, or none if it is anonymous."""

    typedef: str = ""
    stem: str = "untagged"
    anonymous: bool = False


UNNAMED = Unnamed()
NONE = Attributes()


class Reading:
    """The state of reading a text: types by their names, constants, and the attributes that were seen.

    `failed` are the reasons why a record or an enumeration could not be read, `pack` is the value of `#pragma pack`, and
    `records` are those with a name, in the order in which they are completed.
    """

    def __init__(self, sizes: Sizes, words: frozenset[str]) -> None:
        self.sizes = sizes
        self.typedefs: dict[str, AnyType] = {}
        self.tagged: dict[tuple[str, str], Record | Enum] = {}
        self.failed: dict[tuple[str, str], str] = {}
        self.constants: dict[str, int] = {}
        self.seen: set[int] = set()
        self.pack: list[int | None] = [None]
        self.records: list[Record] = []
        self.made: dict[int, Record | Enum] = {}
        self._words = set(words)

    def invented(self, stem: str) -> str:
        """A tag for a record or an enumeration that has none, which the text does not have."""
        number = 1
        while f"{stem}_{number}" in self._words:
            number += 1
        self._words.add(f"{stem}_{number}")
        return f"{stem}_{number}"

    def type_of(self, declared: Declared, name: Unnamed = UNNAMED) -> tuple[AnyType, Attributes]:
        """Return the type of a declaration, and its own attributes; `name` is what a record without a tag is called."""
        own = read(getattr(declared, "attributes", ()), self.seen)
        chain: list[Derived] = []
        node = declared.type
        while isinstance(node, Derived):
            chain.append(node)
            node = node.type
        said = [own]
        qualifiers: list[str] = []
        if isinstance(node, c_ast.TypeDecl):
            said.append(read(node.attributes, self.seen))
            qualifiers, node = node.quals, node.type
        pointed_at = any(isinstance(one, c_ast.PtrDecl) for one in chain)
        base, of_base = (None, NONE) if pointed_at and self._opaque(node) else self.base(node, name)
        said.append(of_base)
        attributes = together(*said)
        if attributes.vector_size is not None:
            base = self._vector(base, attributes.vector_size)
        whole = base if base is None else _atomic(base, qualifiers)
        return self._derived(whole, chain, said, spelled(node, qualifiers))

    def _opaque(self, node: c_ast.Node) -> bool:
        """Return whether a record or an enumeration is only mentioned, and not known."""
        return (
            isinstance(node, c_ast.Struct | c_ast.Union | c_ast.Enum)
            and (node.values if isinstance(node, c_ast.Enum) else node.decls) is None
            and (type(node).__name__.lower(), node.name) not in self.tagged
        )

    def base(self, node: c_ast.Node, name: Unnamed) -> tuple[AnyType, Attributes]:
        """Return the type that specifiers name, and the attributes beside it that belong to what is declared."""
        if isinstance(node, c_ast.AttributedType):
            beside = read(node.attributes, self.seen)
            inner = node.type
            if isinstance(inner, c_ast.Enum) and inner.values is not None:
                return self.enum(inner, name, beside), NONE
            if isinstance(inner, c_ast.Struct | c_ast.Union) and inner.decls is not None:
                return self.record(inner, name, beside), NONE
            return self.base(inner, name)[0], beside
        match node:
            case c_ast.IdentifierType(names=names):
                return self._named(names), NONE
            case c_ast.BitIntType(width=width, signedness=sign):
                bits = constant(width, self.constants)
                if not (1 if sign == "unsigned" else 2) <= bits <= 1 << 16:
                    raise Problem(f"_BitInt({bits}) is not a type")
                return BitInt(bits, signed=sign != "unsigned"), NONE
            case c_ast.Struct() | c_ast.Union():
                return self.record(node, name), NONE
            case c_ast.Enum():
                return self.enum(node, name), NONE
        raise Problem("a type that is not read here")

    def record(self, node: c_ast.Struct | c_ast.Union, name: Unnamed, beside: Attributes = NONE) -> Record:
        """Return a struct or union, which the declaration defines or has defined before."""
        from abiprobe.harness.input.plain.members import record

        found = self._read_once(node, node.decls, name, lambda tag: record(self, node, tag, beside))
        assert isinstance(found, Record)
        return found

    def enum(self, node: c_ast.Enum, name: Unnamed, beside: Attributes = NONE) -> Enum:
        """Return an enumeration, which the declaration defines or has defined before."""
        found = self._read_once(node, node.values, name, lambda tag: self._enum(node, tag, beside))
        assert isinstance(found, Enum)
        return found

    def _read_once(
        self,
        node: c_ast.Struct | c_ast.Union | c_ast.Enum,
        body: object,
        name: Unnamed,
        make: Callable[[str], Record | Enum],
    ) -> Record | Enum:
        """Return what a definition or a mention of a record or an enumeration means; a definition is read once."""
        if id(node) in self.made:
            return self.made[id(node)]
        keyword = type(node).__name__.lower()
        called = node.name or name.typedef
        key = keyword, called
        if key in self.failed:
            raise Problem(self.failed[key])
        if body is None:
            if key not in self.tagged:
                raise Problem(f"{keyword} {called} is incomplete here")
            return self.tagged[key]
        if key in self.tagged:
            raise Problem(f"{keyword} {called} is defined twice")
        try:
            made = make(called or ("" if name.anonymous else self.invented(name.stem)))
        except Problem as problem:
            if called:
                self.failed[key] = problem.message
            raise
        self.made[id(node)] = made
        if called:
            self.tagged[key] = made
            self.records += [made] if isinstance(made, Record) else []
        return made

    def _enum(self, node: c_ast.Enum, tag: str, beside: Attributes) -> Enum:
        if node.underlying_type is not None:
            raise Problem("an enumeration with a fixed underlying type is not supported")
        attributes = together(read(node.attributes, self.seen), beside)
        if attributes != Attributes(packed=attributes.packed):
            raise Problem("of the attributes of an enumeration only packed is read here")
        found: list[Enumerator] = []
        for one in node.values.enumerators:
            value = (
                constant(one.value, self.constants)
                if one.value is not None
                else (found[-1].value + 1 if found else 0)
            )
            if one.name in self.constants:
                raise Problem(f"{one.name} is declared twice")
            self.constants[one.name] = value
            found.append(Enumerator(one.name, value))
        return Enum(tag, tuple(found), packed=attributes.packed)

    def _derived(
        self, base: AnyType, chain: list[Derived], said: list[Attributes], text: str
    ) -> tuple[AnyType, Attributes]:
        """Return what pointers, arrays and functions make of a type, the innermost last in the `chain`."""
        result: AnyType = base
        attributes = together(*said)
        suffixes = [node for node in chain if not isinstance(node, c_ast.PtrDecl)]
        # What stands between the last star and the name, or behind all of the declarator, is said of what is declared.
        own = [*(node for node in chain[:1] if isinstance(node, c_ast.PtrDecl)), *suffixes[-1:]]
        for node in reversed(chain):
            here = read(node.attributes, self.seen)
            if here != NONE and (node not in own or here.vector_size is not None):
                raise Problem("an attribute inside a declarator is not read here")
            attributes = together(attributes, here)
            match node:
                case c_ast.FuncDecl():
                    if isinstance(result, Function | Array):
                        raise Problem("a function returns no array and no function")
                    result = Function(result, node)
                case c_ast.ArrayDecl():
                    if result is None or isinstance(result, Function):
                        raise Problem("an array of functions or of void")
                    result, text = self._array(result, node), "void"
                case c_ast.PtrDecl():
                    function = isinstance(result, Function)
                    result = _atomic(Pointer(text, function=function), node.quals)
                    text = "void" if function else f"{text} *"
        return result, attributes

    def _array(self, element: Type, node: c_ast.ArrayDecl) -> Array:
        if isinstance(element, Array) and element.length is None:
            raise Problem("an array of arrays without a length")
        length = None if node.dim is None else constant(node.dim, self.constants)
        if length is not None and not 0 <= length <= LARGEST:
            raise Problem(f"an array of {length} elements")
        return Array(element, length)

    def _named(self, names: list[str]) -> AnyType:
        words = [word for word in names if word != "_Complex"]
        if words == ["void"] and len(names) == 1:
            return None
        if len(words) == 1 and words[0] in self.typedefs and len(names) == 1:
            return self.typedefs[words[0]]
        kind = _kind(self, words) if words else Kind.DOUBLE
        if len(words) == len(names):
            return Scalar(kind)
        if len(names) != len(words) + 1 or kind is Kind.BOOL or kind in DECIMAL:
            raise Problem(f"{' '.join(names)} is not a type")
        return Complex(kind)

    def _vector(self, base: AnyType, size: int) -> Vector:
        while isinstance(base, Typedef):
            base = base.base
        if not isinstance(base, Scalar) or base.kind is Kind.BOOL:
            raise Problem("a vector of anything but numbers is not supported")
        if size % (self.sizes.size(base) or size + 1):
            raise Problem(f"vector_size({size}) is not a multiple of the element's size")
        return Vector(base.kind, size)


def _kind(reading: Reading, words: list[str]) -> Kind:
    if len(words) == 1 and words[0] in _HEADER_NAMES:
        kind = reading.sizes.named(words[0])
        if kind is None:
            raise Problem(f"this target has no {words[0]}")
        return kind
    if len(words) == 1 and words[0] in _OWN_NAMES:
        return _OWN_NAMES[words[0]]
    counts = Counter(words)
    rest = tuple(sorted(word for word in words if word not in {"int", "signed", "unsigned"}))
    signs = counts["signed"] + counts["unsigned"]
    if (
        rest in _BASIC
        and counts["int"] <= (rest in {(), ("short",), ("long",), ("long", "long")})
        and signs <= 1
    ):
        signed, unsigned = _BASIC[rest]
        if not counts["unsigned"] and (not signs or unsigned is not None):
            return Kind.SCHAR if signs and signed is Kind.CHAR else signed
        if unsigned is not None and counts["unsigned"]:
            return unsigned
    raise Problem(f"{' '.join(words)} is not a type that is read here")


def _atomic(c_type: AnyType, qualifiers: list[str]) -> AnyType:
    if "_Atomic" not in qualifiers:
        return c_type
    if c_type is None or isinstance(c_type, Function | Array | Atomic):
        raise Problem("_Atomic of what is no object, or an array, or atomic")
    return Atomic(c_type)


def spelled(node: c_ast.Node, qualifiers: list[str]) -> str:
    """A type that is pointed to, as C spells it, for people; `void` for one without a name."""
    while isinstance(node, c_ast.AttributedType):
        node = node.type
    match node:
        case c_ast.IdentifierType(names=names):
            text = " ".join(names)
        case c_ast.BitIntType(signedness="unsigned"):
            text = "unsigned _BitInt"
        case c_ast.Struct(name=str(tag)) | c_ast.Union(name=str(tag)) | c_ast.Enum(name=str(tag)):
            text = f"{type(node).__name__.lower()} {tag}"
        case _:
            text = "void"
    said = [word for word in ("const", "volatile") if word in qualifiers]
    return " ".join((*said, text))
