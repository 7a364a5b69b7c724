"""Shared parts of GNU-compatible compilers: options that keep a probe's code to the point."""

from __future__ import annotations

COMMON = (
    "-w",
    "-ffreestanding",
    "-fno-stack-protector",
    "-fno-strict-aliasing",
    "-fno-asynchronous-unwind-tables",
    "-fno-pic",
)
"""No warnings, no library, no canary in the frame; values are read from byte buffers; nothing is dynamic."""

CLANG_COMMON = (*COMMON, "-ffixed-point", "-fno-crash-diagnostics")
"""Of clang also the types of ISO/IEC TR 18037, which gcc has without an option where it has them; and none of the files that it
writes after a crash, for which it starts once more."""
