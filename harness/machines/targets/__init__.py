"""The platform of every target: a family of targets is one module here and one line in `PLATFORMS`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.targets import (
    aarch64,
    accelerators,
    arm,
    bpf,
    hexagon,
    loongarch,
    m68k,
    mips,
    nvptx,
    powerpc,
    riscv,
    s390x,
    sparc,
    wasm,
    windows,
    x86,
    xtensa,
)
from abiprobe.harness.machines.targets.platform import Platform
from abiprobe.oracles.model import Target

__all__ = ["PLATFORMS", "Platform", "options_of", "platform_named", "platform_of"]

PLATFORMS: Mapping[str, Platform] = MappingProxyType(
    {
        each.target: each
        for family in (
            aarch64,
            accelerators,
            arm,
            bpf,
            hexagon,
            loongarch,
            m68k,
            mips,
            nvptx,
            powerpc,
            riscv,
            s390x,
            sparc,
            wasm,
            windows,
            x86,
            xtensa,
        )
        for each in family.PLATFORMS
    }
)


def platform_of(target: Target) -> Platform:
    """The platform of a target, dialect or not; raises `Problem` for a target that has none yet."""
    return platform_named(target.name)


def platform_named(name: str) -> Platform:
    """The platform of the target of this name; raises `Problem` for a target that has none yet."""
    if name not in PLATFORMS:
        raise Problem(
            f"{name} has no platform",
            "add one to a module of harness/machines/targets, and the module to PLATFORMS",
        )
    return PLATFORMS[name]


def options_of(family: str) -> Mapping[str, tuple[str, ...]]:
    """The options that make a compiler family build, for each target that it has."""
    return {target: each.options[family] for target, each in PLATFORMS.items() if family in each.options}
