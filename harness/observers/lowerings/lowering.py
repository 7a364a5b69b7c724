"""One lowering for one target: prototypes in, signatures out. A prototype that breaks it costs itself only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.probe_markers import suspects
from abiprobe.harness.observers.attempt import Failed, parts
from abiprobe.harness.observers.lowerings.ir_text import Module, lines
from abiprobe.harness.observers.lowerings.signature import Role
from abiprobe.harness.observers.lowerings.unit import NAMED, unit
from abiprobe.harness.subjects.compile import LARGEST, Limits, classify, failure_text, run_compiler
from abiprobe.harness.subjects.crashes import crash_words
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.constructs import needs
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.lang import Kind, Param, Prototype, Scalar
from abiprobe.results.record import Outcome

TO_IR = ("-O0", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-ferror-limit=0")
IDENTITY = Prototype("f", Scalar(Kind.INT), (Param("a", Scalar(Kind.INT)),))
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
    """What a lowering made of a prototype: the lines with its signatures, and what they refer to; `language` is empty for C."""

    lines: Mapping[Role, str]
    module: Module
    language: str = ""


class Answers(msgspec.Struct):
    """What a lowering made of prototypes by their numbers, what it warned of, and the CPU seconds that it took."""

    found: dict[int, Lowered | Failed] = msgspec.field(default_factory=dict)
    warnings: dict[str, int] = msgspec.field(default_factory=dict)
    cpu_seconds: float = 0.0
    failing: int = 0


class Compiler(msgspec.Struct, frozen=True):
    """A lowering made ready: the command without input and output, and a scratch folder; `to_ir` asks for text of LLVM IR.

    With a `printer` it is of another language than C, and the command has places for the files.
    """

    command: tuple[str, ...]
    folder: Path
    limits: Limits = Limits()
    to_ir: tuple[str, ...] = TO_IR
    printer: Printer | None = None

    def simplest(self) -> str:
        """Why not even the simplest unit is lowered, in the compiler's words; empty if it is."""
        text = self._text({0: IDENTITY}) if self.printer is not None else SIMPLEST
        seen = self._compile(text, 1, Answers())
        return seen.words if isinstance(seen, Failed) else ""

    def lower(self, functions: Sequence[Prototype]) -> Answers:
        """Lower prototypes together; those that are named in errors are left out, others found by halves."""
        answers = Answers()
        numbered = dict(enumerate(functions))
        if self.printer is not None:
            lacking = {number: unsayable(self.printer, one) for number, one in numbered.items()}
            answers.found.update(
                {number: Failed(Outcome.UNSUPPORTED, why) for number, why in lacking.items() if why}
            )
            numbered = {number: one for number, one in numbered.items() if not lacking[number]}
        self._some(numbered, answers)
        return answers

    def _text(self, functions: Mapping[int, Prototype]) -> str:
        """The unit about numbered prototypes, in the language that is lowered."""
        if self.printer is None:
            return unit(functions.items())
        texts = [self.printer.signatures(function, number) for number, function in functions.items()]
        return self.printer.language.unit(texts)

    def _some(self, functions: Mapping[int, Prototype], answers: Answers) -> None:
        if not functions:
            return
        if answers.failing >= FAILING_UNITS:
            answers.found.update(dict.fromkeys(functions, Failed(Outcome.NOT_RUN, GIVEN_UP)))
            return
        seen = self._compile(self._text(functions), len(functions), answers)
        if isinstance(seen, str):
            language = "" if self.printer is None else self.printer.language.name
            answers.found.update(understood(seen, functions, language))
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
        output = self.folder / "unit.ll"
        output.unlink(missing_ok=True)
        done = self._run(text, output, count)
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

    def _run(self, text: str, output: Path, count: int) -> child.Exit:
        """Run the compiler on a unit."""
        if self.printer is not None:
            return run_compiler(Built(self.command), text, output, self.limits, count)
        source = self.folder / "unit.c"
        source.write_text(text, "utf-8")
        return child.run(
            (*self.command, *self.to_ir, str(source), "-o", str(output)),
            timeout=self.limits.seconds(count),
            memory=self.limits.memory,
            file_size=LARGEST,
            scratch=self.folder,
        )


def unsayable(printer: Printer, function: Prototype) -> str:
    """Why a prototype cannot be said in a language, or not where it is lowered; empty if it can."""
    lacking = needs(function) & printer.language.lacks
    if lacking:
        return f"the language has no {', '.join(sorted(lacking))}"
    try:
        printer.signatures(function, 0)
    except AbsentError as error:
        return str(error)
    return ""


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


def understood(
    text: str, functions: Mapping[int, Prototype], language: str = ""
) -> dict[int, Lowered | Failed]:
    """The lines with signatures that a unit's IR has of each prototype."""
    module = Module.of(text)
    found: dict[int, dict[Role, str]] = {number: {} for number in functions}
    for line in lines(text, NAMED.fullmatch):
        number = int(line.name.rpartition("_")[2])
        if number in found:
            found[number].setdefault(line.role, line.text)
    return {
        number: Lowered(own, module, language)
        if len(own) == len(Role)
        else Failed(Outcome.UNDECODED, missing(own))
        for number, own in found.items()
    }


def missing(found: Mapping[Role, str]) -> str:
    """Which lines the IR does not have."""
    return f"no {' and no '.join(role.value for role in Role if role not in found)} in the IR"
