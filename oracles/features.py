"""Features: the types and extensions that not every compiler or target has, by name."""

from __future__ import annotations

from abiprobe.oracles.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Kind,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    components,
)
from abiprobe.oracles.question import Question

KINDS = {
    Kind.INT128: "__int128",
    Kind.UINT128: "__int128",
    Kind.FLOAT16: "_Float16",
    Kind.BF16: "__bf16",
    Kind.FLOAT128: "_Float128",
}

SAMPLES = {
    "__int128": "struct s { __int128 a; }; struct s f(struct s x, unsigned __int128 y) { return x; }",
    "_Float16": "_Float16 f(_Float16 x) { return x; }",
    "__bf16": "__bf16 f(__bf16 x) { return x; }",
    "_Float128": "_Float128 f(_Float128 x) { return x; }",
    "_BitInt": "_BitInt(37) f(_BitInt(37) x, unsigned _BitInt(100) y) { return x; }",
    "_Complex": "double _Complex f(float _Complex x, long double _Complex y) { return x; }",
    "_Atomic": "struct s { _Atomic(int) a; }; struct s f(struct s x) { return x; }",
    "vector": "typedef int v __attribute__((vector_size(16))); v f(v x) { return x; }",
    "empty record": "struct s { }; struct s f(struct s x) { return x; }",
    "zero-length array": "struct s { int a; int z[0]; }; struct s f(struct s x) { return x; }",
}
"""For each feature a translation unit that a compiler with the feature accepts."""


def features(question: Question) -> frozenset[str]:
    """The features that a question needs."""
    found: set[str] = set()
    for c_type in _roots(question):
        _visit(c_type, found)
    return frozenset(found)


def _roots(question: Question) -> tuple[Type, ...]:
    if isinstance(question, Prototype):
        types = (question.result, *(param.type for param in question.params), *question.unnamed)
        return tuple(c_type for c_type in types if c_type is not None)
    return (question,)


def _visit(c_type: Type, found: set[str]) -> None:
    match c_type:
        case Scalar(kind):
            if kind in KINDS:
                found.add(KINDS[kind])
        case Complex(kind):
            found.add("_Complex")
            if kind in KINDS:
                found.add(KINDS[kind])
        case Vector(kind=kind):
            found.add("vector")
            if kind in KINDS:
                found.add(KINDS[kind])
        case BitInt():
            found.add("_BitInt")
        case Atomic():
            found.add("_Atomic")
        case Array(length=0):
            found.add("zero-length array")
        case Record(members=()):
            found.add("empty record")
    for inner in components(c_type):
        _visit(inner, found)
