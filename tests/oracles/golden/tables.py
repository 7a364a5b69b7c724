"""Classes of which the rows of `tables.tsv` have the tables, by name."""

from __future__ import annotations

from msgspec.structs import replace

from abiprobe.oracles.language.classes import (
    Access,
    Base,
    Class,
    DataMember,
    Declared,
    Destruction,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.lang import Kind, Scalar

PLAIN = Specials()
GONE = Specials(destructor=Destruction(Declared.PROVIDED, virtual=True))
INT = Scalar(Kind.INT)


def struct(
    tag: str, *bases: Base | Class, functions: str = "", fields: int = 1, specials: Specials = PLAIN
) -> Class:
    """A class with so many members of type `int`, and virtual functions of one letter each."""
    found = tuple(one if isinstance(one, Base) else Base(one) for one in bases)
    members = tuple(DataMember(INT, f"{tag.lower()}{index}") for index in range(fields))
    return Class(tag, found, members, tuple(map(VirtualFunction, functions)), specials)


def virtual(one: Class) -> Base:
    """A class as a virtual base."""
    return Base(one, virtual=True)


LEAF = struct("A", functions="fg")
SECOND = struct("B", functions="gh")
NEARLY = struct("N", functions="f", fields=0)
PURE = Class("P", virtuals=(VirtualFunction("f", pure=True), VirtualFunction("g")))
# The examples of 2.5.3 and 2.6.2.
S = struct("S", functions="f", fields=0)
T = struct("T", virtual(S), fields=0)
U = struct("U", virtual(T), fields=0)
A1, A2 = struct("A1"), struct("A2", functions="f")
V1 = struct("V1", A1, A2)
V2 = struct("V2", struct("B1"), struct("B2"), virtual(V1))
V3 = struct("V3", functions="g", fields=0)
C1, C2 = struct("C1", virtual(V1)), struct("C2", virtual(V3), virtual(V2))
C3 = struct("C3", struct("X1"))


def returning(one: Class, **results: str) -> Class:
    """A class with functions, too, that return pointers to the classes with these tags."""
    functions = (VirtualFunction(name, result=tag) for name, tag in results.items())
    return replace(one, virtuals=(*one.virtuals, *functions))


Z, B_TO_B = struct("Z", functions="f"), returning(struct("B"), g="B")
A_TO_A, M_TO_A = returning(struct("A"), f="A"), returning(struct("M", Z, struct("A")), g="A")
N_TO_N = returning(struct("N", fields=0), f="N")
GONE_H = VirtualFunction("g", deleted=True), VirtualFunction("h")
BEHIND = Specials(destructor=Destruction(Declared.PROVIDED, virtual=True, behind=1))

CLASSES: dict[str, Class] = {
    "A": LEAF,
    "A with ~A": struct("A", functions="f", specials=GONE),
    "D : A": struct("D", LEAF, functions="gk"),
    "D : A, B": struct("D", LEAF, SECOND, functions="gh"),
    "D : (A with ~A), B": struct("D", struct("A", functions="f", specials=GONE), struct("B", specials=GONE)),
    "D : private A, X": struct("D", Base(LEAF, access=Access.PRIVATE), struct("X")),
    "D : virtual A": struct("D", virtual(LEAF), functions="g"),
    "D : virtual N": struct("D", virtual(NEARLY), functions="k"),
    "D : virtual N, overriding": struct("D", virtual(NEARLY), functions="f"),
    "D : P": struct("D", PURE, functions="h"),
    "D : virtual X": struct("D", virtual(struct("X"))),
    "D : L, R (diamond)": struct(
        "D",
        struct("L", virtual(LEAF), functions="f"),
        struct("R", virtual(LEAF), functions="h"),
        functions="h",
    ),
    "D : L, R (dominance)": struct(
        "D", struct("L", virtual(LEAF)), struct("R", virtual(LEAF), functions="f")
    ),
    "D : L, R (repeated)": struct("D", struct("L", LEAF), struct("R", LEAF)),
    "T (2.5.3)": T,
    "U (2.5.3)": U,
    "W : T (2.5.3)": struct("W", T, fields=0),
    "D : Z, B, returning D": returning(struct("D", Z, B_TO_B), g="D"),
    "D : (M : Z, A, returning A), returning D": returning(struct("D", M_TO_A), g="D"),
    "D : virtual A, returning D": returning(struct("D", virtual(A_TO_A)), f="D"),
    "D : (B : virtual N), returning D": returning(struct("D", struct("B", virtual(N_TO_N))), f="D"),
    "D : Z, A, deleted": replace(struct("D", Z, replace(struct("A"), virtuals=GONE_H)), virtuals=GONE_H),
    "A with ~A behind f": struct("A", functions="fg", specials=BEHIND),
    "D (2.6.2)": struct("D", C1, C2, C3),
}
