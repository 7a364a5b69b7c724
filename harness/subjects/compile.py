"""One run of a compiler under test, and what came of it."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Container, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import replace
from abiprobe.harness.base.faults import NO_MEMORY, NO_ROOM, expect_room
from abiprobe.harness.base.scratch import own
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.machines.render.probe_markers import suspects
from abiprobe.harness.subjects.crashes import crash_words, ends, is_crash
from abiprobe.harness.subjects.subject import Built
from abiprobe.results.verdicts.record import Outcome

GIBI = 1 << 30
LARGEST = GIBI
"""Bytes of the largest file that a tool may write."""
KINDS = {stat.S_IFDIR: "folder", stat.S_IFIFO: "pipe", stat.S_IFLNK: "link", stat.S_IFSOCK: "socket"}
WORDS = 300
"""Characters kept of what a tool said."""
CUT = " ..."
GOES_ON = 2
"""Lines in which a sentence goes on that ends with a colon."""
KEPT = "{kept}"
"""The place of the folder for what a program keeps."""
PLACE = re.compile(r"[^\s:]+:\d+(?::\d+)?: ")


FLEETING = (
    (re.compile(r"(?:/[\w.+-]+)+/(?=[\w.+-]+)"), ""),
    (re.compile(r"\bunit\d+(?:-[0-9a-f]{4,})?\b"), "unit"),
    (re.compile(r"\bcc[A-Za-z0-9]{6}(?=\.\w)"), "cc"),
    (re.compile(r"\b([a-z]+)-[A-Za-z0-9]{6}(?=:\d+: )"), r"\1"),
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "0x..."),
)
"""The parts of a tool's words that are others each time."""


class Limits(msgspec.Struct, frozen=True):
    """The limits of a child: seconds of wall time (a share per batch and one per probe) and bytes of memory."""

    base_seconds: float = 10.0
    probe_seconds: float = 0.05
    memory: int = 6 * GIBI

    def seconds(self, probes: int) -> float:
        """Wall time for a tool that works on `probes` probes."""
        return self.base_seconds + probes * self.probe_seconds


class Compiled(msgspec.Struct, frozen=True):
    """The result of a compilation; `words` are the tool's own, if it failed, and `suspects` the probes they name."""

    outcome: Outcome
    words: str = ""
    cpu_seconds: float = 0.0
    suspects: tuple[int, ...] = ()


def compile_unit(built: Built, text: str, output: Path, limits: Limits, probes: int) -> Compiled:
    """Compile `text` to the object file `output` with a subject built for a target."""
    done = run_compiler(built, text, output, limits, probes)
    outcome = classify(done, output)
    if outcome is Outcome.OBSERVED:
        return Compiled(outcome, cpu_seconds=done.cpu_seconds)
    words = failure_text(done, output.parent, output, text)
    if outcome is Outcome.CRASHED:
        words = crash_words(done.stderr)[:WORDS] or words
    return Compiled(outcome, words, done.cpu_seconds, suspects(done.stderr))


def run_compiler(built: Built, text: str, output: Path, limits: Limits, probes: int) -> child.Exit:
    """Run a compiler on `text`, for the object file `output`."""
    source = output.with_suffix(suffix_of(built))
    # Another compilation may have removed it.
    output.parent.mkdir(exist_ok=True)
    # C wants a line to end (C11 5.1.1.2), and lacc refuses a file whose last one does not.
    ended = text if text.endswith("\n") else f"{text}\n"
    # A compiler may have left a link to elsewhere under this name.
    replace(source, ended.encode())
    for name, beside in files_of(built).items():
        replace(output.parent / name, beside.encode())
    return child.run(
        command_of(built, source, output),
        timeout=limits.seconds(probes),
        memory=limits.memory,
        file_size=LARGEST,
        # Compilers of other languages leave descriptions of modules where they are.
        cwd=output.parent if built.language else None,
        env=environment_of(built, output.parent),
        scratch=output.parent,
    )


def suffix_of(built: Built) -> str:
    """Return the ending of source files' names."""
    return find_language(built.language).about.suffix if built.language else ".c"


def files_of(built: Built) -> Mapping[str, str]:
    """Files that the language of a compiler needs beside its source."""
    return find_language(built.language).about.files if built.language else {}


def command_of(built: Built, source: Path, output: Path) -> tuple[str, ...]:
    """The command that compiles one file."""
    if not built.language:
        return (*built.command[built.plain :], "-c", str(source), "-o", str(output))
    keeps = any(KEPT in word for word in built.words)
    return filled(built.words, source, output, kept_by(built.words[0]) if keeps else None)


def environment_of(built: Built, folder: Path) -> Mapping[str, str] | None:
    """The environment of a compiler, `None` for the usual one."""
    asked = find_language(built.language).about.environment if built.language else {}
    return {**child.surroundings(folder), **asked} if asked else None


