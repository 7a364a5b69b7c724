"""The files of a CUDA toolkit that decide what nvcc makes, as its own plan (`--dryrun`) names them.

nvcc is often behind a script, and starts a compiler of the host as well. What it starts, and with which options, variables of the
environment included, it says itself.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary

NVCC = "nvcc"
SECONDS = 20.0
LINE = re.compile(r"^#\$ (.*)$", re.MULTILINE)
VARIABLE = re.compile(r"(\w+)=(.*)")
FLEETING = re.compile(r"tmpxft_\w+-\d+_?")
"""The names of temporary files."""
ELSEWHERE = ("PATH", "_SPACE_")
"""Variables that say nothing of the toolkit."""
PREPROCESSES = "-E"


class Toolkit(msgspec.Struct, frozen=True):
    """The plan of nvcc: the files of the toolkit that it uses, its words without the names of temporary files, and the host's compiler."""

    files: tuple[str, ...]
    said: tuple[str, ...]
    host: str


def toolkit(words: Sequence[str]) -> Toolkit | None:
    """Return the plan of nvcc with these options; `None` for a program that tells none."""
    with temporary() as folder:
        Path(folder, "unit.cu").write_text("", "utf-8")
        command = (*words, "--dryrun", "unit.cu", "-o", "unit.ptx")
        try:
            done = child.run(command, timeout=SECONDS, cwd=Path(folder), scratch=Path(folder))
        except OSError:
            return None
        said = FLEETING.sub("", done.stderr.decode("utf-8", "replace")).replace(
            str(Path(folder).resolve()), ""
        )
    lines = LINE.findall(said)
    variables = {found[1]: found[2] for line in lines if (found := VARIABLE.fullmatch(line.strip()))}
    host = next((shlex.split(line)[0] for line in lines if PREPROCESSES in line.split()), "")
    if not done.ok or not host or not {"_HERE_", "CICC_PATH"} <= variables.keys():
        return None
    told = tuple(line for line in lines if line.partition("=")[0] not in ELSEWHERE)
    return Toolkit(tuple(files_of(variables)), told, host)


def files_of(variables: Mapping[str, str]) -> Iterator[str]:
    """The files of a toolkit: nvcc, what it starts, its profile, the library of its back end, and the headers that it always reads."""
    here, back_end = Path(variables["_HERE_"]), Path(variables["CICC_PATH"])
    top = here.parent
    for program in (here / NVCC, back_end / "cicc"):
        yield str(program)
    beside = (here, "nvcc.profile"), (back_end.parent / "libdevice", "*.bc")
    headers = (top / "include", "*.h"), (top / "include", "*.hpp"), (top / "include" / "crt", "*")
    for folder, pattern in (*beside, *headers):
        yield from sorted(str(path) for path in folder.glob(pattern) if path.is_file())
