"""`abiprobe repro`: a bundle that shows a deviation by itself."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from abiprobe.harness import child
from abiprobe.harness.cases import Case, families_of, find_cases
from abiprobe.harness.commands.arguments import level_names, target_names
from abiprobe.harness.commands.bisect import timeline, versions
from abiprobe.harness.commands.console import answers, asides
from abiprobe.harness.commands.report import declaration
from abiprobe.harness.evidence import notes
from abiprobe.harness.maps import maps
from abiprobe.harness.problem import Problem
from abiprobe.harness.reduce import reduce
from abiprobe.harness.repro.bundle import compiler, shown, sources, template
from abiprobe.harness.toolchains.find import build, identity, parse_subject
from abiprobe.oracles.clause import find_clause
from abiprobe.oracles.lang import Prototype, Record
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.results.report.explain import explain
from abiprobe.results.report.maps import print_map
from abiprobe.results.timeline import Showing
from abiprobe.results.traits import described, traits

MAKE_SECONDS = 120.0
WIDTH = 120
SHOWN = 4


def repro(
    name: str, out: Path, run: Path | None, target: str | None, subjects: str | None, levels: str
) -> int:
    """Write the bundle of one deviation to `out`, and see whether it fails as it should."""
    cases = find_cases(name, run, target_names(target) if target else (), subjects, level_names(levels))
    case, files = bundled(cases)
    title = title_of(case)
    if len(cases) > 1:
        asides().print(f"{name} deviates in {len(cases)} ways; this is one of them", markup=False)
    files["derivation.txt"] = derivation(case)
    picture = map_text(case)
    files["expected-and-seen.txt"] = picture
    files |= issues(case, title, picture, subjects)
    write(out, files)
    answers().print(f"{title}\n{', '.join(sorted(files))} in {out}", markup=False, soft_wrap=True)
    return seen_to_fail(out, case)


def bundled(cases: Sequence[Case]) -> tuple[Case, dict[str, str]]:
    """The first case that a bundle can show, and its files; raises `Problem` when there is none."""
    for case in cases[:-1]:
        with suppress(Problem):
            return with_files(case)
    return with_files(cases[-1])


def with_files(case: Case) -> tuple[Case, dict[str, str]]:
    """A case with its smallest question, and the files that show it; raises `Problem` when nothing does."""
    small = smallest(case)
    return small, sources(small, title_of(small))


def smallest(case: Case) -> Case:
    """A case with the smallest question that shows it."""
    if case.reduced:
        return case
    reduced = reduce(case.question, case.goal, case.everyone)
    return Case(
        case.name,
        reduced.question,
        case.fingerprint,
        case.deviating,
        case.agreeing,
        case.everyone,
        reduced=True,
    )


def title_of(case: Case) -> str:
    """What goes wrong, in a line."""
    what = case.fingerprint
    who = ", ".join(dict.fromkeys(subject for subject, _ in case.deviating))
    return f"{who} for {what.target}: {described(traits(case.question))}: {what.symptom.value}"


def derivation(case: Case) -> str:
    """How the model comes to its prediction, clause by clause."""
    records = (case.question,) if isinstance(case.question, Record) else ()
    functions = (case.question,) if isinstance(case.question, Prototype) else ()
    target = case.fingerprint.target
    return printed(lambda console: explain(console, target, find_model(target), records, functions))


def map_text(case: Case) -> str:
    """The model's bytes beside those of each compiler in the bundle."""
    made = maps(case.fingerprint.target, case.question, shown(case))

    def draw(console: Console) -> None:
        for one in made:
            print_map(console, one)

    return printed(draw)


def printed(draw: Callable[[Console], None]) -> str:
    """What is printed to a console without colours."""
    file = io.StringIO()
    draw(Console(file=file, width=WIDTH, highlight=False, color_system=None))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()).rstrip() + "\n"


def issues(case: Case, title: str, picture: str, subjects: str | None) -> dict[str, str]:
    """A text for the tracker of each family that deviates, with the versions that do and that do not."""
    what = case.fingerprint
    texts = {}
    for about in families_of(case):
        asked = next(
            one
            for one in case.deviating
            if families_of(Case(case.name, case.question, what, (one,), (), ()))[0] == about
        )
        built = build(parse_subject(asked[0]), what.target, asked[1])
        assert built is not None, "it was asked a moment ago"
        found = timeline(case, versions(case, about, subjects), ("O0", "O2"), ())
        clause = find_clause(what.clause) if what.clause else None
        source = find_target(what.target)[0].sheet
        texts["issue-gcc.txt" if about == "gcc" else f"issue-{'llvm' if about == 'clang' else about}.md"] = (
            template("issue.md.j2").render(
                gcc=about == "gcc",
                title=title,
                target=what.target,
                crash=bool(what.words),
                words=what.words,
                fail=", ".join(one.subject for one in found if one.whole is Showing.BAD),
                work=", ".join(one.subject for one in found if one.whole is Showing.GOOD),
                version=identity(built.command).version,
                command=" ".join(built.command[1:]),
                code=declaration(case.question),
                fence="```" if about != "gcc" else "",
                fence_end="```" if about != "gcc" else "",
                clause_line=f"{clause.section}: {clause.says} ({what.clause}, sheet {source})"
                if clause
                else "",
                blame=f"{', '.join(dict.fromkeys(one for one, _ in case.agreeing)) or 'Nobody here'} follows the text",
                map=picture.rstrip(),
                notes=notes(what.target, case.question, asked),
                source="",
            )
        )
    return texts


def write(out: Path, files: dict[str, str]) -> None:
    """Write a bundle; raises `Problem` when that cannot be done."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise Problem(f"{out} is not empty", "choose another folder with --out")
        for name, text in files.items():
            (out / name).write_text(text, "utf-8")
    except OSError as error:
        raise Problem(f"cannot write {out} ({error.strerror})", "choose another folder with --out") from error


def seen_to_fail(out: Path, case: Case) -> int:
    """Run the bundle once, keep what it printed, and clean up; 0 when those to blame fail, and nobody else."""
    make = shutil.which("make")
    if make is None:
        asides().print("make is not installed, so the bundle was not tried")
        return 0
    done = child.run((make, "-k"), timeout=MAKE_SECONDS, cwd=out)
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    (out / "make-output.txt").write_text(said, "utf-8")
    child.run((make, "clean"), timeout=MAKE_SECONDS, cwd=out)
    failed = set(re.findall(r"\*\*\* \[Makefile:\d+: ([^\]]+)\]", said))
    blamed = {compiler(case, asked).rule for asked in case.deviating}
    wrong = [line for line in said.splitlines() if "WRONG" in line]
    # An error that no place explains is one of the bundle, save where the compiler or the program died.
    told = bool(wrong) or bool(case.fingerprint.words) or "fault" in said
    good = failed == blamed and told
    words = "make fails for " + ", ".join(sorted(failed)) if failed else "make does not fail"
    answers().print(
        words + (", as it should" if good else f"; to blame are {', '.join(sorted(blamed))}"), markup=False
    )
    for line in wrong[:SHOWN]:
        answers().print(f"  {line}", markup=False, soft_wrap=True)
    return 0 if good else 1
