"""`abiprobe corpus`: the questions that are asked every night."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from abiprobe.harness.api.arguments import named_targets
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.nights.corpus import by_sort, keep, kept, of_target
from abiprobe.harness.runs.run_files import read_begun_run, read_triaged_run
from abiprobe.harness.triage.cases import CLUSTER_ID, PROBE_ID, find_cases, questions_in, stored_question
from abiprobe.oracles.language.question import Question, probe
from abiprobe.results.journal.journal import NAME, Run
from abiprobe.results.report.json_form import SCHEMA
from abiprobe.results.verdicts.record import Judgement


def add(names: Sequence[str], run: Path | None, target: str | None, folder: Path, form: str = "text") -> int:
    """Keep the examples of a triaged run, of a cluster or probe, or what a file declares."""
    targets = named_targets(target) if target else ()
    found: list[Question] = []
    for name in names:
        if re.fullmatch(f"{CLUSTER_ID}|{PROBE_ID}", name):
            found += [case.question for case in find_cases(name, run, targets, None, ("O0",))]
        elif (Path(name) / NAME).exists():
            found += of_run(Path(name))
        elif name.endswith(".json"):
            found.append(stored_question(name))
        elif not targets:
            raise Problem(f"{name} is a file, and no target is named", "name one with --target")
        else:
            found += [question for each in targets for question in questions_in(name, each)]
    added = keep(found, folder)
    if form == "json":
        print_json({"schema": SCHEMA, "folder": str(folder), "added": added, "kept": len(list(kept(folder)))})
        return 0
    asides().print(f"{added} questions added, {len(list(kept(folder)))} kept in {folder}", soft_wrap=True)
    return 0


def of_run(folder: Path) -> Iterator[Question]:
    """The smallest examples of a run that was triaged."""
    _, clusters = read_triaged_run(folder)
    for cluster in clusters:
        yield from (finding.example for finding in cluster.findings if finding.steady)


def listing(target: str | None, form: str, folder: Path) -> int:
    """Print what users kept, or with a target everything that is asked of it."""
    if target is None:
        found = [("kept", question) for _, question in kept(folder)]
    else:
        own = {probe(question).id for _, question in kept(folder)}
        every = [
            question
            for one in named_targets(target)
            for part in by_sort(one, (*(question for _, question in kept(folder)), *of_target(one))).values()
            for question in part
        ]
        found = [("kept" if probe(one).id in own else "shipped", one) for one in every]
    if form == "json":
        items = [{"probe": probe(one).id, "origin": origin, "c": declaration(one)} for origin, one in found]
        print_json({"schema": SCHEMA, "questions": items})
        return 0
    console = answers()
    for origin, question in found:
        text = " ".join(declaration(question).split())
        console.print(f"{probe(question).id}  {origin:7}  {text}", soft_wrap=True, markup=False)
    asides().print(f"{len(found)} questions", soft_wrap=True)
    return 0


def prune(runs: Sequence[Path], folder: Path, form: str = "text", *, dry: bool) -> int:
    """Remove stored questions that each of `runs` asked and on which no compiler deviates in any of them.

    A question that one of the runs has not asked stays.
    """
    verdicts = [judgements(read_begun_run(run)) for run in runs]
    gone = 0
    for path, question in kept(folder):
        found = [each.get(probe(question).id) for each in verdicts]
        if all(one == {Judgement.AGREES} for one in found):
            gone += 1
            if not dry:
                path.unlink()
    if form == "json":
        print_json({"schema": SCHEMA, "folder": str(folder), "removed": gone, "dry_run": dry})
        return 0
    words = "would be removed from" if dry else "removed from"
    asides().print(f"{gone} questions {words} {folder}", soft_wrap=True)
    return 0


def judgements(run: Run) -> dict[str, set[Judgement]]:
    """Return the judgements of every probe of a run; those that could not be compared do not count."""
    found: dict[str, set[Judgement]] = {}
    for batch in run.batches:
        for verdict in batch.verdicts:
            of_probe = found.setdefault(verdict.probe, set())
            if verdict.verdict is not Judgement.UNOBSERVED:
                of_probe.add(verdict.verdict)
    return found
