"""Mangled names worked out by hand from section 5.1 of the Itanium C++ ABI, without a compiler and without the model.

Text: abi.html of github.com/itanium-cxx-abi/cxx-abi at commit 1939463c9a7b4fe2c6d52386579f3ee1c08c9389 (2 December 2024).
A row: the name and the entity. The rows of `TEXT` are examples of the text itself.
"""

from __future__ import annotations

from typing import Any

from abiprobe.oracles.language.entities import (
    AnyEntity,
    Applied,
    Argument,
    ArrayOf,
    Binary,
    Builtin,
    Call,
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
    Elaborated,
    Expansion,
    Fold,
    Function,
    FunctionParameter,
    FunctionType,
    Guard,
    Initializer,
    LiteralOperator,
    Local,
    Member,
    MemberPointer,
    Named,
    New,
    NullPointer,
    OfExpression,
    Offset,
    OfType,
    Operator,
    Pack,
    PackSize,
    PointerTo,
    Qualified,
    ReferenceTo,
    Referred,
    Rethrow,
    StringLiteral,
    StructuredBinding,
    Table,
    TableKind,
    Template,
    TemplateParameter,
    Temporary,
    Thunk,
    Type,
    Unary,
    Unnamed,
    Unresolved,
    Variable,
    VendorType,
    What,
)

VOID, INT, CHAR, BOOL = Builtin("void"), Builtin("int"), Builtin("char"), Builtin("bool")
UINT, LONG, SHORT = Builtin("unsigned int"), Builtin("long"), Builtin("short")
DOUBLE, FLOAT, NULL = Builtin("double"), Builtin("float"), Builtin("decltype(nullptr)")
AUTO = Builtin("auto")
T, T0, T1 = TemplateParameter(0), TemplateParameter(1), TemplateParameter(2)
P, P0 = FunctionParameter(0), FunctionParameter(1)


def space(name: str, scope: Any = None, **more: Any) -> Named:
    """A namespace."""
    return Named(What.NAMESPACE, name, scope, **more)


def cls(name: Any, scope: Any = None, *arguments: Argument, **more: Any) -> Named:
    """A class, or with arguments a specialization."""
    return Named(What.STRUCT, name, scope, arguments=arguments or None, **more)


def enum(name: Any, scope: Any = None) -> Named:
    """An enumeration."""
    return Named(What.ENUM, name, scope)


def fn(name: Any, *params: Type, scope: Any = None, tags: tuple[str, ...] = (), **more: Any) -> Function:
    """A function that is no specialization."""
    return Function(Named(What.FUNCTION, name, scope, tags=tags), params, VOID, **more)


def tfn(
    name: Any, arguments: tuple[Argument, ...], result: Type, *params: Type, scope: Any = None, **more: Any
) -> Function:
    """A specialization of a function template."""
    return Function(Named(What.FUNCTION, name, scope, arguments=arguments), params, result, **more)


def var(
    name: Any, scope: Any = None, *arguments: Argument, tags: tuple[str, ...] = (), of: Type = INT
) -> Variable:
    """A variable."""
    return Variable(Named(What.VARIABLE, name, scope, arguments=arguments or None, tags=tags), of)


def ptr(to: Type) -> PointerTo:
    """A pointer."""
    return PointerTo(to)


def ref(to: Type) -> ReferenceTo:
    """An lvalue reference."""
    return ReferenceTo(to)


def rref(to: Type) -> ReferenceTo:
    """An rvalue reference."""
    return ReferenceTo(to, rvalue=True)


def const(base: Type) -> Qualified:
    """A const type."""
    return Qualified(base, const=True)


def num(value: int, of: Type = INT) -> Constant:
    """A constant."""
    return Constant(of, value)


def func(result: Type, *params: Type, **more: Any) -> FunctionType:
    """A function type."""
    return FunctionType(result, params, **more)


def method(name: Any, scope: Named, *params: Type, **more: Any) -> Function:
    """A member function."""
    return fn(name, *params, scope=scope, **more)


def unresolved(name: Any, **more: Any) -> Unresolved:
    """A name that is not resolved."""
    return Unresolved(name, **more)


def returning(result: Type, *params: Type) -> Function:
    """The specialization of `f` for `int` with a dependent result."""
    return tfn("f", (INT,), result, *params)


STD = space("std")
A, B, C, D, S = cls("A"), cls("B"), cls("C"), cls("D"), cls("S")
E, SE = enum("E"), enum("E", S)
N, N1 = space("N"), space("n1")
F_V, F_I, F_C = fn("f"), fn("f", INT), fn("foo", CHAR)
G_I, G_V = fn("g", INT), fn("g")
TRAITS, ALLOCATOR = cls("char_traits", STD, CHAR), cls("allocator", STD, CHAR)
STRING = cls("basic_string", STD, CHAR, TRAITS, ALLOCATOR)
TAGGED_STRING = cls("basic_string", STD, CHAR, TRAITS, ALLOCATOR, tags=("X",))
ISTREAM, OSTREAM, IOSTREAM = (
    cls(one, STD, CHAR, TRAITS) for one in ("basic_istream", "basic_ostream", "basic_iostream")
)
LOCAL_S = cls("S", Local(G_I, 4))
LOCAL_F = method("f", LOCAL_S, INT)
LAMBDA = cls(Closure(), Local(G_I))
LAMBDA_2 = cls(Closure(number=2), Local(G_I))
MEMBER_F = method("f", S, INT, INT)
LAMBDA_MEMBER = cls(Closure(), Initializer(Named(What.VARIABLE, "x", cls("S", None, INT))))
CALL = Operator("()")
F_PACK = ("f", (num(0, BOOL), Pack((INT, INT))), VOID)
TO_IS_EMPTY = Function(Named(What.C_FUNCTION, "IsEmpty"), (ptr(CHAR),), BOOL)

