"""Detection of a compiler's crash, and its last words: its assertion, or the function on top of its stack."""

from __future__ import annotations

import re
import signal

from abiprobe.harness.base import child

NEAR = 1 << 16
"""Bytes looked at on each end of what a tool printed."""

SAID = (
    re.compile(rb"Assertion [`'].*?' failed"),
    re.compile(rb"UNREACHABLE executed[^\n]*"),
    re.compile(rb"internal compiler error: [^\n]*"),
    re.compile(rb"(?:LLVM ERROR|error in backend): [^\n]*"),
)
"""The most telling first; clang's `frontend command failed` says nothing."""
FRAME = re.compile(
    rb"^ *(?:#\d+ (?:0x)?[0-9a-f]+|\d+ +[\w.+-]+ +0x[0-9a-f]+) ((?:[\w~]+::)*[\w~]+)\(", re.MULTILINE
)
"""A frame of a stack dump, by a symbolizer or by the dynamic linker, which names the library."""
MANGLED_FRAME = re.compile(rb"\((_ZN\w+)\+0x[0-9a-f]+\)\[0x")
"""A frame as `backtrace_symbols` of glibc writes it, which clang up to 15 falls back on."""
NESTED_NAME = re.compile(rb"_ZNK?")
ADDRESS = re.compile(rb"\b0x[0-9a-f]{6,}\b")
"""Of something in the tool's memory, and so another each time."""
HANDLERS = (b"llvm::sys::", b"SignalHandler", b"abort", b"raise", b"__assert_fail", b"__restore_rt")


DEATHS = (
    # clang: the first line of a stack dump. Builds without stack dumps, such as zig and the releases in its wheels, end only
    # with the driver's own account. It writes a reproducer where it takes the failure for a bug of its own.
    re.compile(rb"PLEASE submit a bug report"),
    re.compile(rb"PLEASE ATTACH THE FOLLOWING FILES TO THE BUG REPORT"),
    re.compile(rb"error: clang frontend command failed with exit code \d"),
    re.compile(rb"error: [\w ]+ command failed due to signal"),
    re.compile(rb"error: unable to execute command: (?!Executable|posix_spawn)"),
    # gcc, and tcc; gcc's driver says both of a program that it started.
    re.compile(rb"internal compiler error", re.IGNORECASE),
    re.compile(rb"signal terminated program"),
    re.compile(rb"terminated with signal \d+"),
    # GNU as and ld.
    re.compile(rb"^(?:[^\n]*: )?Internal error(?: \(| in | at |: Aborting)", re.MULTILINE),
    re.compile(rb"internal error, aborting at "),
    # pcc.
    re.compile(rb", line \d+: compiler error: "),
    # Crystal, and others that ask for a report in such words.
    re.compile(rb"you've found a bug in the [\w ]*compiler", re.IGNORECASE),
    # nvcc of the programs behind it, and the front end of those.
    re.compile(rb"' died (?:due to signal|with status)"),
    re.compile(rb"[Ii]nternal error: assertion failed"),
)
"""Words of drivers about a program that died, though they themselves end in order."""
SHELL = 128
"""A shell ends with this and the number of the signal that ended its last command."""
FATAL = frozenset(
    {
        *(signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE),
        *(signal.SIGKILL, signal.SIGSEGV, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGSYS),
    }
)


def is_crash(done: child.Exit) -> bool:
    """Return whether a tool that failed died: of a signal, its own or that of a program it started, or of an internal error."""
    if done.signal or done.returncode - SHELL in FATAL:
        return True
    text = ends(done.stderr)
    return any(pattern.search(text) for pattern in DEATHS)


def ends(stderr: bytes) -> bytes:
    """The beginning and the end of what a tool printed."""
    return stderr if len(stderr) <= 2 * NEAR else stderr[:NEAR] + b"\n" + stderr[-NEAR:]


def crash_words(stderr: bytes) -> str:
    """An assertion or internal error in the tool's words, or else where it was; an empty string if it tells neither."""
    text = ends(stderr)
    for pattern in SAID:
        found = pattern.search(text)
        if found:
            return ADDRESS.sub(b"0x...", found[0]).decode("utf-8", "replace").strip()
    frames = [match[1] for match in FRAME.finditer(text)]
    frames = frames or [nested_name(match[1]) for match in MANGLED_FRAME.finditer(text)]
    top = next((name for name in frames if not any(one in name for one in HANDLERS)), b"")
    return f"crash in {top.decode('utf-8', 'replace')}" if top else ""


def nested_name(symbol: bytes) -> bytes:
    """The qualified name in a mangled one, such as `llvm::Value::setNameImpl`: as far as it is made of plain identifiers.

    Source: Itanium C++ ABI, section 5.1.4, Symbol Name Encoding, <nested-name> and <source-name>.
    """
    parts: list[bytes] = []
    prefix = NESTED_NAME.match(symbol)
    rest = symbol[prefix.end() :] if prefix else b""
    while length := re.match(rb"\d+", rest):
        name = length.end()
        parts.append(rest[name : name + int(length[0])])
        rest = rest[name + int(length[0]) :]
    return b"::".join(parts)
