"""Faults of the machine, which are no deviations: no room, no memory, no rights, no more files or processes.

They are nobody's deviation.

Whatever a tool or we ourselves did when the machine failed says nothing about the tool, so no verdict is made of it: the
run ends with a line that says what failed, and what was journalled stays.
"""

from __future__ import annotations

import errno
import os
import re
import resource
from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.base.problem import Problem

HINTS = {
    errno.ENOSPC: "make room there, or choose another folder",
    errno.EDQUOT: "make room there, or choose another folder",
    errno.EFBIG: "raise the limit of file sizes: ulimit -f",
    errno.EROFS: "choose another folder",
    errno.EACCES: "choose another folder, or change its permissions",
    errno.EPERM: "choose another folder, or change its permissions",
    errno.EMFILE: "raise the limit of open files: ulimit -n",
    errno.ENFILE: "too many files are open on this machine",
    errno.ENOMEM: "free some memory, or run fewer jobs: --jobs",
    errno.EAGAIN: "raise the limit of processes (ulimit -u), or run fewer jobs: --jobs",
    errno.EIO: "the device fails",
    errno.ESTALE: "the file system is gone",
    errno.ENOTCONN: "the file system is gone",
    errno.ENOENT: "was a folder removed while abiprobe used it?",
    errno.ENOTDIR: "was a folder replaced while abiprobe used it?",
}
"""Advice about each fault that may come to the user."""
FATAL = frozenset(HINTS) - {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM}
"""Those that say nothing about what was being done."""
LITTLE = 1 << 20
"""Bytes that are left on a device that has no room."""
LIMITS = (
    ("SIGXFSZ", resource.RLIMIT_FSIZE, "no file may have more than {} bytes", HINTS[errno.EFBIG]),
    ("SIGXCPU", resource.RLIMIT_CPU, "no process may take more than {} s", "raise the limit: ulimit -t"),
)
"""The limits of ours that end a child, by the signal."""
NO_ROOM = re.compile(rb"No space left on device|Disk quota exceeded|Read-only file system|Input/output error")
NO_MEMORY = re.compile(
    rb"\b(?:out of memory|memory exhausted|Cannot allocate memory|std::bad_alloc|allocation of \d+ bytes failed)\b",
    re.IGNORECASE,
)
"""How gcc, clang, rustc and others say that there was no memory for what they were doing."""

OUTPUT = ("-o", "--output", "--output-file")
"""Options before the name of an output; the first may also stand in one word with it."""
DEVICES = "/dev/"


def machine_fault(error: BaseException) -> Problem | None:
    """Return a problem to show the user for an error that the machine caused; `None` for any other error.

    A `Problem` is told as it is.
    """
    if isinstance(error, Problem):
        return error
    if isinstance(error, MemoryError):
        return Problem("there is not enough memory", HINTS[errno.ENOMEM])
    if isinstance(error, OSError) and error.errno in HINTS:
        about = f"{error.filename}: " if error.filename else ""
        return Problem(f"{about}{error.strerror}", HINTS[error.errno])
    return None


def expect_no_device(argv: Sequence[str]) -> None:
    """Raise `Problem` if a tool is told to write to a device, such as /dev/null.

    Some tools remove what they are told to write before they write it (tcc 0.9.27 does), as root also a device, and every
    program on the machine then finds an ordinary file in its place.
    """
    for option, word in zip(("", *argv), argv, strict=False):
        output = word if option in OUTPUT else word.removeprefix(OUTPUT[0])
        if (option in OUTPUT or word.startswith(OUTPUT[0])) and output.startswith(DEVICES):
            path = Path(output)
            if path.is_char_device() or path.is_block_device():
                raise Problem(
                    f"{argv[0]} would write to {output}, and might remove it", "choose an ordinary file"
                )


def expect_room(folder: Path, ended_by: str | None = None) -> None:
    """Raise `Problem` if a tool that failed in `folder`, ended by a signal or not, may have failed for want of room or time."""
    for signal, limit, words, hint in LIMITS:
        bound = resource.getrlimit(limit)[0]
        if ended_by == signal and bound != resource.RLIM_INFINITY:
            raise Problem(words.format(bound), hint)
    try:
        about = os.statvfs(folder)
    except OSError:
        return
    # Some file systems count no files.
    if about.f_bavail * about.f_frsize < LITTLE or (about.f_files and not about.f_favail):
        raise Problem(f"{folder}: {os.strerror(errno.ENOSPC)}", HINTS[errno.ENOSPC])
