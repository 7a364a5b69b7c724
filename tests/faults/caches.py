"""Every file of a warm cache is broken in every way, one at a time; the run must not notice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from .damage import BYTES
from .table import SEED, Line, digest, done

RUN = (
    *("run", "riscv64-lp64d", "--cc", "gcc-12", "--cases", "2", "--seed", "3", "--opt", "O0"),
    *("--tours", "--no-triage", "--jobs", "1"),
)


def caches(times: int, folder: Path) -> Iterator[Line]:
    """A line for each way to break a file; `times` files at most, of all sorts."""
    temporary, cache = folder / "tmp", folder / "cache"
    temporary.mkdir()

    def run(name: str) -> str:
        status = done(
            (*RUN, "--out", str(folder / name)), temporary, folder / f"{name}.txt", ABIPROBE_CACHE=str(cache)
        )
        said = (folder / f"{name}.txt").read_text("utf-8", "replace")
        return digest(folder / name) if status == 0 and "Traceback" not in said else said

    right = run("cold")
    files = {path: path.read_bytes() for path in sorted(cache.rglob("*")) if path.is_file()}
    chosen = random.Random(SEED).sample(sorted(files), min(times, len(files)))
    for way in BYTES:
        draw, line = (
            random.Random(SEED),
            Line(f"a file of a warm cache: {(way.__doc__ or '').rstrip('.').lower()}"),
        )
        for number, path in enumerate(chosen):
            path.write_bytes(way(draw, files[path]))
            line.count(survived=run(f"{way.__name__}-{number}") == right)
            path.write_bytes(files[path])
        yield line
