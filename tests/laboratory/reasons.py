"""Why wrong models are not killed: `survivors.toml`, by family and name. Some reasons are proofs that nothing could kill them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

EQUIVALENT = "equivalent"
"""How a reason begins that proves a wrong model to be the same model; such a one does not count."""


@cache
def reasons() -> dict[str, dict[str, str]]:
    """Why wrong models survived, by family and name."""
    text = resources.files("laboratory").joinpath("survivors.toml").read_text("utf-8")
    return tomllib.loads(text)


def reason(family: str, name: str) -> str:
    """Why a wrong model survived, or an empty string; a key that ends in a star is the beginning of names."""
    known = reasons().get(family, {})
    begun = (why for key, why in known.items() if key.endswith("*") and name.startswith(key[:-1]))
    return known.get(name) or next(begun, "")


def is_proved(family: str, name: str) -> bool:
    """Return whether a wrong model is proved to be the same model, as far as any byte can show."""
    return reason(family, name).startswith(EQUIVALENT)
