"""WebAssembly: objects of its own format, without its later value types."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "wasm32-unknown-unknown"

PLATFORMS = (Platform("wasm32", _TRIPLE, {"clang": by_triple(_TRIPLE)}),)
