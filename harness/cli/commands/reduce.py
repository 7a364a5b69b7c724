"""`abiprobe reduce`: the smallest question that still shows a deviation."""

from __future__ import annotations

from pathlib import Path

import msgspec

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.api.arguments import level_names, named_targets
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.subjects.question_text import in_languages, question_text
from abiprobe.harness.triage.cases import Case, find_cases, of_those_here
from abiprobe.harness.triage.reduce import Reduced, reduce
from abiprobe.oracles.language.question import encode
from abiprobe.results.report.json_form import blame_json

SECONDS = 60.0
STATUS = {True: 0, False: 1}


def reduce_command(
    name: str,
    run: Path | None,
    target: str | None,
    subjects: str | None,
    levels: str,
    form: str,
    save: Path | None,
) -> int:
    """Reduce every deviation that `name` stands for, and print what is left of each."""
    targets = named_targets(target) if target else ()
    cases = tuple(map(of_those_here, find_cases(name, run, targets, subjects, level_names(levels))))
    done = [(case, reduce(case.question, case.goal, case.everyone, budget=SECONDS)) for case in cases]
    if save is not None:
        keep(save, done)
    if form == "json":
        print_json([as_json(case, reduced) for case, reduced in done])
    else:
        for case, reduced in done:
            print_reduced(case, reduced)
    return STATUS[all(reduced.confirmation.steady for _, reduced in done)]


def print_reduced(case: Case, reduced: Reduced) -> None:
    """One deviation, and the smallest question that shows it."""
    console, what = answers(), reduced.goal.fingerprint
    head = f"{what.target} {what.clause or what.words}: {what.symptom.value}"
    console.print(head, style="bold", markup=False, soft_wrap=True)
    console.print(f"  {reduced.confirmation.blame.describe(what.symptom)}", markup=False, soft_wrap=True)
    subjects = [subject for subject, _ in case.deviating]
    text = question_text(reduced.question, case.target, subjects).replace("\n", "\n    ")
    console.print(f"    {text}", markup=False, soft_wrap=True)
    asides().print(
        f"  {reduced.confirmation}; {reduced.rounds} rounds, {reduced.tried} candidates, {reduced.seconds:.1f} s, "
        f"cost {cost(case.question)} to {cost(reduced.question)}"
        + ("" if reduced.finished else ", not finished"),
        markup=False,
        soft_wrap=True,
    )


def as_json(case: Case, reduced: Reduced) -> dict[str, object]:
    """One reduction as plain values."""
    return {
        "fingerprint": msgspec.to_builtins(reduced.goal.fingerprint),
        "blame": blame_json(reduced.confirmation.blame),
        "example": declaration(reduced.question),
        "in_languages": in_languages(
            reduced.question, case.target, [subject for subject, _ in case.deviating]
        ),
        "question": msgspec.to_builtins(reduced.question),
        "confirmed": str(reduced.confirmation),
        "rounds": reduced.rounds,
        "candidates": reduced.tried,
        "seconds": round(reduced.seconds, 2),
        "finished": reduced.finished,
        "cost": [cost(case.question), cost(reduced.question)],
    }


def keep(path: Path, done: list[tuple[Case, Reduced]]) -> None:
    """Write the one reduced question as a corpus file, which `reduce`, `repro` and `bisect` read again."""
    if len({reduced.question for _, reduced in done}) != 1:
        raise Problem(
            f"{len(done)} deviations were reduced, and a corpus file holds one", "choose one with --target"
        )
    try:
        path.write_bytes(encode(done[0][1].question) + b"\n")
    except OSError as error:
        raise Problem(f"cannot write {path} ({error.strerror})") from error