TEXT: tuple[tuple[str, AnyEntity], ...] = (
    ("_Z1f1AB3barB3foo", fn("f", cls("A", tags=("foo", "bar")))),
    ("_Z1fSsB1XS_", fn("f", TAGGED_STRING, TAGGED_STRING)),
    ("_ZN1BIiE2faEi", method("fa", cls("B", None, INT), INT)),
    ("_ZN1BIiE2fvEv", method("fv", cls("B", None, INT))),
    ("_ZN1BIiE2gaE1AB3foo", method("ga", cls("B", None, INT), cls("A", tags=("foo",)))),
    ("_ZN1BIiE2gvB3fooEv", method("gv", cls("B", None, INT), tags=("foo",))),
    ("_ZN3Foo1fEv", fn("f", scope=Named(What.INLINE, "Foo", tags=("Foo",)))),
    ("_Z1pB3Foo", var("p", tags=("Foo",))),
    ("_Z1gN3Foo1AE", fn("g", cls("A", Named(What.INLINE, "Foo", tags=("Foo",))))),
    ("_ZGR1bIvE_", Temporary(var("b", None, VOID))),
    ("_ZGR1bIvE0_", Temporary(var("b", None, VOID), 2)),
    ("_ZGR1bIvE1_", Temporary(var("b", None, VOID), 3)),
    ("_ZGR1bIvE2_", Temporary(var("b", None, VOID), 4)),
    (
        "_Z1fU4_farrVKPi",
        fn("f", Qualified(ptr(INT), const=True, volatile=True, restrict=True, vendor=("_far",))),
    ),
    ("_Z1fPU3AS3i", fn("f", ptr(Qualified(INT, vendor=("AS3",))))),
    ("_Z1fIiEDtfp_ET_", returning(Decltype(P, plain=True), T)),
    ("_Z1fIiEiT_", returning(INT, T)),
    ("_Z1fIiEDTnw_T_EES0_", returning(Decltype(New(T)), T)),
    ("_Z1fIiEDTnw_T_piEES0_", returning(Decltype(New(T, initial=())), T)),
    ("_Z1fIiEDTnw_T_piLi1EEES0_", returning(Decltype(New(T, initial=(num(1),))), T)),
    ("_Z1fIiEDTnw_T_ilLi1EEES0_", returning(Decltype(New(T, initial=(num(1),), braces=True)), T)),
    ("_Z1fIiEDTnwfp__T_EES0_", returning(Decltype(New(T, (P,))), T)),
    ("_Z1fIiEDTgsnw_T_EES0_", returning(Decltype(New(T, rooted=True)), T)),
    ("_Z1fIiEDTna_T_EES0_", returning(Decltype(New(T, array=True)), T)),
    ("_Z1fIiEDTqufp_fp_trET_", returning(Decltype(Conditional(P, P, Rethrow())), T)),
    ("_Z1fIiEDTcl1gfp_EET_", returning(Decltype(Call(unresolved("g"), (P,))), T)),
    ("_Z1fN1SUt_E", fn("f", cls(Unnamed(), S))),
    ("_ZN1S1xE", var("x", S)),
    (
        "_Z3fooILi2EEvRAplT_Li1E_i",
        tfn("foo", (num(2),), VOID, ref(ArrayOf(INT, Binary("+", T, num(1))))),
    ),
    ("_Z1fM1AKFvvRE", fn("f", MemberPointer(A, func(VOID, const=True, ref="&")))),
    ("_Z1fIiEvT_", tfn("f", (INT,), VOID, T)),
    ("_Z1fIiEvPiPT_S2_", tfn("f", (INT,), VOID, ptr(INT), ptr(T), ptr(T))),
    ("_ZN1AIiE1fIfEEviT_", tfn("f", (FLOAT,), VOID, INT, T, scope=cls("A", None, INT))),
    (
        "_Z1fIiEvT_PDtfL0pK_E",
        tfn("f", (INT,), VOID, T, ptr(Decltype(FunctionParameter(0, 1, const=True), plain=True))),
    ),
    ("_Z1fIiiEvN1AIT0_E1XE", tfn("f", (INT, INT), VOID, cls("X", cls("A", None, T0)))),
    (
        "_Z1fIiiLi1EEv1BIXdvplT1_Li1ELi2EEE",
        tfn(
            "f",
            (INT, INT, num(1)),
            VOID,
            cls("B", None, Dependent(Binary("/", Binary("+", T1, num(1)), num(2)))),
        ),
    ),
    ("_Z1fIiEv2S1IT_Li16EE", tfn("f", (INT,), VOID, cls("S1", None, T, num(16)))),
    ("_Z1fIiEv2S2IT_Lm16EE", tfn("f", (INT,), VOID, cls("S2", None, T, num(16, Builtin("unsigned long"))))),
    (
        "_Z1fIiEv2S2IT_XstPS1_EE",
        tfn("f", (INT,), VOID, cls("S2", None, T, Dependent(OfType("sizeof", ptr(T))))),
    ),
    ("_Z1f1AILln42EE", fn("f", cls("A", None, num(-42, LONG)))),
    ("_Z1f1AILPi0EE", fn("f", cls("A", None, NullPointer(ptr(INT))))),
    ("_Z1f1AILDn0EE", fn("f", cls("A", None, NullPointer(NULL)))),
    ("_Z3fooc", F_C),
    ("_Z1f2CBIL_Z3foocEE", fn("f", cls("CB", None, Referred(F_C)))),
    ("_Z1f2CBIL_Z7IsEmptyEE", fn("f", cls("CB", None, Referred(TO_IS_EMPTY)))),
    ("IsEmpty", TO_IS_EMPTY),
    ("_Z1fIiEDtptfp_1xET_", returning(Decltype(Member(P, unresolved("x"), arrow=True), plain=True), T)),
    (
        "_Z1fIiEDtptfp_gssr1A1BE1xET_",
        returning(
            Decltype(
                Member(P, unresolved("x", levels=(("A", None), ("B", None)), rooted=True), arrow=True),
                plain=True,
            ),
            T,
        ),
    ),
    (
        "_Z1fIiENDtptfp_1xE1YET_",
        returning(cls("Y", Decltype(Member(P, unresolved("x"), arrow=True), plain=True)), T),
    ),
    (
        "_Z1fIiEDTpldtfp_1xdtL_Z1qE1xET_",
        returning(
            Decltype(Binary("+", Member(P, unresolved("x")), Member(Referred(var("q")), unresolved("x")))), T
        ),
    ),
    (
        "_Z1fIiEDTpldtfp_1xsr1QE1xET_",
        returning(
            Decltype(Binary("+", Member(P, unresolved("x")), unresolved("x", levels=(("Q", None),)))), T
        ),
    ),
    (
        "_Z1fIiEDTplfp_dtL_Z1dEsr1B1XIT_EE1xES0_",
        returning(
            Decltype(
                Binary("+", P, Member(Referred(var("d")), unresolved("x", levels=(("B", None), ("X", (T,))))))
            ),
            T,
        ),
    ),
    (
        "_Z1fIiEDTadsrT_onmiES0_",
        returning(Decltype(Unary("&", unresolved(Operator("-"), within=T))), T),
    ),
    ("_ZZ1giEN1S1fE_2i", LOCAL_F),
    ("_ZZZ1giEN1S1fE_2iENUt1_2fxEv", method("fx", cls(Unnamed(3), Local(LOCAL_F)))),
    ("_ZZ1gvEN1SC1Ev", method(Constructor(), cls("S", Local(G_V)))),
    ("_ZZ1gvE5str4a", var("str4a", Local(G_V))),
    ("_ZZ1giENKUlvE_clEv", method(CALL, LAMBDA, const=True)),
    ("_ZZ1giENKUlvE0_clEv", method(CALL, LAMBDA_2, const=True)),
    ("_Z4algoIZ1giEUlvE0_EiT_", tfn("algo", (LAMBDA_2,), INT, T)),
    ("_ZZN1S1fEiiEd0_NKUlvE_clEv", method(CALL, cls(Closure(), Local(MEMBER_F, 1, 1)), const=True)),
    ("_ZZN1S1fEiiEd0_NKUlvE0_clEv", method(CALL, cls(Closure(number=2), Local(MEMBER_F, 1, 1)), const=True)),
    ("_ZZN1S1fEiiEd_NKUlvE_clEv", method(CALL, cls(Closure(), Local(MEMBER_F, 1, 0)), const=True)),
    ("_ZNK1SIiE1xMUlvE_clEv", method(CALL, LAMBDA_MEMBER, const=True)),
    (
        "_ZZZ1fILb0EJiiEEvvENKUlvE0_clEvE1n",
        var("n", Local(method(CALL, cls(Closure(number=2), Local(tfn(*F_PACK))), const=True))),
    ),
    (
        "_ZZZ1fILb1EJiEEvvENKUlvE1_clEvE1n",
        var(
            "n",
            Local(
                method(
                    CALL,
                    cls(Closure(number=3), Local(tfn("f", (num(1, BOOL), Pack((INT,))), VOID))),
                    const=True,
                )
            ),
        ),
    ),
    (
        "_ZZZ1hvENKUlvE0_clEvE1n",
        var("n", Local(method(CALL, cls(Closure(number=2), Local(fn("h"))), const=True))),
    ),
    ("_Z1fPFvvEM1SFvvE", fn("f", ptr(func(VOID)), MemberPointer(S, func(VOID)))),
    ("_ZSt5state", var("state", STD)),
    ("_ZNSt3_In4wardE", var("ward", cls("_In", STD))),
)


