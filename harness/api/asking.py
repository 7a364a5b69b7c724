"""Ask compilers about declarations: what `abiprobe check` and `abiprobe.check` have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from abiprobe.harness.base.progress import counted
from abiprobe.harness.input import Skipped
from abiprobe.harness.input.declared import Declared
from abiprobe.harness.machines.render.name_units import entity_title
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.observers.division import run_in_parts
from abiprobe.harness.observers.registry import shortages
from abiprobe.harness.runs.working_subjects import left_out, told, usable
from abiprobe.harness.subjects.find import build, identity
from abiprobe.harness.subjects.options import by_isa
from abiprobe.harness.subjects.selection import select_subjects
from abiprobe.harness.subjects.subject import AtLevel, Subject
from abiprobe.harness.subjects.triples import remarks
from abiprobe.harness.triage.asked_again import Unsteady, unsteady
from abiprobe.oracles.language.cxx_calls import CxxPrototype, call_title
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import WITNESSES, ProbeKind, Question, Sort
from abiprobe.oracles.language.tables import Tables, tables_title
from abiprobe.oracles.model import Target
from abiprobe.results.coverage.counts import exit_status
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED, Coverage, coverage
from abiprobe.results.journal.journal import BatchDone, Named, Pairs
from abiprobe.results.known.deviations import Known
from abiprobe.results.known.matches import KnownMatches, exit_status_of, match_known
from abiprobe.results.report.summary import Summary


class Settings(msgspec.Struct, frozen=True):
    """Settings of a check: how compilers are asked, and what decides the exit status.

    `observe` keeps what each compiler shows beside the verdicts. With `strict` known deviations count; a function that
    cannot be asked counts as nothing compared unless `allow_skipped`.
    """

    levels: tuple[str, ...] = ("O0", "O2")
    witnesses: tuple[ProbeKind, ...] = tuple(WITNESSES.values())
    pairs: Pairs = Pairs.FIRST
    observe: bool = False
    strict: bool = False
    allow_skipped: bool = False


class Checked(msgspec.Struct, frozen=True):
    """The answers of compilers about declarations, by target.

    `found` are the deviations, known and new, `otherwise` those that a compiler does not show each time. `covered` says of
    whom nothing was compared.
    """

    answers: tuple[tuple[Declared, tuple[BatchDone, ...]], ...]
    found: KnownMatches
    otherwise: tuple[Unsteady, ...]
    covered: Coverage
    status: int

    @property
    def declared(self) -> tuple[Declared, ...]:
        """The declarations, by target."""
        return tuple(item for item, _ in self.answers)

    @property
    def batches(self) -> tuple[BatchDone, ...]:
        """The answers on all targets."""
        return tuple(batch for _, done in self.answers for batch in done)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The declarations that were not asked about."""
        return tuple(one for item in self.declared for one in item.skipped)


def ask(
    declared: Sequence[Declared],
    named: tuple[Subject, ...] | None,
    known: Known,
    how: Settings,
    tell: Callable[[str], None],
    *,
    cxx: bool,
) -> Checked:
    """Test the compilers that are `named`, or all that are installed, on the declarations for each target.

    `cxx` says that classes were read. `tell` gets a line for each thing that is left out, before anything is asked. Raises `Problem` when no compiler is there.
    """
    targets = tuple(item.target for item in declared)
    here = select_subjects(named, targets, lenient=True, cxx=cxx)
    working = usable(named or (), here, everywhere=True)
    subjects = working.subjects
    for lines in (
        shortages(targets),
        remarks(subjects),
        told(working.unusable),
        left_out(named or (), here),
    ):
        for line in lines:
            tell(line)
    answers = tuple(
        (item, tuple(probed(item, subjects[item.target], how)))
        for item in counted(declared, "targets", len(declared))
    )
    batches = tuple(batch for _, done in answers for batch in done)
    entries = known.in_force(datetime.now(UTC).date())
    found = match_known(batches, entries, versions(subjects, how.levels[0]))
    wanted = Named(tuple(map(str, targets)), tuple(one.spelling for one in named or ()), working.unusable)
    whole = Summary(batches)
    covered = coverage(batches, whole.comparisons, wanted, each=True)
    ended = exit_status(batches, wanted) if how.strict else status(found, whole, covered)
    untested = not how.allow_skipped and any(one.called for item in declared for one in item.skipped)
    if not ended and (untested or not covered.complete):
        ended = NOTHING_COMPARED
    return Checked(answers, found, tuple(unsteady(found.left, how.witnesses)), covered, ended)


def versions(subjects: Mapping[Target, Sequence[Subject]], level: str) -> dict[tuple[str, str], str]:
    """The version line of each subject for each target."""
    return {
        (target.spelling, subject.spelling): identity(built.command).version
        for target, here in subjects.items()
        for subject in here
        if (built := build(subject, target, level)) is not None
    }


def status(found: KnownMatches, whole: Summary, covered: Coverage) -> int:
    """Return the exit status for new deviations, for unexplained failures between two compilers, and for what was not compared."""
    new = {group.fingerprint.symptom for group in found.left}
    return exit_status_of(new, covered, more=bool(whole.unexplained))


def probed(declared: Declared, subjects: tuple[Subject, ...], how: Settings) -> list[BatchDone]:
    """Run the probes of the declarations on the subjects of one target, each at each level.

    A layout should not depend on the level; that is for an answer to say.
    """
    sorts = (
        (Sort.RECORDS, declared.records),
        (Sort.PROTOTYPES, declared.functions),
        (Sort.CLASSES, declared.classes),
        (Sort.CXX_CALLS, declared.calls),
    )
    able = {sort: tuple(subject for subject in subjects if is_asked(subject, sort)) for sort, _ in sorts}
    jobs = (
        Job(
            declared.target,
            number,
            sort,
            questions,
            tuple(AtLevel(subject, level) for subject in able[sort] for level in how.levels),
            observe=how.observe,
            witnesses=how.witnesses,
            pairs=how.pairs if sort in {Sort.PROTOTYPES, Sort.CXX_CALLS} else Pairs.NONE,
        )
        for sort, asked in sorts
        if able[sort]
        for number, questions in enumerate(by_isa(asked))
    )
    return [batch for job in jobs for batch in run_in_parts(job)]


def is_asked(subject: Subject, sort: Sort) -> bool:
    """Return whether a subject is tested with declarations of a sort: one of C++ with those of C++, and no other with them."""
    return subject.of_cxx is (sort in {Sort.CLASSES, Sort.CXX_CALLS})


def names_of(declared: Declared) -> dict[str, str]:
    """The name by which a file declares each question, by the id of its probe."""
    return {identity: name_of(question) for identity, question in declared.by_probe.items()}


def name_of(question: Question) -> str:
    """The name by which a file declares a question."""
    if isinstance(question, Entity):
        return entity_title(question)
    if isinstance(question, CxxPrototype):
        return call_title(question)
    if isinstance(question, Tables):
        return tables_title(question)
    return question.name if isinstance(question, Prototype) else f"{question.keyword} {question.tag}"
