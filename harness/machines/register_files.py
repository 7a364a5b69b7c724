"""The files of the registers in which values of a target's calls may be, for those who print places without any machine."""

from __future__ import annotations

from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.harness.machines.runtime.x86 import WIDER
from abiprobe.oracles.model import Target
from abiprobe.oracles.text.place import Files


def files_of(target: Target) -> Files:
    """The files of all registers of a target, with the widest vectors there are; none where there is no machine for it."""
    name = target.machine
    if not name:
        return {}
    here = machine(name)
    return WIDER.get(here.full_name, (here,))[-1].files


def listed_files(target: Target) -> Files:
    """The files by which the registers of a call are listed; none where they have an order of their own, as parameters have."""
    name = target.machine
    return {} if name and machine(name).signatures else files_of(target)
