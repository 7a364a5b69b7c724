"""Vector functions as C and C++."""

from __future__ import annotations

from abiprobe.harness.machines.render.c import declare as declare_plain
from abiprobe.harness.machines.render.c import definitions
from abiprobe.oracles.abis.vfabi.roles import is_reference
from abiprobe.oracles.language.lang import Pointer, Prototype, Record, Type, components, strip
from abiprobe.oracles.language.simd import pragma


def needs_cxx(function: Prototype) -> bool:
    """Return whether only C++ can express this."""
    return any(is_reference(c_type) for c_type in used(function))


def used(function: Prototype) -> tuple[Type, ...]:
    """The types that a function's declaration names, those that its pointers point to included."""
    found = [function.result] if function.result is not None else []
    found += [param.type for param in function.params]
    pointed = [to for c_type in found if (to := pointed_to(c_type)) is not None]
    return (*found, *pointed)


def pointed_to(c_type: Type) -> Type | None:
    """Return the type that a pointer or reference points to, if the question says so."""
    inner = strip(c_type)
    return inner.to if isinstance(inner, Pointer) else None


def declare(c_type: Type, declarator: str, suffix: str) -> str:
    """A declaration of `declarator` as `c_type`, pointers with the types they point to."""
    inner = strip(c_type)
    if isinstance(inner, Pointer) and inner.to is not None:
        return declare(inner.to, f"{'&' if inner.reference else '*'}{declarator}", suffix)
    return declare_plain(c_type, declarator, suffix)


def prototype(function: Prototype, name: str, suffix: str) -> str:
    """The prototype under another name, without pragmas and semicolon."""
    params = ", ".join(declare(param.type, param.name, suffix) for param in function.params)
    dots = ", ..." if function.variadic else ""
    call = f"{name}({params or ('' if needs_cxx(function) else 'void')}{dots})"
    return f"void {call}" if function.result is None else declare(function.result, call, suffix)


def heading(function: Prototype) -> str:
    """The pragmas and attributes in front of a function."""
    return "\n".join(pragma(simd) for simd in function.simd) + ("\n" if function.simd else "")


def type_definitions(function: Prototype, suffix: str) -> str:
    """The tags that a function's declaration uses."""
    return definitions(tuple(c_type for c_type in used(function) if has_tag(c_type)), suffix)


def has_tag(c_type: Type) -> bool:
    """Return whether a definition must stand before this type can be used."""
    return bool(components(c_type)) or isinstance(c_type, Record) or hasattr(c_type, "tag")


def declaration(function: Prototype) -> str:
    """A function with its pragmas and all the types it needs, for people."""
    body = type_definitions(function, "")
    return f"{body}\n{heading(function)}{prototype(function, function.name, '')};".strip()
