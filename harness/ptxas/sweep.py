"""Random signatures put to every release, architecture and level of ptxas, on every core."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from abiprobe.generators.ptx import device_pool, kernel_pool, large_kernel_pool
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.workers import Work, in_order, leaving, results
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.probes import UNSIZED_BYTES
from abiprobe.harness.ptxas.physical import SHARE, Checked, Side, check
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.parameter import Signature, array, scalar
from abiprobe.results.verdicts.record import Judgement, Outcome

VARIADIC = Signature((scalar(4, "u"), array(8, 0)))
UNNAMED = (8, 248, 252, 256, 260, 264, 1000)
"""Bytes of unnamed arguments that a caller passes, on both sides of what ptxas reserves by the lowest eight bits of the size."""
LARGE_SHARE = 8
"""For so many kernels one more is large."""


class Share(msgspec.Struct, frozen=True):
    """A part of the work for one process."""

    assembler: Assembler
    side: Side
    signatures: tuple[Signature, ...]
    unsized: int = UNSIZED_BYTES


def sweep(
    tools: Sequence[Tool], arches: Sequence[str], levels: Sequence[str], seed: int, counts: Mapping[str, int]
) -> Iterator[tuple[Assembler, Checked]]:
    """Yield the result of each signature, on each side of a call, in a fixed order.

    `counts` is the number of `functions` and `kernels`.
    """
    shares = list(divided(tools, arches, levels, seed, counts))
    work = Work(check_share, lost, halves, lambda _share, parts: [one for part in parts for one in part])
    found = in_order(results(work, shares, len(os.sched_getaffinity(0))))
    for share, each in counted(zip(shares, found, strict=True), "assembling", len(shares)):
        yield from ((share.assembler, one) for one in each)


def halves(share: Share) -> tuple[Share, ...]:
    """Two parts of some work, or none of the work on one signature."""
    middle = len(share.signatures) // 2
    parts = (share.signatures[:middle], share.signatures[middle:]) if middle else ()
    return tuple(msgspec.structs.replace(share, signatures=part) for part in parts)


def lost(share: Share) -> list[Checked]:
    """Return the results for signatures on which workers die."""
    return [
        Checked(
            one,
            share.side,
            Judgement.UNOBSERVED,
            Outcome.NOT_RUN,
            "abiprobe's process died on it",
            share.unsized,
        )
        for one in share.signatures
    ]


def divided(
    tools: Sequence[Tool], arches: Sequence[str], levels: Sequence[str], seed: int, counts: Mapping[str, int]
) -> Iterator[Share]:
    """The work in parts."""
    devices, entries = device_pool(seed, counts["functions"]), kernel_pool(seed, counts["kernels"])
    large = large_kernel_pool(seed, counts["kernels"] // LARGE_SHARE)
    for tool in tools:
        kernels = (*entries, *(large if tool.takes_large_kernels else ()))
        for arch in arches:
            for level in levels:
                for side, pool in ((Side.CALLEE, devices), (Side.CALLER, devices), (Side.KERNEL, kernels)):
                    for at in range(0, len(pool), SHARE):
                        yield Share(Assembler(tool, arch, level), side, tuple(pool[at : at + SHARE]))
                if devices:
                    for unsized in UNNAMED:
                        yield Share(Assembler(tool, arch, level), Side.CALLER, (VARIADIC,), unsized)


def check_share(share: Share) -> list[Checked]:
    """One part of the work, in a worker."""
    return leaving(checked, share)


def checked(share: Share) -> list[Checked]:
    """One part of the work."""
    return list(check(share.assembler, share.side, share.signatures, share.unsized))
