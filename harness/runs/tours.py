"""The tours of targets, derived from their models once for each version of abiprobe and kept in the cache."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.generators import small_scope, tours
from abiprobe.generators.tours import ModeTour
from abiprobe.harness.base.cache import entry, kept
from abiprobe.harness.base.progress import counted
from abiprobe.oracles import registry
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.model import Target
from abiprobe.oracles.unmodelled.opened import with_text

_DECODER = msgspec.json.Decoder(tuple[ModeTour, ...])
SOURCES = ("*.py", "*.toml", "*.tsv")


@cache
def parts(target: Target) -> tuple[ModeTour, ...]:
    """The tour of a target, a part for each mode of its calls; deriving it takes seconds. None where there is no model."""
    target = with_text(target)
    if target.vectors or not target.modelled:
        return ()
    return kept(entry_of(target), _DECODER, lambda: derived(target))


def entry_of(target: Target) -> Path:
    """Return the entry of the cache that keeps the tour of a target."""
    return entry(Sort.TOURS, f"{with_text(target)}-{version()}.json")


def derived(target: Target) -> tuple[ModeTour, ...]:
    """Derive a tour anew."""
    model, toured = target.model(), target.toured
    found = tours.parts(model, toured)
    return tuple(counted(found, f"tour of {target}", tours.number_of_parts(model, toured)))


def questions(target: Target) -> tuple[Prototype, ...]:
    """The signatures of all modes of a target."""
    return tuple(dict.fromkeys(signature for part in parts(target) for signature in part.signatures))


@cache
def version() -> str:
    """A digest of the models, and of what derives tours and the small scope from them."""
    folders = (Path(module.__file__ or "").parent for module in (registry, tours, small_scope))
    sources = [path for folder in folders for pattern in SOURCES for path in sorted(folder.rglob(pattern))]
    sources.append(Path(__file__).with_name("small_scope.py"))
    digest = hashlib.sha256()
    for path in sources:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
