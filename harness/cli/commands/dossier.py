"""`abiprobe dossier`: the known bugs that matter most and are not reported yet, each as the text of an issue."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from abiprobe.harness.api.checking import Answer, check
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.table_file import Table, read, text_of
from abiprobe.harness.base.text_templates import template
from abiprobe.harness.cli.commands.console import answers, print_json, print_lines
from abiprobe.harness.cli.commands.dossier_program import program
from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.subjects.find import build_at_level, identity
from abiprobe.harness.subjects.selection import select_subjects
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.quirk import Quirk, Status
from abiprobe.oracles.quirks.versions import family, numbers_of
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.oracles.text.clause import recorded_clause, recorded_source
from abiprobe.results.known.deviations import Known, concerns
from abiprobe.results.known.importance import Bug, open_ended, rank, targets
from abiprobe.results.report.json_form import SCHEMA

LEVELS = ("O0", "O2")
UNREPORTED = "unreported"
TABLE = "reports.tsv"
REMARK = (
    "Kept by hand; `abiprobe dossier --out DIR` makes the rows, and leaves the last two columns as they are."
)
COLUMNS = ("number", "compiler", "target", "clause", "bug", "report", "answer")
NOT_YET = ("not yet", "-")
"""The last two cells of a bug that nobody has reported since."""


class Compiler(msgspec.Struct, frozen=True):
    """A compiler by the name that abiprobe has for it, its version line, its release as its developers call it, and its options."""

    subject: str
    version: str
    release: str
    options: str = ""


class Report(msgspec.Struct, frozen=True):
    """A bug that a compiler shows today: its place in the dossier, where it was seen, and the text of the issue.

    `program` has the files of a program in C that shows it, by name; none where there is no such program.
    """

    number: int
    bug: str
    compiler: str
    target: str
    clause: str
    text: str
    program: Mapping[str, str] = {}


def dossier(count: int, out: Path | None, form: str, known: Known) -> int:
    """Write the issues of the bugs that matter most and that an installed compiler shows today; raises `Problem` if there is none."""
    found = list(reports(known, count, programs=out is not None))
    if not found:
        raise Problem("no installed compiler shows a bug that is not reported", "see: abiprobe doctor")
    if out is not None:
        write(out, found)
    if form == "json":
        print_json({"schema": SCHEMA, "reports": msgspec.to_builtins(found)})
        return 0
    print_lines(f"{one.number:>3}  {one.compiler}, {one.target}: {one.bug}" for one in found)
    if out is not None:
        answers().print(f"{len(found)} issues in {out}", markup=False, highlight=False)
    return 0


def reports(known: Known, count: int, *, programs: bool = False) -> Iterator[Report]:
    """Yield the first `count` bugs in the order in which they matter that an installed compiler shows now, with `programs` or without."""
    here: dict[str, tuple[Compiler, ...]] = {}
    number = 0
    for bug in by_importance(known):
        for target in targets(bug):
            compilers = here[target] if target in here else here.setdefault(target, tuple(installed(target)))
            compiler = next((one for one in compilers if has(bug, target, one)), None)
            shown = () if compiler is None else seen(bug, target, compiler)
            if compiler is not None and shown:
                number += 1
                names = {one.name for one in shown}
                files = program(bug.example, names, target, compiler.subject, LEVELS) if programs else {}
                yield Report(
                    number,
                    bug.name,
                    compiler.release,
                    target,
                    shown[0].verdict.clause,
                    text(bug, target, compiler, shown, attached=bool(files)),
                    files,
                )
                break
        if number == count:
            return


def by_importance(known: Known) -> list[Bug]:
    """The bugs in C that are not reported, which no release is known to have fixed, the one that matters most first."""
    every: tuple[Bug, ...] = (*known.quirks, *known.entries)
    bugs = [
        one
        for one in every
        if one.status.value == Status.BUG.value and one.link == UNREPORTED and open_ended(one)
    ]
    asked = {one.name: questions(one) for one in bugs if targets(one)}
    return sorted((one for one in bugs if asked.get(one.name)), key=lambda one: rank(one, asked[one.name]))


def questions(bug: Bug) -> tuple[Question, ...]:
    """The declarations of a bug's example; none of one in C++, or that its first target does not read."""
    if isinstance(bug, Quirk) and bug.cxx:
        return ()
    try:
        return declared_in_ours(bug.example, TARGETS[targets(bug)[0]]).questions
    except Problem:
        return ()


