"""A target whose every question is open: whatever its text says, compilers are compared with each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Type
from abiprobe.oracles.model import AbiModel, Target, where_text
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.oracles.text.place import Assignment, Layout, Unspecified, Unsupported
from abiprobe.oracles.unmodelled import SHEET

OPEN = "open"
"""The name of the dialect."""
PROMISED = Unspecified(SHEET.cite("promise"), "two subjects are said to do the same")


@dataclass(frozen=True)
class Opened:
    """A model that decides nothing of what `text` has an answer to; what that lacks or leaves open stays as it is."""

    text: AbiModel

    @property
    def types(self) -> TypeTable:
        """See `AbiModel.types`."""
        return self.text.types

    @property
    def layouts(self) -> Unspecified:
        """See `AbiModel.layouts`."""
        return PROMISED

    def layout(self, c_type: Type) -> Layout | Unspecified | Unsupported:
        """See `AbiModel.layout`."""
        found = self.text.layout(c_type)
        return found if isinstance(found, Unsupported) else where_text(PROMISED, found)

    def assign(self, prototype: Prototype) -> Assignment | Unspecified | Unsupported:
        """See `AbiModel.assign`."""
        found = self.text.assign(prototype)
        return PROMISED if isinstance(found, Assignment) else found

    def declared(self, prototype: Prototype) -> Prototype:
        """See `AbiModel.declared`."""
        return self.text.declared(prototype)


def with_text(target: Target) -> Target:
    """Return the target whose text is behind an open one; any other target as it is."""
    return target.in_dialect("") if target.dialect == OPEN else target


def opened(target: Target, wrapped: Callable[[AbiModel], AbiModel] = Opened) -> Target:
    """Return a target with every question open; its model is that of its text, `wrapped`."""
    written = target.dialects[""]

    def model(options: LayoutOptions) -> AbiModel:
        return wrapped(written(options))

    dialects: dict[str, Callable[[LayoutOptions], AbiModel]] = {**target.dialects, OPEN: model}
    return replace(target, dialects=dialects, dialect=OPEN, version="")
