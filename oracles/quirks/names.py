"""Quirks about the names of C++ entities."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import NameHabit
from abiprobe.oracles.language.entities import (
    Builtin,
    Constant,
    Function,
    Named,
    NullPointer,
    TemplateHead,
    What,
)
from abiprobe.oracles.quirks.classes import EVERYWHERE, OF_GCC
from abiprobe.oracles.quirks.quirk import Quirk, Status

VALUE = (TemplateHead("value"),)
NULL = NullPointer(Builtin("decltype(nullptr)"))
F_OF_NULL = Function(
    Named(What.FUNCTION, "f"), (Named(What.STRUCT, "NT", None, VALUE, (NULL,)),), Builtin("void")
)
F_OF_ONE = Function(
    Named(What.FUNCTION, "f", None, VALUE, (Constant(Builtin("long"), 1),)), (), Builtin("void")
)

QUIRKS = (
    Quirk(
        name="gcc writes a null pointer argument as nullptr",
        subjects=("gcc",),
        policies={"names": frozenset({NameHabit.NULLPTR})},
        status=Status.BUG,
        reason="a template argument of type decltype(nullptr) is LDnE and not LDn0E, so that one caller does not find the function of the other",
        link="https://github.com/itanium-cxx-abi/cxx-abi/issues/206",
        since=date(2026, 11, 29),
        example="template <auto V> struct NT {}; void f(NT<nullptr>);",
        targets=OF_GCC,
        entity=F_OF_NULL,
    ),
    Quirk(
        name="clang writes the parameter before an argument that does not tell it",
        subjects=("clang>=18",),
        policies={"names": frozenset({NameHabit.DECLARED})},
        status=Status.AMBIGUOUS,
        reason="an auto parameter of a function template is written as TnDa, and that of an empty pack of values as TpTn and its type, as proposed for the text, which has no such production",
        link="https://github.com/itanium-cxx-abi/cxx-abi/issues/47",
        since=date(2026, 11, 29),
        example="template <auto V> void f(); auto *p = &f<1L>;",
        targets=EVERYWHERE,
        entity=F_OF_ONE,
    ),
    Quirk(
        name="gcc writes an auto parameter before its argument if the name is not nested",
        subjects=("gcc>=14",),
        policies={"names": frozenset({NameHabit.DECLARED_UNSCOPED})},
        status=Status.AMBIGUOUS,
        reason="TnDa, as proposed for the text, is written for function templates at global scope, and not for those of a namespace or class",
        link="https://github.com/itanium-cxx-abi/cxx-abi/issues/47",
        since=date(2026, 11, 29),
        example="template <auto V> void f(); auto *p = &f<1L>;",
        targets=OF_GCC,
        entity=F_OF_ONE,
    ),
)
