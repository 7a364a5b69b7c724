"""The names of all targets and of their dialects, the readings of families among them, and their models without a cache."""

from __future__ import annotations

from collections.abc import Mapping

from abiprobe.oracles.model import AbiModel, Target, under
from abiprobe.oracles.registry import TARGETS, dialect_named
from abiprobe.oracles.text.options import LayoutOptions

SPELLINGS = tuple(one.in_dialect(name).spelling for one in TARGETS.values() for name in one.dialects)
"""Every target, and every dialect of it that is no version of a compiler."""


def made_anew(found: Mapping[str, Target], name: str, options: LayoutOptions) -> AbiModel:
    """The model behind a name among these targets, which may be wrong ones, so that nothing that is kept serves for it."""
    base, at, spelled = name.partition("@")
    target = dialect_named(found[base], spelled) if at else found[base]
    model = target.dialects[target.dialect](options)
    return model if target.policies is None else under(model, target.policies)