def filled(words: Sequence[str], source: Path, output: Path, kept: Path | None = None) -> tuple[str, ...]:
    """The words of another language's command with the files, and the folders, in their places.

    What the program keeps lies beside the object unless it has a folder for that, `kept`.
    """
    places = {
        "{source}": str(source),
        "{object}": str(output),
        "{stem}": str(output.with_suffix("")),
        "{folder}": str(output.parent),
        KEPT: str(kept or output.parent),
    }
    return tuple(with_places(word, places) for word in words)


def kept_by(program: str) -> Path | None:
    """The folder for what a program keeps from one compilation to the next, as long as this process lives; none for a confined one."""
    return None if child.confines() else own(f"kept-{hashlib.sha256(program.encode()).hexdigest()[:16]}")


def with_places(word: str, places: Mapping[str, str]) -> str:
    """A word of a command with its places filled in."""
    for place, text in places.items():
        word = word.replace(place, text)
    return word


def classify(done: child.Exit, output: Path) -> Outcome:
    """Classify an exit: a compiler that was killed or that reports an internal error has crashed.

    Raises `Problem` when the machine had no room for what the tool would have written.
    """
    if done.timed_out:
        return Outcome.TIMED_OUT
    if done.ok and not unusable(output):
        return Outcome.OBSERVED
    if not done.ok:
        expect_room(output.parent, done.signal)
        if done.killed or NO_ROOM.search(done.stderr) or NO_MEMORY.search(ends(done.stderr)):
            return Outcome.NOT_RUN
    if is_crash(done):
        return Outcome.CRASHED
    return Outcome.REFUSED


def unusable(output: Path) -> str:
    """Return the reason why the file that a tool left at `output` cannot be read; empty if it can."""
    try:
        about = output.lstat()
    except FileNotFoundError:
        return "it wrote no object file"
    except OSError as error:
        return f"its object file cannot be found ({error.strerror})"
    if not stat.S_ISREG(about.st_mode):
        return f"it left a {KINDS.get(stat.S_IFMT(about.st_mode), 'device')} for an object file"
    if about.st_size > LARGEST:
        return f"its object file has {about.st_size} bytes"
    return "" if os.access(output, os.R_OK) else "its object file cannot be read"


def failure_text(done: child.Exit, folder: Path, output: Path | None = None, unit: str = "") -> str:
    """Return a tool's message, without the scratch folder, which differs from run to run; or else how it ended.

    `output` is the file that it should have written, and `unit` the text that it was given.
    """
    if not done.ok and done.killed:
        return "it was killed by somebody else, each time"
    said = settled(error_line(done.stderr.replace(f"{folder}/".encode(), b""), unit))
    if done.timed_out:
        return "it did not come to an end"
    if done.truncated:
        return "it printed without end"
    if done.signal:
        return f"{done.signal}: {said}" if said else done.signal
    if done.ok and output is not None and (why := unusable(output)):
        return why
    return said or ("it wrote no object file" if done.ok else f"exit status {done.returncode}")


def settled(words: str) -> str:
    """A tool's words without what is another each time: names of temporary files, and the number of a unit."""
    for pattern, instead in FLEETING:
        words = pattern.sub(instead, words)
    return words


def error_line(stderr: bytes, unit: str = "") -> str:
    """The first line in which a tool says what is wrong, or in which its sentence goes on, shortened at the end of a word.

    Lines that only repeat those of the `unit` that it was given say nothing; their place stands before what it says of them.
    """
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    lines = own_messages(lines, {line.strip() for line in unit.splitlines()})
    at = next((at for at, line in enumerate(lines) if "error" in line.lower()), 0)
    message = " ".join(lines[at : at + 1])
    # Linkers name what does not go together below.
    if message.endswith(":"):
        message = (
            f"{message} {', '.join(line.lstrip('> ') for line in lines[at + 1 : at + 1 + GOES_ON])}".strip()
        )
    if len(message) <= WORDS:
        return message
    head = message[: WORDS - len(CUT)]
    return f"{head.rpartition(' ')[0] or head}{CUT}"


def own_messages(lines: Sequence[str], echoed: Container[str]) -> list[str]:
    """Return a tool's own messages among its lines, each with its place: the lines of a file are `echoed` with theirs."""
    found: list[str] = []
    place = ""
    for line in lines:
        where, text = placed(line)
        if text in echoed:
            place = where
        elif line.startswith("^") and (words := line.strip("^~ ")):
            found.append(f"{place} {words}".strip())
            place = ""
        elif line.strip("^~| "):
            found.append(line)
    return found


def placed(line: str) -> tuple[str, str]:
    """A line apart into the place before it, such as `unit.c:4:`, and the rest."""
    found = PLACE.match(line)
    return (found[0].strip(), line[found.end() :].strip()) if found else ("", line)
