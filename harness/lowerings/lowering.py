"""One lowering for one target: prototypes in, signatures out. A prototype that breaks it costs itself only."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.lowerings.ir_text import Module, lines
from abiprobe.harness.lowerings.signature import Role
from abiprobe.harness.lowerings.unit import NAMED, texts_of, unit
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.probe_markers import parts, suspects
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.subjects.compile import LARGEST, Limits, classify, failure_text, run_compiler
from abiprobe.harness.subjects.crashes import crash_words
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.results.verdicts.record import Outcome

TO_IR = (
    "-O0",
    "-Xclang",
    "-disable-llvm-passes",
    "-S",
    "-emit-llvm",
    "-ferror-limit=0",
    "-fno-caret-diagnostics",
)
IDENTITY = Prototype("f", Scalar(Kind.INT), (Param("a", Scalar(Kind.INT)),))
SIMPLEST = "int v; int f(int a) { return a; }\n"
"""A unit that every lowering takes which can be asked anything at all."""
REFUSED = re.compile(r"^probe_(\d+):\d+:\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
WARNED = re.compile(
    r"^(?:probe_(\d+):\d+:\d+: )?warning: (.*not(?: yet)? implemented.*)$", re.MULTILINE | re.IGNORECASE
)
FAILING_UNITS = 400
"""Compilations that fail, after which the rest of a batch is given up: a lowering that crashes on nearly everything."""
GIVEN_UP = "given up after too many failures in one batch"


class Lowered(msgspec.Struct, frozen=True):
    """A lowered prototype: the lines with its signatures, and their definitions; `language` is empty for C."""

    lines: Mapping[Role, str]
    module: Module
    language: str = ""


class Answers(msgspec.Struct):
    """The answers of a lowering about prototypes by number, its warnings, and the CPU seconds that it took.

    `nothing` says why not even the simplest unit is lowered; empty if it is, and `None` where nothing made anybody ask.
    """

    found: dict[int, Lowered | Failed] = msgspec.field(default_factory=dict)
    warnings: dict[str, int] = msgspec.field(default_factory=dict)
    cpu_seconds: float = 0.0
    failing: int = 0
    nothing: str | None = None


class LoweringCompiler(msgspec.Struct, frozen=True):
    """A lowering made ready: the command without input and output, and a scratch folder; `to_ir` asks for text of LLVM IR.

    With a `printer` it is of another language than C, and the command has places for the files.
    """

    command: tuple[str, ...]
    folder: Path
    limits: Limits = Limits()
    to_ir: tuple[str, ...] = TO_IR
    printer: Printer | None = None

    def simplest(self) -> str:
        """Return the reason why not even the simplest unit is lowered, in the compiler's words; empty if it is."""
        text = self._unit([self.printer.signatures(IDENTITY, 0)]) if self.printer is not None else SIMPLEST
        seen = self._compile(text, 1, Answers())
        return seen.words if isinstance(seen, Failed) else ""

    def lower(
        self, functions: Sequence[Prototype], texts: Sequence[str] = (), unlikely: Container[int] = ()
    ) -> Answers:
        """Lower prototypes together; those that are named in errors are left out, others found by halves.

        `texts` are the C of the prototypes, if somebody has it. The `unlikely` ones are asked apart, so that what they are
        refused for does not cost the others a second compilation. As soon as something fails in a way that says nothing of a
        prototype, the simplest unit is asked; where that is not lowered, nothing else is tried.
        """
        answers = Answers()
        given = self._texts(functions, texts, answers)
        apart = {number: text for number, text in given.items() if number in unlikely}
        for some in (apart, {number: text for number, text in given.items() if number not in apart}):
            self._some(some, answers)
        if answers.nothing is None and all(isinstance(one, Failed) for one in answers.found.values()):
            answers.nothing = self.simplest()
        return answers

    def _texts(
        self, functions: Sequence[Prototype], texts: Sequence[str], answers: Answers
    ) -> dict[int, str]:
        """Return the text of each prototype in the language that is lowered; those it cannot say are left out."""
        if self.printer is None:
            return dict(enumerate(texts or texts_of(functions)))
        made = {}
        for number, function in enumerate(functions):
            said = sayable(self.printer, function, number)
            if isinstance(said, Failed):
                answers.found[number] = said
            else:
                made[number] = said
        return made

    def _unit(self, texts: Iterable[str]) -> str:
        """The unit of some texts."""
        return unit(texts) if self.printer is None else self.printer.language.unit(list(texts))

    def _some(self, texts: Mapping[int, str], answers: Answers) -> None:
        if not texts:
            return
        if answers.nothing:
            answers.found.update(dict.fromkeys(texts, Failed(Outcome.REFUSED, answers.nothing)))
            return
        if answers.failing >= FAILING_UNITS:
            answers.found.update(dict.fromkeys(texts, Failed(Outcome.NOT_RUN, GIVEN_UP)))
            return
        seen = self._compile(self._unit(texts.values()), len(texts), answers)
        if isinstance(seen, str):
            language = "" if self.printer is None else self.printer.language.name
            answers.found.update(understood(seen, texts, language))
            return
        answers.failing += 1
        if len(texts) == 1:
            answers.found.update(dict.fromkeys(texts, seen))
            return
        named = {number: Failed(seen.outcome, words) for number, words in refusals(seen) if number in texts}
        if named and seen.outcome is Outcome.REFUSED:
            answers.found.update(named)
            self._some({number: one for number, one in texts.items() if number not in named}, answers)
            return
        if answers.nothing is None:
            answers.nothing = self.simplest()
        numbers = list(texts)
        among = tuple(numbers.index(each) for each in seen.suspects if each in texts)
        for part in parts(len(numbers), among):
            self._some({numbers[i]: texts[numbers[i]] for i in part}, answers)

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


def sayable(printer: Printer, function: Prototype, number: int) -> str | Failed:
    """Return the text of a prototype in a language, or the reason why there is none."""
    lacking = needs(function) & printer.language.lacks_to_define
    if lacking:
        return Failed(Outcome.UNSUPPORTED, f"the language has no {', '.join(sorted(lacking))}")
    try:
        return printer.signatures(function, number)
    except AbsentError as error:
        return Failed(Outcome.UNSUPPORTED, str(error))


def refusals(failed: Failed) -> Iterator[tuple[int, str]]:
    """The prototypes that a compiler's errors name, each with the first of its errors."""
    first: dict[int, str] = {}
    for number, words in REFUSED.findall(failed.words):
        first.setdefault(int(number), words)
    yield from first.items()


def without_place(words: str) -> str:
    """Return a compiler's message without file, line and our numbers, so that equal complaints are equal."""
    return re.sub(r"_\d+\b", "", re.sub(r"^\S+:\d+:\d+: |^(?:fatal )?error: ", "", words)).removeprefix(
        "error: "
    )


def understood(text: str, functions: Iterable[int], language: str = "") -> dict[int, Lowered | Failed]:
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
    """Return the lines that the IR does not have."""
    return f"no {' and no '.join(role.value for role in Role if role not in found)} in the IR"
