"""What a compiler that died said last: its assertion, or the function on top of its stack."""

from __future__ import annotations

import re

NEAR = 1 << 16
"""Bytes looked at on each end of what a tool printed."""

SAID = (
    re.compile(rb"Assertion [`'].*?' failed"),
    re.compile(rb"UNREACHABLE executed[^\n]*"),
    re.compile(rb"internal compiler error: [^\n]*"),
    re.compile(rb"(?:LLVM ERROR|error in backend): [^\n]*"),
)
"""The most telling first; clang's `frontend command failed` says nothing."""
FRAME = re.compile(rb"^ *#\d+ (?:0x)?[0-9a-f]+ ((?:[\w~]+::)*[\w~]+)\(", re.MULTILINE)
ADDRESS = re.compile(rb"\b0x[0-9a-f]{6,}\b")
"""Of something in the tool's memory, and so another each time."""
HANDLERS = (b"llvm::sys::", b"SignalHandler", b"abort", b"raise", b"__assert_fail", b"__restore_rt")


def crash_words(stderr: bytes) -> str:
    """An assertion or internal error in the tool's words, or else where it was; an empty string if it tells neither."""
    text = stderr if len(stderr) <= 2 * NEAR else stderr[:NEAR] + b"\n" + stderr[-NEAR:]
    for pattern in SAID:
        found = pattern.search(text)
        if found:
            return ADDRESS.sub(b"0x...", found[0]).decode("utf-8", "replace").strip()
    frames = (match[1] for match in FRAME.finditer(text))
    top = next((name for name in frames if not any(one in name for one in HANDLERS)), b"")
    return f"crash in {top.decode('utf-8', 'replace')}" if top else ""
