"""Every target by name; the one module that knows all the ABI packages."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import product
from types import MappingProxyType

from abiprobe.oracles.abis import (
    aarch64,
    arm,
    bpf,
    dpu,
    hexagon,
    ipu,
    itanium,
    loongarch,
    m68k,
    mips,
    powerpc,
    ptx,
    riscv,
    s390x,
    sparc,
    vfabi,
    wasm,
    x86,
    xtensa,
)
from abiprobe.oracles.abis.riscv import isa  # noqa: F401 - loads its clause sheet
from abiprobe.oracles.abis.vfabi.opened import opened_vectors
from abiprobe.oracles.engine import alignments  # noqa: F401 - cites a clause of its own
from abiprobe.oracles.engine.policies import Policies
from abiprobe.oracles.linking import tables  # noqa: F401 - loads the clause sheets of object files
from abiprobe.oracles.model import FAMILIES, READING, AbiModel, Model, Target, policies_of
from abiprobe.oracles.quirks.in_force import quirks_of
from abiprobe.oracles.quirks.quirk import BOTH, Quirk, Side, under_all
from abiprobe.oracles.quirks.versions import NEWEST
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions
from abiprobe.oracles.unmodelled.opened import OPEN, PROMISED, opened
from abiprobe.oracles.unwinding import ehabi, registers, rules  # noqa: F401 - loads those of unwind tables

TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        target.name: target
        for target in (
            *riscv.TARGETS,
            *x86.TARGETS,
            vfabi.target(x86.X86_64),
            *aarch64.TARGETS,
            *arm.TARGETS,
            *s390x.TARGETS,
            *loongarch.TARGETS,
            *powerpc.TARGETS,
            *m68k.TARGETS,
            *hexagon.TARGETS,
            *mips.TARGETS,
            *sparc.TARGETS,
            *xtensa.TARGETS,
            *wasm.TARGETS,
            *bpf.TARGETS,
            *ipu.TARGETS,
            *dpu.TARGETS,
            *ptx.TARGETS,
        )
    }
)


CXX = "cxxabi"
"""The sheet of the Itanium C++ ABI."""
CXX_TARGETS = frozenset(
    {
        *("x86_64-sysv", "i386-sysv", "aarch64-aapcs64", "aarch64_be-aapcs64", "aarch64-darwin"),
        *("arm-aapcs", "arm-aapcs-vfp", "s390x", "sparc64", "loongarch64-lp64d"),
        *("powerpc64le-elfv2", "powerpc64-elfv1", "powerpc-sysv"),
        *("riscv64-lp64d", "riscv64-lp64", "riscv32-ilp32d", "riscv32-ilp32"),
    }
)
"""The targets whose C++ follows the Itanium C++ ABI above the C ABI that is modelled."""
DEVICE_FAMILIES = ("nvcc", "nvrtc")
"""The same of NVIDIA's own compilers."""
VERSION = r"\d+(\.\d+)*"
"""A version of a compiler in the name of a dialect."""
SHARED = ("gnu",)
"""The sheets that every target follows."""


class UnknownTargetError(LookupError):
    """No target or dialect has this name; `known` lists those there are."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known


def find_target(name: str) -> Target:
    """The target or dialect that `name` (`riscv64-lp64d`, `x86_64-sysv@clang-22`, `x86_64-sysv@clang-reading`) stands for.

    A family by itself (`x86_64-sysv@clang`) is its newest version. Raises `UnknownTargetError` when there is none.
    """
    base, at, spelled = name.partition("@")
    target = TARGETS.get(base)
    if target is None:
        raise UnknownTargetError(name, tuple(TARGETS))
    return dialect_named(target, spelled) if at else target


def dialect_named(target: Target, spelled: str) -> Target:
    """The dialect of a target that a name (`clang`, `clang-22`, `clang-reading`) stands for; raises `UnknownTargetError`."""
    if spelled == OPEN:
        return opened(target, partial(opened_vectors, silence=PROMISED)) if target.vectors else opened(target)
    dialect, dash, version = (spelled, "", "") if spelled in target.dialects else spelled.partition("-")
    is_version = dialect in FAMILIES and re.fullmatch(f"{VERSION}|{READING}", version) is not None
    if not dialect or dialect not in target.dialects or (dash and not is_version):
        known = (f"{target.name}@{other}" if other else target.name for other in target.dialects)
        raise UnknownTargetError(f"{target.name}@{spelled}", tuple(known))
    version = version or NEWEST.get(dialect, READING)
    return target.in_dialect(dialect) if version == READING else of_version(target, dialect, version)


def of_version(target: Target, family: str, version: str) -> Target:
    """The dialect of one version of a compiler family: its reading, and each quirk that shows on both sides and at all levels."""
    steady = (one for one in quirks_of(target.name, family, version) if one.sides == BOTH and not one.levels)
    return with_quirks(replace(target, dialect=family, version=version), steady)


def with_quirks(target: Target, quirks: Iterable[Quirk]) -> Target:
    """The reading of a dialect's family with quirks."""
    own = policies_of(target.in_dialect(target.dialect).model())
    return target.under(under_all(quirks, own))


def dialects_of_sides(target: Target) -> Mapping[tuple[str, ...], Target]:
    """The dialects of one version on each side of a call, at some level or at all, by their quirks; those with a quirk more than the dialect itself."""
    if not target.version:
        return {}
    every = quirks_of(target.name, target.dialect, target.version)
    found = {}
    for side, optimised in product(Side, (False, True)):
        mine = [one for one in every if side in one.sides and (optimised or not one.levels)]
        if any(one.sides != BOTH or one.levels for one in mine):
            found[tuple(one.name for one in mine)] = with_quirks(target, mine)
    return found


# A target has functions, which do not travel: another process looks it up.
copyreg.pickle(Target, lambda target: (_unpickled, (target.spelling, target.policies)))


def _unpickled(name: str, policies: Policies) -> Target:
    return find_target(name).under(policies)


def is_followed(sheet: str, base: str) -> bool:
    """Return whether a target follows a sheet.

    Its own, what belongs to that, another one, that of C++, or what every target follows.
    """
    if sheet == CXX:
        return base in CXX_TARGETS
    return sheet in (*SHARED, *TARGETS[base].also) or sheet.startswith(TARGETS[base].sheet)


def find_model(name: str, options: LayoutOptions = DEFAULT) -> AbiModel:
    """The model behind a target name, dialect included, under language options; the same object each time."""
    return find_target(name).model(options)


@cache
def cxx_model(target: Target, options: LayoutOptions = DEFAULT) -> itanium.CxxModel:
    """The model of C++ above that of C of a target or dialect; the same object each time."""
    model = target.model(options)
    return itanium.CxxModel(model.types, model.layouts)


CXX_CALLS = frozenset(itanium.CALLS)
"""Those of `CXX_TARGETS` whose calls of C++ are modelled."""


@cache
def cxx_call_model(target: Target, options: LayoutOptions = DEFAULT) -> itanium.CxxCallModel:
    """The model of calls of C++ above that of C of one of `CXX_CALLS` or a dialect of it; the same object each time."""
    model = target.model(options)
    assert isinstance(model, Model), f"{target} has calls of C++"
    return itanium.CxxCallModel(model, cxx_model(target, options))


def readings(target: Target, options: LayoutOptions = DEFAULT) -> Mapping[str, AbiModel]:
    """Return the readings of a text by compiler families where it has no rule: the dialects of a target that is itself none."""
    if target.dialect:
        return {}
    found = (family for family in (*FAMILIES, *DEVICE_FAMILIES) if family in target.dialects)
    return {family: target.in_dialect(family).model(options) for family in found}
