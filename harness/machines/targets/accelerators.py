"""The UPMEM DPU and the Graphcore IPU, for which only the vendors' compilers build.

Compilers for other targets that stand in for those are described in `abiprobe.oracles.standins`.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

PLATFORMS = (
    Platform("upmem-dpu", "", {"dpu-upmem-dpurte-clang": ()}),
    Platform("colossus-ipu", "", {"popc": by_triple("ipu2")}),
    Platform("colossus-ipu-supervisor", "", {"popc": by_triple("ipu2", "-msupervisor")}),
)
