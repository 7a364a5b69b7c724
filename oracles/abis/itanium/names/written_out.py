"""Types of a function template with its arguments in place of its parameters, as no text has them."""

from __future__ import annotations

from typing import TypeVar, cast

import msgspec

from abiprobe.oracles.language.entities import (
    Argument,
    Builtin,
    Dependent,
    Expansion,
    Pack,
    TemplateParameter,
    Type,
)

T = TypeVar("T")


def written_out(of: T, arguments: tuple[Argument, ...]) -> T:
    """A value with these arguments in place of references to template parameters."""
    if isinstance(of, tuple):
        return cast("T", tuple(found for one in of for found in expanded(one, arguments)))
    if isinstance(of, TemplateParameter):
        return cast("T", arguments[of.index])
    if isinstance(of, Dependent) and isinstance(of.expression, TemplateParameter):
        return cast("T", arguments[of.expression.index])
    if not isinstance(of, msgspec.Struct) or isinstance(of, Builtin):
        return of
    return type(of)(**{name: written_out(getattr(of, name), arguments) for name in of.__struct_fields__})


def expanded(of: object, arguments: tuple[Argument, ...]) -> tuple[object, ...]:
    """A value among others, or all for the expansion of a pack."""
    if isinstance(of, Expansion) and isinstance(of.of, TemplateParameter):
        pack = arguments[of.of.index]
        assert isinstance(pack, Pack), "what is expanded is a pack"
        return cast("tuple[Type, ...]", pack.arguments)
    return (written_out(of, arguments),)
