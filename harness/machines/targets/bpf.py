"""BPF, little-endian: no function of it returns a record, and its programs are run by kernels; layouts only."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

PLATFORMS = (Platform("bpf", "bpfel", {"clang": by_triple("bpfel"), "gcc": ("-mlittle-endian",)}, ("bpf-",)),)
