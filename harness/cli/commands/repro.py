"""`abiprobe repro`: a bundle that shows a deviation by itself."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from rich.console import Console

from abiprobe.harness.api.arguments import level_names, named_targets
from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.bisect import timeline, versions
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.machines.register_files import listed_files
from abiprobe.harness.triage.bundles.bundle import PROGRAM, case_pairings, compiler, shown, sources
from abiprobe.harness.triage.bundles.issue import issue, newest
from abiprobe.harness.triage.cases import Case, families_of, find_cases, of_those_here
from abiprobe.harness.triage.maps import maps
from abiprobe.harness.triage.reduce import reduce
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.registry import cxx_call_model, cxx_model
from abiprobe.results.causes.traits import described, traits
from abiprobe.results.report.explain import explain
from abiprobe.results.report.json_form import SCHEMA
from abiprobe.results.report.maps import print_map
from abiprobe.results.report.plain import plain

MAKE_SECONDS = 120.0
SHOWN = 4
SIGNS = ("WRONG", "LOST", "DIFFERS")
"""Words that mark the lines of a bundle that show what is wrong, or what is lost where no text decides."""


def repro(
    name: str,
    out: Path,
    run: Path | None,
    target: str | None,
    subjects: str | None,
    levels: str,
    form: str = "text",
) -> int:
    """Write the bundle of one deviation to `out`, and see whether it fails as it should."""
    found = find_cases(name, run, named_targets(target) if target else (), subjects, level_names(levels))
    cases = tuple(map(of_those_here, found))
    case, files = bundled(cases)
    title = title_of(case)
    if len(cases) > 1:
        asides().print(f"{name} deviates in {len(cases)} ways; this is one of them", markup=False)
    files["derivation.txt"] = derivation(case)
    picture = map_text(case)
    files["expected-and-seen.txt"] = picture
    files |= issues(case, picture, subjects)
    write(out, files)
    if form == "text":
        answers().print(f"{title}\n{', '.join(sorted(files))} in {out}", markup=False, soft_wrap=True)
    tried = seen_to_fail(out, case)
    if form == "json":
        about = {"schema": SCHEMA, "title": title, "folder": str(out), "files": sorted(files)}
        print_json(about | {"tried": None if tried is None else msgspec.to_builtins(tried)})
    elif tried is not None:
        print_tried(tried)
    return 0 if tried is None or tried.as_expected else 1


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
        reduced.goal.fingerprint,
        case.deviating,
        case.agreeing,
        case.everyone,
        reduced=True,
    )


def title_of(case: Case) -> str:
    """Return what goes wrong, in a line."""
    what = case.fingerprint
    first = [newest(case, about)[0] for about in families_of(case)]
    who = ", ".join(dict.fromkeys((*first, *(subject for subject, _ in case.deviating))))
    return f"{who} for {what.target}: {defect(case)}"


def defect(case: Case) -> str:
    """Return what goes wrong, without who does it where."""
    return f"{described(traits(case.question))}: {case.fingerprint.symptom.value}"


def derivation(case: Case) -> str:
    """Return the derivation of the model's prediction, clause by clause."""
    records = (case.question,) if isinstance(case.question, Record) else ()
    functions = (case.question,) if isinstance(case.question, Prototype) else ()
    target, registers = case.target, listed_files(case.target)
    asked = (case.question,) if isinstance(case.question, Class) else ()
    classes = tuple((one, cxx_model(target).layout(one)) for one in asked)
    called = (case.question,) if isinstance(case.question, CxxPrototype) else ()
    cxx_calls = tuple((one, cxx_call_model(target).call(one)) for one in called)
    return plain(
        lambda console: explain(
            console, target.spelling, target.model(), records, functions, registers, classes, cxx_calls
        )
    )


def map_text(case: Case) -> str:
    """The model's bytes beside those of each compiler in the bundle."""
    made = maps(case.target, case.question, shown(case))

    def draw(console: Console) -> None:
        for one in made:
            print_map(console, one)

    return plain(draw)


def issues(case: Case, picture: str, subjects: str | None) -> dict[str, str]:
    """A text for the tracker of each family that deviates, with the versions that do and that do not."""
    texts = {}
    for about in families_of(case):
        found = timeline(case, versions(case, about, subjects), ("O0", "O2"), ())
        name = "issue-gcc.txt" if about == "gcc" else f"issue-{'llvm' if about == 'clang' else about}.md"
        texts[name] = issue(case, about, defect(case), picture, found)
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


class MakeResult(msgspec.Struct, frozen=True):
    """The result of `make` in a bundle: the rules that failed, those that should, and the lines that show what is wrong."""

    failed: tuple[str, ...]
    to_blame: tuple[str, ...]
    wrong: tuple[str, ...]
    as_expected: bool


def seen_to_fail(out: Path, case: Case) -> MakeResult | None:
    """Run the bundle once, keep what it printed, and clean up; `None` without `make`."""
    make = shutil.which("make")
    if make is None:
        asides().print("make is not installed: the bundle was not tested")
        return None
    programs = PROGRAM.findall((out / "Makefile").read_text("utf-8"))
    with steps("making the bundle", seconds=MAKE_SECONDS):
        done = child.run((make, "-k"), timeout=MAKE_SECONDS, cwd=out, programs=programs)
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    (out / "make-output.txt").write_text(said, "utf-8")
    child.run((make, "clean"), timeout=MAKE_SECONDS, cwd=out)
    failed = set(re.findall(r"\*\*\* \[Makefile:\d+: ([^\]]+)\]", said))
    incompatible = {one.rule for one in case_pairings(case) if one.incompatible}
    blamed = incompatible or {compiler(case, asked).rule for asked in case.deviating}
    wrong = tuple(line for line in said.splitlines() if any(sign in line for sign in SIGNS))
    # An error that no place explains is one of the bundle, save where the compiler or the program died.
    explained = bool(wrong) or bool(case.fingerprint.words) or "fault" in said
    # Of two that part, a value may still be found by chance in one of the two ways.
    fails = bool(failed & incompatible) if incompatible else failed == blamed
    return MakeResult(tuple(sorted(failed)), tuple(sorted(blamed)), wrong, fails and explained)


def print_tried(tried: MakeResult) -> None:
    """Print the result of `make`."""
    words = "make fails for " + ", ".join(tried.failed) if tried.failed else "make does not fail"
    ending = ", as expected" if tried.as_expected else f", but it should fail for {', '.join(tried.to_blame)}"
    answers().print(words + ending, markup=False)
    for line in tried.wrong[:SHOWN]:
        answers().print(f"  {line}", markup=False, soft_wrap=True)