def installed(target: str) -> Iterator[Compiler]:
    """The compilers of C for a target, the newest of each family first."""
    place = find_target(target)
    found: list[tuple[tuple[int, ...], Compiler]] = []
    try:
        subjects = select_subjects(None, (place,), lenient=True)[place]
    except Problem:
        return
    for subject in subjects:
        built = build_at_level((subject.spelling, LEVELS[0]), place)
        if built is not None:
            version = identity(built.command).version
            numbers = numbers_of(version)
            release = f"{family(subject.spelling)} {'.'.join(map(str, numbers))}".strip()
            found.append((numbers, Compiler(subject.spelling, version, release, options(built.command))))
    yield from (one for _, one in sorted(found, key=lambda item: item[0], reverse=True))


def options(command: tuple[str, ...]) -> str:
    """The options of a command that tell what it builds for: those that begin with -m, and --target."""
    return shlex.join(word for word in command if word.startswith(("-m", "--target=")))


def has(bug: Bug, target: str, compiler: Compiler) -> bool:
    """Return whether a bug is known of a version of a compiler on a target."""
    if isinstance(bug, Quirk):
        return bug.has(target, compiler.subject, compiler.version)
    return concerns(bug, target, compiler.subject, compiler.version)


def seen(bug: Bug, target: str, compiler: Compiler) -> tuple[Answer, ...]:
    """The answers by which a compiler shows a bug now, each known by its name."""
    try:
        found = check(bug.example, target, [compiler.subject], levels=LEVELS, pairs="none")
    except Problem:
        return ()
    return tuple(one for one in found.deviations if bug.name in one.known)


def text(
    bug: Bug, target: str, compiler: Compiler, shown: Sequence[Answer], *, attached: bool = False
) -> str:
    """The issue for the tracker of the compiler's family, to which a program may be attached."""
    lines = dict.fromkeys(
        f"-{one.level}: {one.name}: {one.verdict.detail or one.verdict.outcome.value}" for one in shown
    )
    others = dict.fromkeys(name for one in shown for name in one.known if name != bug.name)
    clauses = dict.fromkeys(one.verdict.clause for one in shown if one.verdict.clause)
    cited = [(recorded_clause(name), recorded_source(name)) for name in clauses]
    return template(__package__, "dossier.md.j2").render(
        gcc=family(compiler.subject) == "gcc",
        bug=bug,
        target=target,
        compiler=compiler,
        code="\n".join(line.strip() for line in bug.example.strip().splitlines()),
        lines=list(lines),
        others=list(others),
        cited=cited,
        attached=attached,
        today=datetime.now(UTC).date().isoformat(),
    )


def write(out: Path, found: Iterable[Report]) -> None:
    """Write a file for each issue, a folder for its program, and a table of all, which keeps what was entered of a bug; raises `Problem` if it cannot."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        entered = entered_before(out / TABLE)
        rows = []
        for one in found:
            path = out / file_name(one)
            path.write_text(one.text, "utf-8")
            for name, code in one.program.items():
                path.with_suffix("").mkdir(exist_ok=True)
                (path.with_suffix("") / name).write_text(code, "utf-8")
            report, answer = entered.get(one.bug, NOT_YET)
            cells = (str(one.number), one.compiler, one.target, one.clause, one.bug, report, answer)
            rows.append(dict(zip(COLUMNS, cells, strict=True)))
        (out / TABLE).write_text(text_of(Table(REMARK, COLUMNS, tuple(rows))), "utf-8")
    except OSError as error:
        raise Problem(
            f"cannot write to {out} ({error.strerror})", "choose another folder with --out"
        ) from error


def file_name(one: Report) -> str:
    """The name of an issue's file: its number, the compiler and the bug."""
    words = re.sub(r"[^a-z0-9]+", "-", f"{one.compiler} {one.bug}".lower()).strip("-")
    return f"{one.number:02}-{words[:60]}.md"


def entered_before(path: Path) -> Mapping[str, tuple[str, str]]:
    """Reports and answers of a table, by bug; nothing where there is no table. Raises `Problem` for another file."""
    if not path.is_file():
        return {}
    try:
        return {row["bug"]: (row["report"], row["answer"]) for row in read(path).rows}
    except (ValueError, KeyError) as error:
        raise Problem(
            f"{path} is no table of reports ({error})", "choose another folder with --out"
        ) from error
