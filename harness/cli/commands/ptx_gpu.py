"""The part of `abiprobe ptx` that runs on a GPU: kernels with packed blocks, and pairs of two compilers."""

from __future__ import annotations

from itertools import islice

from abiprobe.generators.pool import stream
from abiprobe.generators.ptx import kernel_pool
from abiprobe.harness.observers.device import gpu_pairs
from abiprobe.harness.observers.device.assembler import gpu
from abiprobe.harness.observers.device.assembler.launches import Gpu
from abiprobe.harness.observers.device.plan import DevicePlan, planned
from abiprobe.harness.subjects.cuda_tools import Tool, find_tool
from abiprobe.harness.subjects.features import lacking
from abiprobe.harness.subjects.find import build, discover, identity
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Kind, Prototype, Scalar, Type, components, strip
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import TARGETS

TARGET = "nvptx64-cuda"
LEVEL = "O1"
FRONT_ENDS = (("nvcc", "nvrtc"), ("clang", "zig"))
KERNELS, PAIRS, DRAWN = 20, 20, 200


def on_gpu(tool: Tool, seed: int, device: Gpu | None = None) -> tuple[gpu.GpuResult, ...]:
    """Return a GPU's results for kernels and pairs, or the one reason why it was not asked."""
    kernels = gpu.run(tool, kernel_pool(seed, KERNELS), device)
    return (kernels,) if kernels.skipped else (kernels, pairs(tool, seed, device))


def pairs(tool: Tool, seed: int, device: Gpu | None = None) -> gpu.GpuResult:
    """Return a GPU's results for pairs of NVIDIA's front end and clang's."""
    linker, subjects = find_tool("nvlink"), two_subjects()
    if linker is None:
        return gpu.skipped("nvlink is not installed, so no pair was run on the GPU")
    if len(subjects) < 2:
        return gpu.skipped("there are no two front ends for devices, so no pair was run on the GPU")
    lacks = frozenset[str]().union(*(lacking(built, identity(built.command)) for _, built in subjects))
    return gpu_pairs.run((tool, linker), subjects, drawn(seed, lacks), device)


def two_subjects() -> list[tuple[str, Built]]:
    """A compiler for devices of each front end, as far as there are: nvcc has that of NVRTC, and zig that of clang."""
    target = TARGETS[TARGET]
    found = [(one, built) for one in discover([target]) if (built := build(one, target, LEVEL)) is not None]
    families = {one.family.name: (one.spelling, built) for one, built in reversed(found)}
    chosen = (next((families[name] for name in names if name in families), None) for names in FRONT_ENDS)
    return [one for one in chosen if one is not None]


def drawn(seed: int, lacks: frozenset[str]) -> list[DevicePlan]:
    """Random prototypes that both compilers take and whose values are any bytes."""
    model = TARGETS[TARGET].model()
    found = []
    for number, question in enumerate(islice(stream(seed=seed, kind=Sort.PROTOTYPES), DRAWN)):
        assert isinstance(question, Prototype)
        if features(question) & lacks:
            continue
        plan = planned(number, probe(question).id, question, model.assign(question))
        own = (question.result, *(param.type for param in question.params))
        if isinstance(plan, DevicePlan) and gpu_pairs.fits(plan) and not question.kernel:
            found += [] if any(one is not None and has_bool(one) for one in own) else [plan]
    return found[:PAIRS]


def has_bool(c_type: Type) -> bool:
    """Return whether a type has a _Bool in it, for which not every byte is valid."""
    return strip(c_type) == Scalar(Kind.BOOL) or any(map(has_bool, components(c_type)))