def one(code: str, of: Type) -> tuple[str, AnyEntity]:
    """The row of a function with one parameter."""
    return f"_Z1f{code}", fn("f", of)


BUILTINS = {
    "void": "v", "wchar_t": "w", "bool": "b", "char": "c", "signed char": "a", "unsigned char": "h", "short": "s",
    "unsigned short": "t", "int": "i", "unsigned int": "j", "long": "l", "unsigned long": "m", "long long": "x",
    "unsigned long long": "y", "__int128": "n", "unsigned __int128": "o", "float": "f", "double": "d",
    "long double": "e", "__float128": "g", "_Float16": "DF16_", "_Float32": "DF32_", "_Float64x": "DF64x",
    "std::bfloat16_t": "DF16b", "_BitInt(7)": "DB7_", "unsigned _BitInt(130)": "DU130_", "char32_t": "Di",
    "char16_t": "Ds", "char8_t": "Du", "decltype(nullptr)": "Dn", "half": "Dh", "std::decimal::decimal64": "Dd",
}  # fmt: skip
OPERATORS = {
    "new": "nw", "new[]": "na", "delete": "dl", "delete[]": "da", "~": "co", "+": "pl", "-": "mi", "*": "ml",
    "/": "dv", "%": "rm", "&": "an", "|": "or", "^": "eo", "=": "aS", "+=": "pL", "-=": "mI", "*=": "mL", "/=": "dV",
    "%=": "rM", "&=": "aN", "|=": "oR", "^=": "eO", "<<": "ls", ">>": "rs", "<<=": "lS", ">>=": "rS", "==": "eq",
    "!=": "ne", "<": "lt", ">": "gt", "<=": "le", ">=": "ge", "<=>": "ss", "!": "nt", "&&": "aa", "||": "oo",
    "++": "pp", "--": "mm", ",": "cm", "->*": "pm", "->": "pt", "()": "cl", "[]": "ix", "co_await": "aw",
}  # fmt: skip
A_I, A_T = cls("A", None, INT), cls("A", None, T)
N_A, N_N_A = cls("A", N), cls("A", space("M", N))
VECTOR_INT, VECTOR_CHAR = cls("vector", STD, INT), cls("vector", STD, CHAR)
VIRTUAL = method("f", C)

