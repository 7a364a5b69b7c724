"""Random signatures put to every release, architecture and level of ptxas, on every core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from abiprobe.generators.ptx import device_pool, kernel_pool, large_kernel_pool
from abiprobe.harness.base.workers import leaving, pool_of, stop
from abiprobe.harness.observers.device.ptxas.assemble import Assembler
from abiprobe.harness.observers.device.ptxas.physical import SHARE, Checked, Side, check
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.parameter import Signature

LARGE_SHARE = 8
"""For so many kernels one more is large."""


class Share(msgspec.Struct, frozen=True):
    """A part of the work for one process."""

    assembler: Assembler
    side: Side
    signatures: tuple[Signature, ...]


def sweep(
    tools: Sequence[Tool], arches: Sequence[str], levels: Sequence[str], seed: int, counts: Mapping[str, int]
) -> Iterator[tuple[Assembler, Checked]]:
    """What came of each signature, on each side of a call, in a fixed order; `counts` says how many `functions` and `kernels`."""
    shares = list(divided(tools, arches, levels, seed, counts))
    pool = pool_of()
    try:
        # Not `map`: it cancels what is left, and a pool that is stopped then trips over that.
        futures = [pool.submit(asked, share) for share in shares]
        for share, future in zip(shares, futures, strict=True):
            yield from ((share.assembler, one) for one in future.result())
    except BaseException:
        stop(pool)
        raise
    pool.shutdown()


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


def asked(share: Share) -> list[Checked]:
    """One part of the work, in a worker."""
    return leaving(work, share)


def work(share: Share) -> list[Checked]:
    """One part of the work."""
    return list(check(share.assembler, share.side, share.signatures))
