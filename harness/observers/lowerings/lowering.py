"""One lowering for one target: prototypes in, signatures out. A prototype that breaks it costs itself only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.machines.render.probe_markers import suspects
from abiprobe.harness.observers.attempt import Failed, parts
from abiprobe.harness.observers.lowerings.ir_text import Module, lines
from abiprobe.harness.observers.lowerings.signature import Role
from abiprobe.harness.observers.lowerings.unit import NAMED, unit
from abiprobe.harness.subjects.compile import LARGEST, Limits, classify, failure_text
from abiprobe.harness.subjects.crashes import crash_words
from abiprobe.oracles.lang import Prototype
from abiprobe.results.record import Outcome

TO_IR = ("-O0", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-ferror-limit=0")
SIMPLEST = "int v; int f(int a) { return a; }\n"
"""What a lowering takes that can be asked anything at all."""
REFUSED = re.compile(r"^probe_(\d+):\d+:\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
WARNED = re.compile(
    r"^(?:probe_(\d+):\d+:\d+: )?warning: (.*not(?: yet)? implemented.*)$", re.MULTILINE | re.IGNORECASE
)
FAILING_UNITS = 400
"""Compilations that fail, after which the rest of a batch is given up: a lowering that crashes on nearly everything."""
GIVEN_UP = "given up after too many failures in one batch"


class Lowered(msgspec.Struct, frozen=True):
    """What a lowering made of a prototype: the lines with its signatures, and what they refer to."""

    lines: Mapping[Role, str]
    module: Module


class Answers(msgspec.Struct):
    """What a lowering made of prototypes by their numbers, what it warned of, and the CPU seconds that it took."""

    found: dict[int, Lowered | Failed] = msgspec.field(default_factory=dict)
    warnings: dict[str, int] = msgspec.field(default_factory=dict)
    cpu_seconds: float = 0.0
    failing: int = 0


class Compiler(msgspec.Struct, frozen=True):
    """A lowering made ready: the command without input and output, and a scratch folder; `to_ir` asks for text of LLVM IR."""

    command: tuple[str, ...]
    folder: Path
    limits: Limits = Limits()
    to_ir: tuple[str, ...] = TO_IR

    def simplest(self) -> str:
        """Why not even the simplest unit is lowered, in the compiler's words; empty if it is."""
        seen = self._compile(SIMPLEST, 1, Answers())
        return seen.words if isinstance(seen, Failed) else ""

    def lower(self, functions: Sequence[Prototype]) -> Answers:
        """Lower prototypes together; those that are named in errors are left out, others found by halves."""
        answers = Answers()
        self._some(dict(enumerate(functions)), answers)
        return answers

    def _some(self, functions: Mapping[int, Prototype], answers: Answers) -> None:
        if not functions:
            return
        if answers.failing >= FAILING_UNITS:
            answers.found.update(dict.fromkeys(functions, Failed(Outcome.NOT_RUN, GIVEN_UP)))
            return
        seen = self._compile(unit(functions.items()), len(functions), answers)
        if isinstance(seen, str):
            answers.found.update(understood(seen, functions))
            return
        answers.failing += 1
        if len(functions) == 1:
            answers.found.update(dict.fromkeys(functions, seen))
            return
        named = {
            number: Failed(seen.outcome, words) for number, words in refusals(seen) if number in functions
        }
        if named and seen.outcome is Outcome.REFUSED:
            answers.found.update(named)
            self._some({number: one for number, one in functions.items() if number not in named}, answers)
            return
        numbers = list(functions)
        among = tuple(numbers.index(each) for each in seen.suspects if each in functions)
        for part in parts(len(numbers), among):
            self._some({numbers[i]: functions[numbers[i]] for i in part}, answers)

    def _compile(self, text: str, count: int, answers: Answers) -> str | Failed:
        """The IR of a unit; if there is none, `words` have all that the compiler said when it refused."""
        source, output = self.folder / "unit.c", self.folder / "unit.ll"
        output.unlink(missing_ok=True)
        source.write_text(text, "utf-8")
        done = child.run(
            (*self.command, *self.to_ir, str(source), "-o", str(output)),
            timeout=self.limits.seconds(count),
            memory=self.limits.memory,
            file_size=LARGEST,
            scratch=self.folder,
        )
        answers.cpu_seconds += done.cpu_seconds
        outcome = classify(done, output)
        said = done.stderr.decode("utf-8", "replace")
        if outcome is Outcome.OBSERVED:
            for _, words in WARNED.findall(said):
                answers.warnings[words] = answers.warnings.get(words, 0) + 1
            return output.read_text("utf-8", "replace")
        words = failure_text(done, self.folder, output)
        if outcome is Outcome.CRASHED:
            words = crash_words(done.stderr) or words
        elif count > 1 and outcome is Outcome.REFUSED:
            words = said
        else:
            words = without_place(words)
        return Failed(outcome, words, suspects(done.stderr))


def refusals(failed: Failed) -> Iterator[tuple[int, str]]:
    """The prototypes that a compiler's errors name, each with the first of its errors."""
    first: dict[int, str] = {}
    for number, words in REFUSED.findall(failed.words):
        first.setdefault(int(number), words)
    yield from first.items()


def without_place(words: str) -> str:
    """What a compiler said, without file, line and the numbers of ours, so that equal complaints read alike."""
    return re.sub(r"_\d+\b", "", re.sub(r"^\S+:\d+:\d+: |^(?:fatal )?error: ", "", words)).removeprefix(
        "error: "
    )


def understood(text: str, functions: Mapping[int, Prototype]) -> dict[int, Lowered | Failed]:
    """The lines with signatures that a unit's IR has of each prototype."""
    module = Module.of(text)
    found: dict[int, dict[Role, str]] = {number: {} for number in functions}
    for line in lines(text, NAMED.fullmatch):
        number = int(line.name.rpartition("_")[2])
        if number in found:
            found[number].setdefault(line.role, line.text)
    return {
        number: Lowered(own, module) if len(own) == len(Role) else Failed(Outcome.UNDECODED, missing(own))
        for number, own in found.items()
    }


def missing(found: Mapping[Role, str]) -> str:
    """Which lines the IR does not have."""
    return f"no {' and no '.join(role.value for role in Role if role not in found)} in the IR"