WORKED_OUT: tuple[tuple[str, AnyEntity], ...] = (
    *(one(code, Builtin(spelling)) for spelling, code in BUILTINS.items() if spelling != "void"),
    *((f"_ZN1A{code}E1B", method(Operator(symbol), A, B)) for symbol, code in OPERATORS.items()),
    *(
        (f"_Z{code}1A", fn(Operator(symbol, unary=True), A))
        for symbol, code in (("+", "ps"), ("-", "ng"), ("&", "ad"), ("*", "de"))
    ),
    # Names and scopes.
    ("_Z1fv", F_V),
    ("x", var("x")),
    ("_ZN1N1xE", var("x", N)),
    ("_ZN1N1fEv", fn("f", scope=N)),
    ("_ZN1N1M1fEv", fn("f", scope=space("M", N))),
    ("_ZSt1fv", fn("f", scope=STD)),
    ("_ZN1A1fEv", method("f", A)),
    ("_ZNK1A1fEv", method("f", A, const=True)),
    ("_ZNVK1A1fEv", method("f", A, const=True, volatile=True)),
    ("_ZNKR1A1fEv", method("f", A, const=True, ref="&")),
    ("_ZNO1A1fEv", method("f", A, ref="&&")),
    ("_ZN1N1A1fES0_", method("f", N_A, N_A)),
    ("_ZN1N1A1fEPKS0_", method("f", N_A, ptr(const(N_A)))),
    ("_Z1fN1N1AES0_", fn("f", N_A, N_A)),
    ("_Z1fN1N1M1AENS_1AE", fn("f", N_N_A, N_A)),
    ("_Z1fN1N1AENS_1M1AE", fn("f", N_A, N_N_A)),
    ("_ZN1N1fENS_1AE", fn("f", N_A, scope=N)),
    ("_Z10f123456789v", fn("f123456789")),
    ("_ZN1AC1Ev", method(Constructor(1), A)),
    ("_ZN1AC2ERKS_", method(Constructor(2), A, ref(const(A)))),
    ("_ZN1AC1EOS_", method(Constructor(1), A, rref(A))),
    ("_ZN1ACI11BEi", method(Constructor(1, B), A, INT)),
    ("_ZN1ACI21BEi", method(Constructor(2, B), A, INT)),
    ("_ZN1AD0Ev", method(Destructor(0), A)),
    ("_ZN1AD1Ev", method(Destructor(1), A)),
    ("_ZN1AD2Ev", method(Destructor(2), A)),
    ("_ZN1AC1IiEET_", tfn(Constructor(1), (INT,), VOID, T, scope=A)),
    ("_ZN1AcviEv", method(Conversion(INT), A)),
    ("_ZNK1AcvPKcEv", method(Conversion(ptr(const(CHAR))), A, const=True)),
    ("_ZN1AcvPS_Ev", method(Conversion(ptr(A)), A)),
    ("_ZN1AcvT_IiEEv", tfn(Conversion(T), (INT,), T, scope=A)),
    ("_Zli3_kmy", fn(LiteralOperator("_km"), Builtin("unsigned long long"))),
    ("_ZDC1a1bE", var(StructuredBinding(("a", "b")))),
    ("_ZN1NDC1a1bEE", var(StructuredBinding(("a", "b")), N)),
    # Types.
    one("z", Builtin("...")),
    ("_Z1fiz", fn("f", INT, variadic=True)),
    ("_Z1fz", fn("f", variadic=True)),
    one("Pi", ptr(INT)),
    one("PKi", ptr(const(INT))),
    one("PVi", ptr(Qualified(INT, volatile=True))),
    one("PVKi", ptr(Qualified(INT, const=True, volatile=True))),
    one("PrPi", ptr(Qualified(ptr(INT), restrict=True))),
    one("PU1aU1bi", ptr(Qualified(Qualified(INT, vendor=("b",)), vendor=("a",)))),
    one("PU1bU1ai", ptr(Qualified(INT, vendor=("a", "b")))),
    one("RKi", ref(const(INT))),
    one("OA3_i", rref(ArrayOf(INT, 3))),
    one("RA_i", ref(ArrayOf(INT))),
    one("RA2_A3_Ki", ref(ArrayOf(ArrayOf(const(INT), 3), 2))),
    one("Cd", ComplexOf(DOUBLE)),
    one("PFivE", ptr(func(INT))),
    one("PFvizE", ptr(func(VOID, INT, variadic=True))),
    one("PDoFvvE", ptr(func(VOID, noexcept=True))),
    one("M1AKDoFvvOE", MemberPointer(A, func(VOID, const=True, ref="&&", noexcept=True))),
    one("M1Ai", MemberPointer(A, INT)),
    one("M1AKi", MemberPointer(A, const(INT))),
    one("M1AS_", MemberPointer(A, A)),
    one("M1AFS_S_E", MemberPointer(A, func(A, A))),
    one("M1AM1Bi", MemberPointer(A, MemberPointer(B, INT))),
    one("PFvPFvvEE", ptr(func(VOID, ptr(func(VOID))))),
    one("u5__vec", VendorType("__vec")),
    ("_Z1fu5__vecS_", fn("f", VendorType("__vec"), VendorType("__vec"))),
    # Substitutions.
    ("_Z1fPiS_", fn("f", ptr(INT), ptr(INT))),
    ("_Z1fPiPS_S0_", fn("f", ptr(INT), ptr(ptr(INT)), ptr(ptr(INT)))),
    ("_Z1fPKiS0_S_", fn("f", ptr(const(INT)), ptr(const(INT)), const(INT))),
    ("_Z1fPKiPVKi", fn("f", ptr(const(INT)), ptr(Qualified(INT, const=True, volatile=True)))),
    ("_Z1f1A1BS_S0_", fn("f", A, B, A, B)),
    ("_Z1fP1ARS_OS_PKS_", fn("f", ptr(A), ref(A), rref(A), ptr(const(A)))),
    ("_Z1fPFvvES0_S_", fn("f", ptr(func(VOID)), ptr(func(VOID)), func(VOID))),
    ("_Z1fM1AFvvES1_", fn("f", MemberPointer(A, func(VOID)), MemberPointer(A, func(VOID)))),
    ("_Z1fM1AFvvEM1BFvvE", fn("f", MemberPointer(A, func(VOID)), MemberPointer(B, func(VOID)))),
    ("_Z1fRA3_iS0_", fn("f", ref(ArrayOf(INT, 3)), ref(ArrayOf(INT, 3)))),
    ("_Z1fPDoFvvEPFvvE", fn("f", ptr(func(VOID, noexcept=True)), ptr(func(VOID)))),
    ("_Z1fDnDn", fn("f", NULL, NULL)),
    (
        ("_Z1fPiS_PlPmPsPtPxPyPfPdPePbPcPaPhPwPDiPDsPDuPnPoPgPDF16_PDnPDF32_PDF64_PDF64xPDB7_PDB8_PDB9_PDB10_PDB11_"
        "PDB12_PDB13_PDB14_PDB15_PDB16_PDB17_PDB18_SZ_S10_"),
        fn(
            "f",
            *map(
                ptr,
                (
                    *(INT, INT, LONG, *map(Builtin, ("unsigned long", "short", "unsigned short", "long long"))),
                    *map(Builtin, ("unsigned long long", "float", "double", "long double", "bool", "char")),
                    *map(Builtin, ("signed char", "unsigned char", "wchar_t", "char32_t", "char16_t", "char8_t")),
                    *map(Builtin, ("__int128", "unsigned __int128", "__float128", "_Float16", "decltype(nullptr)")),
                    *map(Builtin, ("_Float32", "_Float64", "_Float64x")),
                    *(Builtin(f"_BitInt({width})") for width in (*range(7, 19), 17, 18)),
                ),
            ),
        ),
    ),
    # Templates.
    one("1AIiE", A_I),
    ("_Z1f1AIiES0_", fn("f", A_I, A_I)),
    ("_Z1f1AIiES_IcE", fn("f", A_I, cls("A", None, CHAR))),
    ("_Z1f1AIS_IiEE", fn("f", cls("A", None, A_I))),
    ("_Z1fN1N1AIiEENS0_IcEE", fn("f", cls("A", N, INT), cls("A", N, CHAR))),
    ("_Z1fN1AIiE1BIcEE", fn("f", cls("B", A_I, CHAR))),
    ("_Z1fN1AIiE1BENS_IcE1BE", fn("f", cls("B", A_I), cls("B", cls("A", None, CHAR)))),
    ("_ZN1AIiE1fEv", method("f", A_I)),
    ("_ZN1AIiEC1ERKS0_", method(Constructor(1), A_I, ref(const(A_I)))),
    ("_ZN1AIiED1Ev", method(Destructor(1), A_I)),
    ("_Z1fIiEvv", tfn("f", (INT,), VOID)),
    ("_Z1fIicEvT0_T_S0_", tfn("f", (INT, CHAR), VOID, T0, T, T0)),
    ("_Z1fIiET_S0_", tfn("f", (INT,), T, T)),
    ("_Z1fIiE1AIT_ES2_", tfn("f", (INT,), A_T, A_T)),
    ("_ZN1N1fIiEEvT_", tfn("f", (INT,), VOID, T, scope=N)),
    ("_ZN1A1fIiEEvT_S1_", tfn("f", (INT,), VOID, T, T, scope=A)),
    ("_ZNK1A1fIiEEvv", tfn("f", (INT,), VOID, scope=A, const=True)),
    ("_ZStlsIcEvT_", tfn(Operator("<<"), (CHAR,), VOID, T, scope=STD)),
    ("_Z1fIJiiEEvDpT_", tfn("f", (Pack((INT, INT)),), VOID, Expansion(T))),
    ("_Z1fIJEEvDpT_", tfn("f", (Pack(),), VOID, Expansion(T))),
    ("_Z1fIJicEEv1AIJDpT_EE", tfn("f", (Pack((INT, CHAR)),), VOID, cls("A", None, Pack((Expansion(T),))))),
    ("_Z1fIJiEEvDpPT_", tfn("f", (Pack((INT,)),), VOID, Expansion(ptr(T)))),
    ("_Z1fI1AEvT_IiE", tfn("f", (Template(A),), VOID, Applied(T, (INT,)))),
    ("_Z1fI1AEvT_IiES1_IcE", tfn("f", (Template(A),), VOID, Applied(T, (INT,)), Applied(T, (CHAR,)))),
    ("_Z1fIN1N1AEEvv", tfn("f", (Template(N_A),), VOID)),
    ("_Z1f1BI1AES_IiE", fn("f", cls("B", None, Template(A)), cls("B", None, INT))),
    ("_Z1fI1AEvN1BIT_E1XE", tfn("f", (A,), VOID, cls("X", cls("B", None, T)))),
    ("_Z1fI1AEvNT_1XES2_", tfn("f", (A,), VOID, cls("X", T), cls("X", T))),
    ("_Z1fI1AEvNT_1XE1BIS1_E", tfn("f", (A,), VOID, cls("X", T), cls("B", None, T))),
    ("_Z1fI1AEvTsNT_1XE", tfn("f", (A,), VOID, Elaborated("struct", cls("X", T)))),
    ("_Z1fI1AEvTeNT_1XE", tfn("f", (A,), VOID, Elaborated("enum", cls("X", T)))),
    ("_ZN1A1xIiEE", var("x", A, INT)),
    ("_Z1xIiE", var("x", None, INT)),
    ("_ZN1N1xIiEE", var("x", N, INT)),
    # Template arguments.
    one("1AILi3EE", cls("A", None, num(3))),
    one("1AILin3EE", cls("A", None, num(-3))),
    one("1AILb1EE", cls("A", None, num(1, BOOL))),
    one("1AILc97EE", cls("A", None, num(97, CHAR))),
    one("1AIL1E1EE", cls("A", None, num(1, E))),
    one("1AILN1S1EE0EE", cls("A", None, num(0, SE))),
    ("_Z1f1AILN1S1EE0EES0_", fn("f", cls("A", None, num(0, SE)), S)),
    one("1AIXadL_Z1gvEEE", cls("A", None, Referred(G_V, address=True))),
    one("1AIXadL_Z1xEEE", cls("A", None, Referred(var("x"), address=True))),
    one("1AIL_ZN1N1xEEE", cls("A", None, Referred(var("x", N)))),
    one("1AIXadL_ZN1S1fEvEEE", cls("A", None, Referred(method("f", S), address=True))),
    one("1AIXadL_ZN1S1mEEEE", cls("A", None, Referred(var("m", S), address=True))),
    ("_Z1f1AIL_Z1g1BEES0_", fn("f", cls("A", None, Referred(fn("g", B))), B)),
    one("1AILM1Si0EE", cls("A", None, NullPointer(MemberPointer(S, INT)))),
    one("1AILPFvvE0EE", cls("A", None, NullPointer(ptr(func(VOID))))),
    one("1AILf3f800000EE", cls("A", None, Constant(FLOAT, "3f800000"))),
    one("1AIiLi1EE", cls("A", None, INT, num(1))),
    # Expressions.
    ("_Z1fILi1EEvRAT__i", tfn("f", (num(1),), VOID, ref(ArrayOf(INT, T)))),
    ("_Z1fILi1EEv1AIXngT_EE", tfn("f", (num(1),), VOID, cls("A", None, Dependent(Unary("-", T))))),
    ("_Z1fILi1EEv1AIXquT_Li1ELi2EEE", tfn("f", (num(1),), VOID, cls("A", None, Dependent(Conditional(T, num(1), num(2)))))),
    ("_Z1fIiEv1AIXstT_EE", tfn("f", (INT,), VOID, cls("A", None, Dependent(OfType("sizeof", T))))),
    ("_Z1fIiEv1AIXatT_EE", tfn("f", (INT,), VOID, cls("A", None, Dependent(OfType("alignof", T))))),
    ("_Z1fIJiEEv1AIXsZT_EE", tfn("f", (Pack((INT,)),), VOID, cls("A", None, Dependent(PackSize(T))))),
    ("_Z1fIJiEEv1AIXfrplT_EE", tfn("f", (Pack((INT,)),), VOID, cls("A", None, Dependent(Fold("+", T))))),
    ("_Z1fIJiEEv1AIXflplT_EE", tfn("f", (Pack((INT,)),), VOID, cls("A", None, Dependent(Fold("+", T, left=True))))),
    (
        "_Z1fIJiEEv1AIXfLplLi0ET_EE",
        tfn("f", (Pack((INT,)),), VOID, cls("A", None, Dependent(Fold("+", T, left=True, initial=num(0))))),
    ),
    (
        "_Z1fIJiEEv1AIXfRplT_Li0EEE",
        tfn("f", (Pack((INT,)),), VOID, cls("A", None, Dependent(Fold("+", T, initial=num(0))))),
    ),
    ("_Z1fIiEDTplfp_fp0_ET_S1_", returning(Decltype(Binary("+", P, P0)), T, T)),
    ("_ZN1A1fIiEEDTptfpT1xET_", tfn("f", (INT,), Decltype(Member(FunctionParameter(None), unresolved("x"), arrow=True)), T, scope=A)),
    ("_Z1fIiEDTscT_fp_ES0_", returning(Decltype(Cast("static_cast", T, P)), T)),
    ("_Z1fIiEDTcvT_fp_ES0_", returning(Decltype(Construction(T, (P,))), T)),
    ("_Z1fIiEDTcvT__EES0_", returning(Decltype(Construction(T)), T)),
    ("_Z1fIiEDTtlT_fp_EES0_", returning(Decltype(Construction(T, (P,), braces=True)), T)),
    ("_Z1fIiEDTpp_fp_ET_", returning(Decltype(Unary("++", P)), T)),
    ("_Z1fIiEDTppfp_ET_", returning(Decltype(Unary("++", P, postfix=True)), T)),
    ("_Z1fIiEDTixfp_Li0EET_", returning(Decltype(Binary("[]", P, num(0))), T)),
    ("_Z1fIiEDTcldtfp_1xEET_", returning(Decltype(Call(Member(P, unresolved("x")))), T)),
    ("_Z1fIiEDTcl1gIT_Efp_EES0_", returning(Decltype(Call(unresolved("g", arguments=(T,)), (P,))), T)),
    ("_Z1fIiEDTcp1gfp_EET_", returning(Decltype(Call(unresolved("g"), (P,), parenthesized=True)), T)),
    ("_Z1fIiEDTclfp_LDnEEET_", returning(Decltype(Call(P, (NullPointer(NULL, literal=True),))), T)),
    ("_Z1fIiEDTcl1gLA4_KwEEEv", returning(Decltype(Call(unresolved("g"), (StringLiteral(ArrayOf(const(Builtin("wchar_t")), 4)),))))),
    ("_Z1fIiEDTnxfp_ET_", returning(Decltype(OfExpression("noexcept", P)), T)),
    ("_Z1fIiEDtsrT_1xES0_", returning(Decltype(unresolved("x", within=T), plain=True), T)),
    ("_Z1fIiEDtsrNT_1XE1yES0_", returning(Decltype(unresolved("y", within=T, levels=(("X", None),)), plain=True), T)),
    ("_Z1fIJiEEDTcl1gspfp_EEDpT_", tfn("f", (Pack((INT,)),), Decltype(Call(unresolved("g"), (Expansion(P),))), Expansion(T))),
    ("_Z1fILb1EEvPDOT_EFvvE", tfn("f", (num(1, BOOL),), VOID, ptr(FunctionType(VOID, noexcept=T)))),
    # Abbreviations.
    one("Ss", STRING),
    one("Si", ISTREAM),
    one("So", OSTREAM),
    one("Sd", IOSTREAM),
    one("SaIcE", ALLOCATOR),
    one("SbIwE", cls("basic_string", STD, Builtin("wchar_t"))),
    one("St11char_traitsIcE", TRAITS),
    ("_Z1fRKSsS0_", fn("f", ref(const(STRING)), ref(const(STRING)))),
    ("_ZNKSs4sizeEv", method("size", STRING, const=True)),
    ("_ZNSsC1ERKSs", method(Constructor(1), STRING, ref(const(STRING)))),
    ("_ZNSaIcEC1Ev", method(Constructor(1), ALLOCATOR)),
    ("_Z1fSt6vectorIiES_IcE", fn("f", VECTOR_INT, VECTOR_CHAR)),
    ("_ZNSt6vectorIiE1fERKS0_", method("f", VECTOR_INT, ref(const(VECTOR_INT)))),
    ("_Z1fSt1AS_", fn("f", cls("A", STD), cls("A", STD))),
    ("_Z1fNSt1M1AE", fn("f", cls("A", space("M", STD)))),
    ("_Z1fNSt3__112basic_stringIcEE", fn("f", cls("basic_string", Named(What.INLINE, "__1", STD), CHAR))),
    ("_ZSt1fI1AEvT_", tfn("f", (A,), VOID, T, scope=STD)),
    one("1AISaE", cls("A", None, Template(cls("allocator", STD)))),
    # Local entities.
    ("_ZZ1gvE1x", var("x", Local(G_V))),
    ("_ZZ1gvE1x_0", var("x", Local(G_V, 2))),
    ("_ZZ1gvE1x_9", var("x", Local(G_V, 11))),
    ("_ZZ1gvE1x__10_", var("x", Local(G_V, 12))),
    ("_ZZN1A1fEvE1x", var("x", Local(method("f", A)))),
    ("_ZZN1AC1EvE1x", var("x", Local(method(Constructor(2), A)))),
    ("_ZZN1AD1EvE1x", var("x", Local(method(Destructor(0), A)))),
    ("_ZZ1fIiEvT_E1x", var("x", Local(tfn("f", (INT,), VOID, T)))),
    ("_ZZ1gvEN1S1fEPS_", method("f", cls("S", Local(G_V)), ptr(cls("S", Local(G_V))))),
    ("_Z1fIZ1gvE1SEvT_", tfn("f", (cls("S", Local(G_V)),), VOID, T)),
    ("_Z1fIZ1gvEUt_EvT_", tfn("f", (cls(Unnamed(), Local(G_V)),), VOID, T)),
    ("_ZZ1gvENKUlicE_clEic", method(CALL, cls(Closure((INT, CHAR)), Local(G_V)), INT, CHAR, const=True)),
    ("_ZZ1gvENKUlzE_clEz", method(CALL, cls(Closure((), variadic=True), Local(G_V)), variadic=True, const=True)),
    (
        "_ZZ1gvENKUlT_E_clIiEEDaS_",
        tfn(CALL, (INT,), AUTO, T, scope=cls(Closure((T,)), Local(G_V)), const=True),
    ),
    ("_ZZ1gvENUlvE_clEv", method(CALL, cls(Closure(), Local(G_V)))),
    ("_ZNK1xMUlvE_clEv", method(CALL, cls(Closure(), Initializer(Named(What.VARIABLE, "x"))), const=True)),
    ("_Z1fN1SIiE1xMUlvE_ENS1_UlvE0_E", fn("f", LAMBDA_MEMBER, cls(Closure(number=2), LAMBDA_MEMBER.scope))),
    # Special entities.
    ("_ZTV1A", Table(TableKind.VIRTUAL_TABLE, A)),
    ("_ZTT1A", Table(TableKind.VTT, A)),
    ("_ZTI1A", Table(TableKind.TYPE_INFO, A)),
    ("_ZTS1A", Table(TableKind.TYPE_NAME, A)),
    ("_ZTVN1N1AE", Table(TableKind.VIRTUAL_TABLE, N_A)),
    ("_ZTVN1N1AIiEE", Table(TableKind.VIRTUAL_TABLE, cls("A", N, INT))),
    ("_ZTISt9exception", Table(TableKind.TYPE_INFO, cls("exception", STD))),
    ("_ZTIPKi", Table(TableKind.TYPE_INFO, ptr(const(INT)))),
    ("_ZTIFvvE", Table(TableKind.TYPE_INFO, func(VOID))),
    ("_ZTSM1AFvvE", Table(TableKind.TYPE_NAME, MemberPointer(A, func(VOID)))),
    ("_ZTVZ1gvE1S", Table(TableKind.VIRTUAL_TABLE, cls("S", Local(G_V)))),
    ("_ZGV1x", Guard(var("x"))),
    ("_ZGVN1A1xE", Guard(var("x", A))),
    ("_ZGVZ1gvE1x", Guard(var("x", Local(G_V)))),
    ("_ZGVZ1gvE1x_0", Guard(var("x", Local(G_V, 2)))),
    ("_ZGV1xIiE", Guard(var("x", None, INT))),
    ("_ZGR1x_", Temporary(var("x"))),
    ("_ZGRN1N1xE0_", Temporary(var("x", N), 2)),
    ("_ZThn8_N1C1fEv", Thunk(Offset(-8), VIRTUAL)),
    ("_ZTh16_N1C1fEv", Thunk(Offset(16), VIRTUAL)),
    ("_ZTv0_n24_N1C1fEv", Thunk(Offset(0, -24), VIRTUAL)),
    ("_ZTchn8_h8_N1C1fEv", Thunk(Offset(-8), VIRTUAL, Offset(8))),
    ("_ZTch0_v0_n24_N1C1fEv", Thunk(Offset(0), VIRTUAL, Offset(0, -24))),
    ("_ZTcv0_n32_h8_N1C1fEv", Thunk(Offset(0, -32), VIRTUAL, Offset(8))),
)  # fmt: skip
ROWS = TEXT + WORKED_OUT
UNNAMED_SPACE = Named(What.NAMESPACE, Unnamed())
SILENT: tuple[tuple[str, AnyEntity], ...] = (
    ("name.unnamed-namespace", fn("f", scope=UNNAMED_SPACE)),
    ("name.unnamed-namespace", fn("f", scope=Named(What.INLINE, Unnamed(), N))),
    ("name.unnamed-elsewhere", fn("f", cls(Unnamed()))),
    ("name.unnamed-elsewhere", fn("f", cls(Unnamed(), N))),
    ("name.unnamed-elsewhere", fn("f", cls(Unnamed(), Named(What.INLINE, "v1", N)))),
    ("name.closure-elsewhere", method(CALL, cls(Closure()))),
    ("name.closure-elsewhere", method(CALL, cls(Closure(), N))),
    ("name.closure-elsewhere", method(CALL, cls(Closure(), Named(What.INLINE, "v1", N)))),
)
"""Entities that the text gives no name, and the clause that says nothing."""
BY_FAMILIES: tuple[tuple[str, AnyEntity], ...] = (
    ("_ZN12_GLOBAL__N_11fEv", fn("f", scope=UNNAMED_SPACE)),
    ("_ZN1N12_GLOBAL__N_11fEv", fn("f", scope=Named(What.NAMESPACE, Unnamed(), N))),
)
"""Those that gcc and clang name alike."""
BLAMED: tuple[tuple[str, str, str], ...] = (
    ("_Z1fi", "f", "name.mangled"),
    ("_Z1fi", "_Z1gi", "name.source"),
    ("_Z1fi", "_Z1fj", "name.builtin"),
    ("_Z1fi", "_Z1fii", "name.builtin"),
    ("_Z1fv", "_Z1f", "name.parameters"),
    ("_Z1fz", "_Z1fv", "name.parameters"),
    ("_Z1f1AILDn0EE", "_Z1f1AILDnEE", "name.null"),
    ("_Z1fIiEDTclfp_LDnEEET_", "_Z1fIiEDTclfp_LDn0EEET_", "name.nullptr"),
    ("_ZThn8_N1C1fEv", "_ZThn16_N1C1fEv", "name.thunk"),
    ("_ZTchn8_h8_N1C1fEv", "_ZThn8_N1C1fEv", "name.covariant"),
    ("_Z1fPiS_", "_Z1fPiPi", "name.substitution"),
    ("_Z1f1AILf3f800000EE", "_Z1f1AILf0000803fEE", "name.float"),
    ("_ZNK1A1fEv", "_ZN1A1fEv", "name.nested-qualifiers"),
    ("_ZN1AC1Ev", "_ZN1AC4Ev", "name.constructor"),
    ("_ZZ1gvE1x_0", "_ZZ1gvE1x_1", "name.discriminator"),
)
"""The name of a row, another one that a compiler writes, and the clause of the first piece that differs."""
