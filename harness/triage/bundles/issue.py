"""The text for a compiler's bug tracker: what is wrong by which clause, with the newest compiler that does it."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.base.text_templates import template
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.registry import observer_of, serving
from abiprobe.harness.subjects.find import at_level, build_at_level, identity, without_our_programs
from abiprobe.harness.subjects.question_text import in_languages
from abiprobe.harness.subjects.subject import Built
from abiprobe.harness.triage.bundles import explorer
from abiprobe.harness.triage.bundles.assembly import assembly
from abiprobe.harness.triage.bundles.bundle import shown
from abiprobe.harness.triage.bundles.snippet import is_shown, snippet
from abiprobe.harness.triage.cases import Case
from abiprobe.harness.triage.compiler_notes import notes
from abiprobe.harness.triage.exports.units import unit as unit_in
from abiprobe.harness.triage.witness_groups import counterpart, is_open, witness_groups
from abiprobe.oracles.language.question import CXX_QUESTIONS
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.versions import family, numbers_of
from abiprobe.oracles.text.clause import recorded_clause, recorded_source
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.fingerprint import Symptom
from abiprobe.results.causes.timeline import Version, VersionResult
from abiprobe.results.coverage.differing import in_words

TRACKERS = {"gcc": "gcc", "rustc": "rust", "zig-lang": "zig"}
"""The trackers that are not LLVM's, by family."""


def issue(case: Case, about: str, defect: str, picture: str, found: Sequence[Version]) -> str:
    """The issue for the tracker of one family (`about`), whose release its title names; `found` says which versions deviate."""
    what = case.fingerprint
    asked = newest(case, about)
    built = ready(case, asked)
    beside = beside_it(case, asked)
    unit = snippet(case.question) if is_shown(case.question) else ""
    gcc = about == "gcc"
    tracker = TRACKERS.get(about, "llvm")
    differs = what.symptom is Symptom.DIFFERS
    return template(__package__, "issue.md.j2").render(
        gcc=gcc,
        tracker=tracker,
        name=asked[0],
        title=f"{release(about, built)} for {what.target}: {defect}",
        target=what.target,
        crash=bool(what.words),
        words=what.words,
        fail=", ".join(one.subject for one in found if one.whole is VersionResult.BAD),
        work=", ".join(one.subject for one in found if one.whole is VersionResult.GOOD),
        version=version_of(built),
        command=" ".join(without_our_programs(built.words)[1:]),
        unit_there=unit_in(about, case.target, case.question).rstrip(),
        code=declaration(case.question),
        others=in_languages(case.question, case.target, (asked[0],)),
        open="" if gcc else f"```{'cpp' if is_of_cxx(case) else 'c'}\n",
        fence="" if gcc else "```\n",
        close="" if gcc else "\n```",
        clause=clause_text(what.clause),
        blame=who_is_where(case) if is_open(case) else follows(case),
        differs=differs,
        against=in_words(counterpart(case, (asked[0],))) if differs else "",
        open_question=is_open(case),
        component="c++" if is_of_cxx(case) else "target",
        map=picture.rstrip(),
        notes=notes(case.target, case.question, asked),
        explorer=explorer_link(case, unit, beside) if unit else "",
        unit=unit.rstrip(),
        listings=listings(case, unit, beside) if unit and not what.words else {},
    )


def newest(case: Case, about: str) -> Configuration:
    """The newest compiler of a family that deviates."""
    mine = [asked for asked in case.deviating if family(asked[0]) == about]
    return max(mine, key=lambda asked: numbers_of(version_of(ready(case, asked))))


def beside_it(case: Case, asked: Configuration) -> tuple[Configuration, ...]:
    """A compiler to blame and, where there is one, another that follows the text, or that parts from it where there is none."""
    if is_open(case):
        return (asked, *counterpart(case, (asked[0],)))
    agreeing = {one for one, _ in case.agreeing}
    other = next((one for one in shown(case) if one[0] in agreeing), None)
    return (asked,) if other is None else (asked, other)


