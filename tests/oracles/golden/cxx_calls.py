"""Functions of C++ that the rows of `cxx_calls.tsv` are about, by name, with the declaration for whoever checks a row by hand."""

from __future__ import annotations

from msgspec.structs import replace

from abiprobe.oracles.language.classes import (
    Base,
    Class,
    CxxArray,
    CxxType,
    DataMember,
    DataMemberPointer,
    Declared,
    Destruction,
    MemberFunctionPointer,
    Reference,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype
from abiprobe.oracles.language.lang import Kind, Scalar, Vector

CHAR, INT, LONG, FLOAT, DOUBLE = (
    Scalar(kind) for kind in (Kind.CHAR, Kind.INT, Kind.LLONG, Kind.FLOAT, Kind.DOUBLE)
)
PLAIN, GONE = Specials(), Specials(destructor=Destruction(Declared.PROVIDED))
DELETED = Specials(copy=Declared.DELETED, move=Declared.DELETED)


def struct(
    tag: str,
    *types: CxxType,
    bases: tuple[Class, ...] = (),
    specials: Specials = PLAIN,
    alignas: int | None = None,
    virtual: bool = False,
    trivial_abi: bool = False,
) -> Class:
    """A class with members `a`, `b` and so on of these types."""
    members = tuple(DataMember(c_type, chr(ord("a") + index)) for index, c_type in enumerate(types))
    virtuals = (VirtualFunction("v"),) if virtual else ()
    own = tuple(map(Base, bases))
    return Class(tag, own, members, virtuals, specials, alignas=alignas, trivial_abi=trivial_abi)


def function(
    result: CxxType | None,
    *params: CxxType,
    unnamed: tuple[CxxType, ...] = (),
    this: Class | None = None,
    virtual: bool = False,
) -> CxxPrototype:
    """A function of these types."""
    named = tuple(CxxParam(f"p{index}", c_type) for index, c_type in enumerate(params))
    return CxxPrototype("f", result, named, bool(unnamed), unnamed, this, virtual)


EMPTY, ALIGNED16, ALIGNED32 = struct("E"), struct("A", alignas=16), struct("A", alignas=32)
DESTROYED_INT, DESTROYED_DOUBLE = struct("G", INT, specials=GONE), struct("G", DOUBLE, specials=GONE)
DESTROYED_ELEMENT = struct("G", CxxArray(DOUBLE, 1), specials=GONE)
PINNED = struct("M", DOUBLE, specials=DELETED)
HOLDER = struct("H", PINNED)
MOVED = struct("V", DOUBLE, specials=Specials(copy=Declared.DELETED, move=Declared.DEFAULTED))
DYNAMIC = struct("D", INT, virtual=True)
LARGE = struct("X", LONG, LONG, LONG)
INT_BASE = struct("B", CHAR, bases=(struct("B0", INT),))
DOUBLE_BASE = struct("B", DOUBLE, bases=(struct("B0", DOUBLE),))
FLOAT_BASE = struct("B", FLOAT, bases=(struct("B0", FLOAT),))
DOUBLE_OVER_EMPTY = struct("B", DOUBLE, bases=(EMPTY,))
FLOATS_OVER_EMPTY = struct("B", FLOAT, FLOAT, FLOAT, bases=(EMPTY,))
EMPTY_MEMBER = struct("S", EMPTY, DOUBLE)
EMPTY_ELEMENT = struct("S", CxxArray(EMPTY, 1), FLOAT)
EMPTY_BETWEEN = struct("S", DOUBLE, EMPTY, INT)
OVERLAPPING = Class(
    "S",
    members=(
        DataMember(EMPTY, "e", no_unique_address=True),
        DataMember(FLOAT, "a"),
        DataMember(FLOAT, "b"),
    ),
)
WITH_EMPTY = Class("U", members=(DataMember(FLOAT, "f"), DataMember(EMPTY, "e")), union=True)
ALIGNED_BASE = struct("B", INT, bases=(ALIGNED16,))
ALIGNED_MEMBER = Class(
    "S", members=(DataMember(ALIGNED16, "e", no_unique_address=True), DataMember(INT, "a"))
)
ASKED_MEMBER = Class(
    "S", members=(DataMember(INT, "a"), DataMember(EMPTY, "e", no_unique_address=True, alignas=16))
)
NAMELESS = Class("S", members=(DataMember(INT, "a"), DataMember(LONG, "", 8)))
VIRTUAL_BASE = Class("B", (Base(struct("B0", INT), virtual=True),))
COPIED = replace(VIRTUAL_BASE, specials=Specials(Declared.PROVIDED, Declared.PROVIDED))
FLOATS = Vector(Kind.FLOAT, 16)
FLOATS_OVER_FLOATS = struct("S", FLOATS, bases=(struct("B0", FLOATS),))
TRIVIAL = struct("T", INT, specials=GONE, trivial_abi=True)
IGNORED_VIRTUAL = struct("T", INT, virtual=True, trivial_abi=True)
IGNORED_PINNED = struct("T", DOUBLE, specials=DELETED, trivial_abi=True)
IGNORED_MEMBER = struct("T", DESTROYED_INT, trivial_abi=True)
IGNORED_COPY = struct("T", DOUBLE, specials=Specials(copy=Declared.DELETED), trivial_abi=True)
UNNAMED_BITS = Class("S", members=(DataMember(INT, "", 8),))
OVER_BITS = struct("B", FLOAT, bases=(UNNAMED_BITS,))
SMALL_WITH_EMPTY, ODD_WITH_EMPTY = struct("S", EMPTY, CHAR), struct("S", EMPTY, CxxArray(CHAR, 8))
MOVER = struct("M", specials=Specials(copy=Declared.DEFAULTED, move=Declared.PROVIDED))
MOVED_EMPTY = struct("E", bases=(MOVER,), specials=Specials(assign=Declared.PROVIDED))
FUNCTION_POINTER, DATA_POINTER = MemberFunctionPointer("Z"), DataMemberPointer("Z")

FUNCTIONS: dict[str, CxxPrototype] = {
    "void f(int, S{int; alignas(16) E})": function(None, INT, ASKED_MEMBER),
    "A32 f(A32, int)": function(ALIGNED32, ALIGNED32, INT),
    "void f(B{float} : S{int : 8}, int)": function(None, OVER_BITS, INT),
    "void f(int, E, int)": function(None, INT, EMPTY, INT),
    "void f(A16, int)": function(None, ALIGNED16, INT),
    "void f(A32, int)": function(None, ALIGNED32, INT),
    "E f(int)": function(EMPTY, INT),
    "A32 f(int)": function(ALIGNED32, INT),
    "void f(int, ...) with E, int": function(None, INT, unnamed=(EMPTY, INT)),
    "void f(int, ...) with A16, int": function(None, INT, unnamed=(ALIGNED16, INT)),
    "void f(int, ...) with G{int; ~G()}, int": function(None, INT, unnamed=(DESTROYED_INT, INT)),
    "void f(double, ...) with M{double; deleted}, double": function(None, DOUBLE, unnamed=(PINNED, DOUBLE)),
    "void f(G{int; ~G()}, int)": function(None, DESTROYED_INT, INT),
    "void f(G{double; ~G()}, double)": function(None, DESTROYED_DOUBLE, DOUBLE),
    "void f(G{double[1]; ~G()}, double)": function(None, DESTROYED_ELEMENT, DOUBLE),
    "G{int; ~G()} f(int)": function(DESTROYED_INT, INT),
    "G{int; ~G()} D::f(int)": function(DESTROYED_INT, INT, this=DYNAMIC),
    "int D::f(double)": function(INT, DOUBLE, this=DYNAMIC),
    "virtual X{3 long long} D::f(int)": function(LARGE, INT, this=DYNAMIC, virtual=True),
    "void f(X{3 long long}, int)": function(None, LARGE, INT),
    "E{}:M{moved by code} f(int)": function(MOVED_EMPTY, INT),
    "int & f(X &, int)": function(Reference(INT), Reference(LARGE), INT),
    "V{double; moved only} f(V, int)": function(MOVED, MOVED, INT),
    "M{double; deleted} f(M, int)": function(PINNED, PINNED, INT),
    "H{M} f(H)": function(HOLDER, HOLDER),
    "B{char}:B0{int} f(B)": function(INT_BASE, INT_BASE),
    "B{double}:B0{double} f(B, double)": function(DOUBLE_BASE, DOUBLE_BASE, DOUBLE),
    "B{float}:B0{float} f(B)": function(FLOAT_BASE, FLOAT_BASE),
    "B{double}:E f(B)": function(DOUBLE_OVER_EMPTY, DOUBLE_OVER_EMPTY),
    "B{3 float}:E f(B)": function(FLOATS_OVER_EMPTY, FLOATS_OVER_EMPTY),
    "S{[[no_unique_address]] E; 2 float} f(S)": function(OVERLAPPING, OVERLAPPING),
    "S{E; double} f(S, int)": function(EMPTY_MEMBER, EMPTY_MEMBER, INT),
    "void f(S{E[1]; float}, int)": function(None, EMPTY_ELEMENT, INT),
    "void f(S{double; E; int}, int)": function(None, EMPTY_BETWEEN, INT),
    "void f(int, B{int}:A16, int)": function(None, INT, ALIGNED_BASE, INT),
    "void f(int, S{[[no_unique_address]] A16; int}, int)": function(None, INT, ALIGNED_MEMBER, INT),
    "void f(union{float; E})": function(None, WITH_EMPTY),
    "void f(int, S{int; long long : 8}, int)": function(None, INT, NAMELESS, INT),
    "void (Z::*f(void (Z::*)(), int Z::*))()": function(FUNCTION_POINTER, FUNCTION_POINTER, DATA_POINTER),
    "void f(B{copied}:virtual B0{int}, int)": function(None, COPIED, INT),
    "B{copied}:virtual B0{int} f(int)": function(COPIED, INT),
    "int B{}:virtual B0{int}::f(double)": function(INT, DOUBLE, this=VIRTUAL_BASE),
    "void f(v4float, int)": function(None, FLOATS, INT),
    "v4float f(S{v4float})": function(FLOATS, struct("S", FLOATS)),
    "void f(S{v4float}:E, double)": function(None, struct("S", FLOATS, bases=(EMPTY,)), DOUBLE),
    "S{v4float}:B0{v4float} f(S)": function(FLOATS_OVER_FLOATS, FLOATS_OVER_FLOATS),
    "void f(G{v4float; ~G()}, int)": function(None, struct("G", FLOATS, specials=GONE), INT),
    "void f(T{int; ~T()} trivial_abi, int)": function(None, TRIVIAL, INT),
    "T{int; ~T()} trivial_abi f(int)": function(TRIVIAL, INT),
    "void f(H{T}, int)": function(None, struct("H", TRIVIAL), INT),
    "void f(T{int; virtual v()} trivial_abi, int)": function(None, IGNORED_VIRTUAL, INT),
    "void f(T{double; deleted} trivial_abi, int)": function(None, IGNORED_PINNED, INT),
    "void f(T{G} trivial_abi, int)": function(None, IGNORED_MEMBER, INT),
    "void f(T{double; copy deleted} trivial_abi, int)": function(None, IGNORED_COPY, INT),
    "void f(H{T[2]}, int)": function(None, struct("H", CxxArray(TRIVIAL, 2)), INT),
    "void f(S{int : 8}, int)": function(None, UNNAMED_BITS, INT),
    "void f(S{E; char}, S{E; char[8]}, long double)": function(
        None, SMALL_WITH_EMPTY, ODD_WITH_EMPTY, Scalar(Kind.LDOUBLE)
    ),
    "void f(T trivial_abi &, int)": function(None, Reference(TRIVIAL), INT),
}

NO_CALLS: dict[str, CxxPrototype] = {
    "virtual int f()": CxxPrototype("f", INT, virtual=True),
    "virtual int E::f()": function(INT, this=EMPTY, virtual=True),
    "void f(B{}:virtual B0)": function(None, VIRTUAL_BASE),
    "B{}:virtual B0 f(int)": function(VIRTUAL_BASE, INT),
}
"""Functions that C++ does not have, and calls that no program here makes."""
