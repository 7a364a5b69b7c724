"""What a compiler can do, found out by asking it once: a small unit per feature, remembered by its digest."""

from __future__ import annotations

import hashlib
import re
import tempfile
from pathlib import Path

import msgspec

from abiprobe.harness.caching import cache_dir, remember
from abiprobe.harness.compile import Limits, compile_unit
from abiprobe.harness.toolchains.subject import Built
from abiprobe.oracles.features import SAMPLES
from abiprobe.results.record import Outcome

EVERYTHING = "way to build for this target"
"""How it begins what a compiler lacks that does not take the simplest unit; its own words follow."""
SIMPLEST = "int v;"


def lacking(built: Built, digest: str) -> frozenset[str]:
    """The features that a built subject lacks, or only `EVERYTHING`; `digest` is its program's."""
    question = "\0".join((*built.command, digest, SIMPLEST, *SAMPLES.values()))
    path = cache_dir() / "features" / hashlib.sha256(question.encode()).hexdigest()[:24]
    if path.exists():
        return frozenset(msgspec.json.decode(path.read_bytes(), type=list[str]))
    found = frozenset(ask(built))
    remember(path, msgspec.json.encode(sorted(found)))
    return found


def ask(built: Built) -> list[str]:
    """Try all features at once, and only if that fails each by itself."""
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        together = "\n".join(_apart(number, sample) for number, sample in enumerate(SAMPLES.values()))
        if _compiles(built, together, Path(folder, "all.o")):
            return []
        simplest = compile_unit(built, SIMPLEST, Path(folder, "one.o"), Limits(), 1)
        if simplest.outcome is Outcome.REFUSED:
            return [f"{EVERYTHING}: {simplest.words}"]
        return [
            name for name, sample in SAMPLES.items() if not _compiles(built, sample, Path(folder, "one.o"))
        ]


def _apart(number: int, sample: str) -> str:
    """A sample under names of its own: every identifier of one letter gets a number."""
    return re.sub(r"\b([fsv])\b", rf"\g<1>{number}", sample)


def _compiles(built: Built, text: str, output: Path) -> bool:
    return compile_unit(built, text, output, Limits(), 1).outcome is not Outcome.REFUSED
