"""Digests of the tools behind an observation, other than the subject: an answer is remembered as long as they are the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.machines.executors.executor import Executor
from abiprobe.harness.machines.runtime.build import Trusted
from abiprobe.harness.machines.workbench import bench
from abiprobe.harness.subjects.programs import of_tools
from abiprobe.harness.subjects.subject import Identity
from abiprobe.oracles.model import Target


class ToolDigest(msgspec.Struct, frozen=True):
    """A digest that identifies a tool; unless it is `sure`, no answer that depends on the tool is remembered."""

    digest: str
    sure: bool = True


def of_identity(program: Identity) -> ToolDigest:
    """The digest of a compiler by its identity."""
    return ToolDigest(program.digest, program.sure)


def of_files(*paths: str) -> ToolDigest:
    """The digest of programs that start no others, and of libraries and objects, by the contents of their files."""
    pieces = of_tools(*filter(None, paths))
    return ToolDigest(pieces.digest, pieces.sure)


def bench_digests(target: Target) -> Iterator[ToolDigest]:
    """Digests of what links and runs the programs of a target; raises `Problem` where nothing here runs them."""
    here = bench(target)
    yield from run_digests(here.executor, here.trusted, here.runtime)


def run_digests(executor: Executor, trusted: Trusted, runtime: tuple[Path, ...]) -> Iterator[ToolDigest]:
    """Digests of an executor, a linker and the objects of the runtime, and of the processor."""
    yield ToolDigest(repr(executor))
    # A linker may be a command of a larger program: `zig ld.lld`.
    yield of_files(getattr(executor, "program", ""), trusted.ld[0])
    yield ToolDigest(of_tools(*map(str, runtime)).digest)
    yield ToolDigest(processor())


@cache
def processor() -> str:
    """The abilities of this machine's processor, which runs images natively and is asked for its vectors."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith("flags")), "")