def ready(case: Case, asked: Configuration) -> Built:
    """A compiler that was asked, made ready for the target of the case."""
    built = build_at_level(asked, case.target)
    assert built is not None, "it was asked a moment ago"
    return built


def release(about: str, built: Built) -> str:
    """The release of a family as its developers call it, whatever the program that has it is called: `clang 22.1.8`."""
    numbers = ".".join(map(str, numbers_of(version_of(built))))
    return f"{about.removesuffix('-lang')} {numbers}".strip()


def version_of(built: Built) -> str:
    """The version line of a compiler."""
    return identity(built.command).version


def clause_text(clause: str) -> str:
    """Return the text of a clause with its document, section, edition and address; empty if no clause is broken."""
    if not clause:
        return ""
    found, source = recorded_clause(clause), recorded_source(clause)
    where = f"{source.title} ({source.edition}), {found.section}"
    return f"{where} [{clause}]: {found.says}\n{source.page(found.section)}"


def who_is_where(case: Case) -> str:
    """Return a sentence with the groups that agree where no text decides."""
    found = "; ".join(map(str, witness_groups(case)))
    if case.fingerprint.symptom is Symptom.SELF_INCONSISTENT:
        return f"The documents leave this open, but caller and callee of one compiler disagree: {found}."
    return f"The documents leave this open, and compilers disagree: {found}."


def follows(case: Case) -> str:
    """Return a sentence with the compilers that follow the text."""
    names = tuple(dict.fromkeys(subject for subject, _ in case.agreeing))
    deviating = {subject for subject, _ in case.deviating}
    if not names and {subject for subject, _ in case.everyone} <= deviating:
        return (
            "No other compiler was tested."
            if len(deviating) == 1
            else "All compilers that were tested deviate."
        )
    if not names:
        return "No compiler that was tested follows the text."
    return f"{' and '.join(names)} {'follows' if len(names) == 1 else 'follow'} the text."


def explorer_link(case: Case, unit: str, beside: Sequence[Configuration]) -> str:
    """The unit in Compiler Explorer with these compilers, in the language of each; empty where it has none of them."""
    target = case.target
    of_c: list[dict[str, str]] = []
    others: list[tuple[str, str, Sequence[dict[str, str]]]] = []
    for asked in beside:
        built = ready(case, asked)
        name = family(asked[0])
        found = explorer.compiler(
            name, numbers_of(version_of(built)), target.name, options_there(built, target, asked)
        )
        text = unit_in(name, target, case.question) if built.language else ""
        if found is not None and text:
            others.append((explorer.LANGUAGES[name], text, (found,)))
        elif found is not None and not built.language:
            of_c.append(explorer.of_cxx(found) if is_of_cxx(case) else found)
    sessions = ([("c++" if is_of_cxx(case) else "c", unit, of_c)] if of_c else []) + others
    return explorer.link(sessions) if sessions else ""


def is_of_cxx(case: Case) -> bool:
    """Return whether compilers of C++ are asked."""
    return isinstance(case.question, CXX_QUESTIONS)


def options_there(built: Built, target: Target, asked: Configuration) -> tuple[str, ...]:
    """The options that a compiler needs at Compiler Explorer."""
    if built.language:
        about = find_language(built.language).about
        return (*about.targets.get(target.name, ()), *about.levels.get(asked[1], ()))
    words = without_our_programs(built.command)
    return words[2:] if words[1:2] == ("clang",) else words[1:]


def compiles_for_people(case: Case, asked: Configuration) -> bool:
    """Return whether a subject compiles the C that the question's usual observer asks, and not in a way of its own."""
    target, question = case.target, case.question
    usual = observer_of(target, question)
    subject = at_level(asked).subject
    served = serving(target, subject, type(question)) is type(usual)
    return served and not subject.family.language


def listings(case: Case, unit: str, beside: Sequence[Configuration]) -> dict[str, str]:
    """Return the assembly of each of some compilers for the unit, by its name and level."""
    found = {}
    for asked in beside:
        built = ready(case, asked)
        if compiles_for_people(case, asked):
            found[f"{asked[0]} -{asked[1]}"] = assembly(built.command, unit)
    return {name: text for name, text in found.items() if text}
