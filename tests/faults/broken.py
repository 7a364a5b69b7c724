"""Compilers that do not work, each in its own way, beside one that works: what a command makes of them.

`python -m tests.faults.broken` prints the table: how it is broken, how `check` and `run` end, what is said, and whether the verdicts
on the compiler that works are those that it gets alone.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.journal.journal import read, verdict_digest

from .commands import Said, called

TARGET = "x86_64-sysv"
DECLARED = (
    "struct S { int a; long b : 3; }; struct S f(struct S, double); double _Complex g(float _Complex);\n"
)
HEAD = """\
#!/bin/sh
case "$*" in *--version*|*-###*) {version}; esac
unit=; out=; seen=
for word; do
  case "$seen" in -o) out=$word;; esac
  case "$word" in *.c) unit=$word;; esac
  seen=$word
done
has() {{ grep -q "$1" "$unit"; }}
real() {{ {real} "$@"; }}
"""
ERROR = "echo 'unit.c:1: error: no licence' >&2; exit 1"
ICE = "echo 'unit.c:1: internal compiler error: in expand, at expr.c:1' >&2; exit 4"
NO_MEMORY = "echo 'cc1: out of memory allocating 65536 bytes after a total of 1 bytes' >&2; exit 1"
FOREVER = "sleep 600"
FLOOD = "head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 1"
WHOLE = 'real "$@"'
CALLS = "has abi_target"
COUNT = 'n=$(cat "$0.n" 2>/dev/null || echo 0); n=$((n + 1)); echo $n > "$0.n"'
BODIES = {
    "killed on each unit": "kill -KILL $$",
    "killed on each unit of calls": f"{CALLS} && kill -KILL $$; {WHOLE}",
    "killed when asked for _Complex": f"has _Complex && ! {CALLS} && kill -KILL $$; {WHOLE}",
    "refuses each unit": ERROR,
    "refuses each unit of calls": f"if {CALLS}; then {ERROR}; fi; {WHOLE}",
    "ends with 1 without a word": "exit 1",
    "does nothing, and says that all is well": "exit 0",
    "writes no object of calls": f"{CALLS} && exit 0; {WHOLE}",
    "an object for RISC-V": 'printf "\\177ELF\\2\\1\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\363\\0\\1\\0\\0\\0" > "$out"; exit 0',
    "no memory for any unit": NO_MEMORY,
    "no memory when asked for _Complex": f"if has _Complex; then {NO_MEMORY}; fi; {WHOLE}",
    "an internal error on each unit": ICE,
    "an internal error on each unit of calls": f"if {CALLS}; then {ICE}; fi; {WHOLE}",
    "a wild pointer on each unit": "kill -SEGV $$",
    "a wild pointer on each unit of calls": f"{CALLS} && kill -SEGV $$; {WHOLE}",
    "refuses every feature": f"if has '_Complex\\|__attribute__\\|_BitInt' && ! {CALLS}; then {ERROR}; fi; {WHOLE}",
    "removes what it wrote": f'{WHOLE}; rm -f "$out"; exit 0',
    "removes the work folder": f'{WHOLE}; has abi_target && rm -rf "$(dirname "$out")"; exit 0',
    "writes garbage that begins like ELF": '(printf "\\177ELF\\2\\1\\1"; cat "$unit") > "$out"; exit 0',
    "writes an empty file": ': > "$out"; exit 0',
    "writes half a file": f'{WHOLE}; truncate -s 200 "$out"; exit 0',
    "leaves a folder for an object": 'rm -rf "$out"; mkdir "$out"; exit 0',
    "leaves a pipe for an object": 'rm -f "$out"; mkfifo "$out"; exit 0',
    "prints a megabyte, and fails": FLOOD,
    "prints bytes that are no text, and fails": "head -c 4000 /dev/urandom >&2; exit 1",
}
"""What a program does instead of compiling, in shell, after it has told its version as a compiler does."""
SLOW = {
    "fails every third time": f"{COUNT}; if [ $((n % 3)) = 0 ]; then {ERROR}; fi; {WHOLE}",
    "hangs on each unit": FOREVER,
    "hangs on each unit of calls": f"{CALLS} && {FOREVER}; {WHOLE}",
    "prints without end": "yes >&2",
}
"""Those that are waited for, or with which it takes luck how they are caught."""
VERSIONS = {
    "tells no version": ("echo 'no licence' >&2; exit 3", WHOLE),
    "hangs when asked for its version": (FOREVER, WHOLE),
    "another version each time": (f"{COUNT}; echo faux $n; exit 0", WHOLE),
}
"""Those that do not tell what they are: what they do when they are asked, and else."""


def absent(path: Path) -> None:
    """There is no program."""


def dangling(path: Path) -> None:
    """A link to a program that is not there."""
    path.symlink_to(path.with_name("gone"))


def looping(path: Path) -> None:
    """A link to itself."""
    path.symlink_to(path)


def forbidden(path: Path) -> None:
    """A program that nobody may run."""
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(0o644)


def folder(path: Path) -> None:
    """A folder."""
    path.mkdir()


def foreign(path: Path) -> None:
    """A file that the system cannot run."""
    path.write_bytes(b"\x7fELF" + bytes(200))
    path.chmod(0o755)


def uninterpreted(path: Path) -> None:
    """A script for an interpreter that is not there."""
    path.write_text("#!/no/such/interpreter\n", "utf-8")
    path.chmod(0o755)


FILES: dict[str, Callable[[Path], None]] = {
    "is not there": absent,
    "is a link to nothing": dangling,
    "is a link to itself": looping,
    "may not be run": forbidden,
    "is a folder": folder,
    "is no program of this machine": foreign,
    "is a script without its interpreter": uninterpreted,
}
"""What is at the path of a compiler."""
QUICK = (*BODIES, *(name for name in VERSIONS if "hangs" not in name), *FILES)
EVERY = (*BODIES, *SLOW, *VERSIONS, *FILES)


def broken(name: str, place: Path, real: str) -> str:
    """The spelling of a compiler that is broken in one way, at a place of its own; `real` is the one behind it, if any."""
    if name in FILES:
        FILES[name](place)
        return f"gcc:{place}"
    version, body = VERSIONS.get(name, (f'exec {real} "$@"', BODIES.get(name) or SLOW.get(name, "")))
    place.write_text(f"{HEAD.format(real=real, version=version)}{body}\n", "utf-8")
    place.chmod(0o755)
    return f"gcc:{place}"


class Beside(msgspec.Struct, frozen=True):
    """How a command ended that was given a broken compiler beside one that works, and what was found of the latter.

    `uncompared` is what it says of compilers of which nothing was compared.
    """

    said: Said
    found: object
    uncompared: tuple[dict[str, Any], ...] = ()

    def about(self, place: Path) -> str:
        """The first line about the broken compiler that tells more than numbers."""
        lines = f"{self.said.out}\n{self.said.err}".splitlines()
        plain = (line for line in lines if not line.startswith((TARGET, "run folder")) and '": ' not in line)
        told = (line for line in plain if str(place) in line)
        return re.sub(r"\S*" + re.escape(str(place)), "W", next(told, ""))


def checked(header: Path, well: str, *beside: str) -> Beside:
    """Check a header, and find the verdicts on the compiler that works."""
    subjects = ",".join((*beside, well))
    form = ("--opt", "O0", "--pairs", "none", "--no-known", "--format", "json")
    said = called("check", str(header), "-t", TARGET, "--cc", subjects, *form)
    value: dict[str, Any] = json.loads(said.out) if said.out else {"verdicts": [], "uncompared": []}
    found = [one for one in value["verdicts"] if one["subject"] == well]
    return Beside(said, found, tuple(value["uncompared"]))


def ran(out: Path, well: str, *beside: str) -> Beside:
    """Do a small run, and find the digest of the verdicts on the compiler that works."""
    subjects = ",".join((*beside, well))
    how = ("--cases", "2", "--seed", "5", "--opt", "O0", "--no-tours", "--no-triage", "-j", "1")
    said = called("run", TARGET, "--cc", subjects, "--out", str(out), *how)
    if not (out / "journal.jsonl").exists():
        return Beside(said, "")
    batches = [
        msgspec.structs.replace(
            batch, verdicts=tuple(one for one in batch.verdicts if one.kind is not ProbeKind.PAIR)
        )
        for batch in read(out).batches
        if batch.key.subject == well
    ]
    return Beside(said, verdict_digest(batches))


def rows(well: str, real: str, at: Path) -> Iterator[str]:
    """The lines of the table."""
    header = at / "declared.h"
    header.write_text(DECLARED, "utf-8")
    alone = checked(header, well), ran(at / "alone", well)
    yield "| the compiler beside | check | run | what is said | same verdicts, same digest |"
    yield "| --- | ---: | ---: | --- | --- |"
    for number, name in enumerate(EVERY):
        place = at / f"cc{number}"
        spelled = broken(name, place, real)
        by_check, by_run = checked(header, well, spelled), ran(at / f"run{number}", well, spelled)
        same = (
            "yes" if one.found == other.found else "NO"
            for one, other in zip((by_check, by_run), alone, strict=True)
        )
        words = by_run.about(place) or by_check.about(place)
        yield f"| {name} | {by_check.said.status} | {by_run.said.status} | {words[:160]} | {', '.join(same)} |"


def main() -> None:
    """Print the table for gcc."""
    real = next(path for path in map(shutil.which, ("gcc-12", "gcc")) if path)
    with tempfile.TemporaryDirectory() as name:
        for line in rows(Path(real).name, real, Path(name)):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
