"""NVIDIA's PTX, as clang, nvcc and NVRTC write it."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "nvptx64-nvidia-cuda"

PLATFORMS = (
    Platform(
        "nvptx64-cuda",
        _TRIPLE,
        {
            # -S wins over -c: its object is the PTX text.
            "clang": by_triple(_TRIPLE, "-march=sm_75", "-S"),
            "nvcc": ("-ptx", "-rdc=true", "-arch=sm_75", "-std=c++20", "-w"),
            "nvrtc": (
                "-ptx",
                "--gpu-architecture=compute_75",
                "--relocatable-device-code=true",
                "--device-as-default-execution-space",
                "--std=c++20",
                "--disable-warnings",
            ),
        },
    ),
)
