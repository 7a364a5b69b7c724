"""`abiprobe check`: test compilers on the declarations in a file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.cache import warn_once
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands.arguments import level_names, target_names, witness_names
from abiprobe.harness.cli.commands.baselines import (
    NO_BASELINES,
    Baselines,
    change_lines,
    compared,
    of_target,
    read_baseline,
    status_with,
)
from abiprobe.harness.cli.commands.console import answers, asides, print_json, print_lines
from abiprobe.harness.cli.commands.predict import said_of
from abiprobe.harness.input import STRICT, ReadOptions
from abiprobe.harness.input.compile_commands import options_for, read_commands
from abiprobe.harness.input.declared import Declared, by_target, declared_in_files
from abiprobe.harness.input.unit import CXX_SUFFIXES
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.observers.registry import shortages
from abiprobe.harness.runs.working_subjects import left_out, told, usable
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.harness.subjects.options import by_isa
from abiprobe.harness.subjects.selection import select_subjects, subject_names
from abiprobe.harness.subjects.triples import remarks
from abiprobe.harness.triage.asked_again import Unsteady, unsteady
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import WITNESSES, ProbeKind, Question, probe
from abiprobe.results.coverage.counts import exit_status, subject_verdicts
from abiprobe.results.coverage.differing import comparisons
from abiprobe.results.coverage.pairs import pairings
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED, Coverage, coverage
from abiprobe.results.journal.journal import BatchDone, Named, Pairs
from abiprobe.results.known.deviations import Known
from abiprobe.results.known.matches import KnownMatches, exit_status_of, match_known
from abiprobe.results.report.causes_text import print_known
from abiprobe.results.report.input_summary import (
    input_json,
    input_lines,
    lines_by_target,
    skipped_lines,
    unsupported_lines,
    verdict_lines,
)
from abiprobe.results.report.json_form import differences_json, verdict_json
from abiprobe.results.report.prediction import prediction
from abiprobe.results.report.run_json import comparison_json
from abiprobe.results.report.terminal import report
from abiprobe.results.report.uncompared_json import uncompared_json
from abiprobe.results.verdicts.record import Judgement

RECORDS, PROTOTYPES, CLASSES = "records", "prototypes", "classes"


def check(
    files: Sequence[str],
    target: str,
    subjects: str | None,
    levels: str,
    form: str,
    witnesses: str | None = None,
    pairs: str = "first",
    *,
    known: Known,
    strict: bool = False,
    how: ReadOptions = STRICT,
    commands: Path | None = None,
    baselines: Baselines = NO_BASELINES,
    verbose: bool = False,
    allow_skipped: bool = False,
) -> int:
    """Test the subjects of each target on every record and prototype in `files`, and print the verdicts.

    Known deviations are printed in a line each and do not affect the exit status, unless `strict`. `commands` is a
    compilation database, from which the files are read. A function that cannot be asked counts as nothing compared, unless
    `allow_skipped`.
    """
    warn_once()
    chosen = level_names(levels)
    asked = tuple(WITNESSES.values()) if witnesses is None else witness_names(witnesses)
    targets = target_names(target)
    kept = read_baseline(baselines.compared, targets)
    named = () if subjects is None else subject_names(subjects)
    wanted_cxx = languages(named, files)
    how = msgspec.structs.replace(
        how,
        interface=baselines.wanted,
        classes=wanted_cxx is not Cxx.NONE,
        cxx=wanted_cxx is Cxx.ALONE,
        both=wanted_cxx is Cxx.BESIDE_C,
    )
    reading = reading_of(files, how, commands)
    reads = counted(targets, "reading for each target", len(targets))
    read = [declared_in_files(files, name, reading) for name in reads]
    declared = by_target(read)
    names = tuple(item.target for item in declared)
    found_here = select_subjects(subjects, names, lenient=True, cxx=wanted_cxx is not Cxx.NONE)
    working = usable(named, found_here, everywhere=True)
    spellings = working.subjects
    wanted = Named(names, named, working.unusable)
    for line in (
        *shortages(names),
        *remarks(spellings),
        *told(working.unusable),
        *left_out(named, found_here),
    ):
        asides().print(line, soft_wrap=True, markup=False, highlight=False)
    checked = [
        (item, run_probes(item, spellings[item.target], chosen, asked, Pairs(pairs), observe=form == "json"))
        for item in counted(declared, "targets", len(declared))
    ]
    batches = tuple(batch for _, done in checked for batch in done)
    found = match_known(batches, known.in_force(datetime.now(UTC).date()), versions(spellings, chosen[0]))
    otherwise = unsteady(found.left, asked)
    since = compared(kept, read, baselines)
    covered = coverage(batches, wanted, each=True)
    skipped = tuple(one for item in declared for one in item.skipped)
    ended = exit_status(batches, wanted) if strict else status(found, batches, wanted)
    untested = not allow_skipped and any(one.called for one in skipped)
    if not ended and (untested or not covered.complete):
        ended = NOTHING_COMPARED
    if form == "json":
        values = [
            as_json(item, done, found, covered, otherwise) | of_target(item.target, since)
            for item, done in checked
        ]
        print_json(values[0] if len(values) == 1 else values)
    else:
        print_lines(lines_by_target([(item.target, asked_lines(item)) for item in declared]))
        console = answers()
        report(console, batches, declaration, None if strict else found.news())
        print_lines(unsupported_lines(batches))
        print_known(console, found.recurrences())
        print_lines(map(str, otherwise))
        if verbose:
            for item, done in checked:
                asked_there: tuple[Question, ...] = (*item.records, *item.functions, *item.classes)
                print_lines(verdict_lines(item.target, asked_there, done))
        print_lines(change_lines(since))
        print_lines(covered.lines)
        print_lines(skipped_lines(skipped, allowed=allow_skipped))
    return status_with(since, ended)


class Cxx(Enum):
    """Whether classes of C++ are asked about."""

    NONE = "no"
    BESIDE_C = "beside what C has"
    ALONE = "they alone"


def languages(named: Sequence[str], files: Sequence[str]) -> Cxx:
    """Whether classes are asked about, by the subjects that are `named`, or where none is by the names of the files."""
    if not named:
        return Cxx.BESIDE_C if any(Path(file).suffix in CXX_SUFFIXES for file in files) else Cxx.NONE
    of_cxx = list(map(is_of_cxx, named))
    return Cxx.ALONE if all(of_cxx) else Cxx.BESIDE_C if any(of_cxx) else Cxx.NONE


def reading_of(files: Sequence[str], how: ReadOptions, commands: Path | None) -> dict[str, ReadOptions]:
    """How each file is read: as the options say, and before them what a compilation database says."""
    if commands is None:
        return dict.fromkeys(files, how)
    found = read_commands(commands)
    return {
        file: msgspec.structs.replace(how, options=(*options_for(file, found), *how.options))
        for file in files
    }


def asked_lines(item: Declared) -> list[str]:
    """How many declarations are tested for one target, and why others are not."""
    counts = len(item.records), len(item.functions)
    return list(input_lines(*counts, item.skipped, item.elsewhere, len(item.classes)))


def versions(spellings: Mapping[str, Sequence[str]], level: str) -> dict[tuple[str, str], str]:
    """The version line of each subject for each target."""
    return {
        (target, spelling): identity(built.command).version
        for target, named in spellings.items()
        for spelling in named
        if (built := build(parse_subject(spelling), target, level)) is not None
    }


def status(found: KnownMatches, batches: Collection[BatchDone], named: Named) -> int:
    """Return the exit status for new deviations, for unexplained failures between two compilers, and for what was `named`."""
    new = {group.fingerprint.symptom for group in found.left}
    open_pairs = any(item.failed > item.explained for item in pairings(batches))
    return exit_status_of(new, batches, named, more=open_pairs)


def run_probes(
    declared: Declared,
    subjects: tuple[str, ...],
    levels: tuple[str, ...],
    witnesses: tuple[ProbeKind, ...],
    pairs: Pairs,
    *,
    observe: bool,
) -> list[BatchDone]:
    """Run the probes of the declarations on the subjects of one target, each at each level.

    A layout should not depend on the level; that is for an answer to say.
    """
    sorts = (
        (RECORDS, declared.records),
        (PROTOTYPES, declared.functions),
        (CLASSES, declared.classes),
    )
    able = {sort: tuple(subject for subject in subjects if is_asked(subject, sort)) for sort, _ in sorts}
    jobs = (
        Job(
            declared.target,
            number,
            sort,
            questions,
            tuple((subject, level) for subject in able[sort] for level in levels),
            observe=observe,
            witnesses=witnesses,
            pairs=pairs if sort == PROTOTYPES else Pairs.NONE,
        )
        for sort, asked in sorts
        if able[sort]
        for number, questions in enumerate(by_isa(asked))
    )
    return [batch for job in jobs for batch in run_job(job)]


def is_asked(subject: str, sort: str) -> bool:
    """Whether a subject is asked about declarations of a sort: one of C++ about classes, and no other about them."""
    return is_of_cxx(subject) is (sort == CLASSES)


def is_of_cxx(subject: str) -> bool:
    """Whether a subject is a compiler of C++."""
    return CLASSES in parse_subject(subject).family.observers


def as_json(
    declared: Declared,
    batches: list[BatchDone],
    found: KnownMatches,
    covered: Coverage,
    otherwise: Sequence[Unsteady],
) -> dict[str, Any]:
    """Return the prediction, observations and verdicts as plain values, with the names of matching entries."""
    names_of = found.names()
    questions: tuple[Question, ...] = (*declared.records, *declared.functions, *declared.classes)
    names = {probe(question).id: name_of(question) for question in questions}
    value = prediction(*said_of(declared))
    value |= input_json(declared.skipped, declared.elsewhere)
    value["observations"] = [
        {
            "subject": batch.key.subject,
            "opt": batch.key.level,
            "name": names[note.probe],
            **msgspec.to_builtins(note),
        }
        for batch in batches
        for note in batch.observed
    ]
    value["verdicts"] = [
        {
            "subject": batch.key.subject,
            "opt": batch.key.level,
            "name": names[verdict.probe],
            "clause": "",
            "detail": "",
            **verdict_json(verdict),
            **(
                {"known": list(names_known)}
                if verdict.verdict is Judgement.DEVIATES
                and (names_known := names_of.get((batch.key.target, batch.key.subject, verdict.probe)))
                else {}
            ),
        }
        for batch in batches
        for verdict in subject_verdicts(batch)
    ]
    # Neither of two is to blame, so what they do together belongs to neither.
    value["pairs"] = [
        {
            "caller": batch.key.subject,
            "callee": verdict.partner,
            "opt": batch.key.level,
            "name": names[verdict.probe],
            "verdict": verdict.verdict.value,
            "outcome": verdict.outcome.value,
            "detail": verdict.detail,
            "differences": differences_json(verdict.differences),
        }
        for batch in batches
        for verdict in batch.verdicts
        if verdict.kind is ProbeKind.PAIR
    ]
    value["open"] = [{"name": names[item.probe], **comparison_json(item)} for item in comparisons(batches)]
    value["contradicts_itself"] = [
        {"subject": one.subject, "opt": one.level, "names": [names[probe] for probe in one.probes]}
        for one in otherwise
        if one.target == declared.target
    ]
    value["uncompared"] = uncompared_json(covered, declared.target)
    return value


def name_of(question: Question) -> str:
    """The name by which a file declares a question."""
    return question.name if isinstance(question, Prototype) else f"{question.keyword} {question.tag}"
