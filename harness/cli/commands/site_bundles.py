"""The bundle beside a cause's page: what `repro` writes, from what a run and its maps have told already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.cli.commands.export import as_blamed
from abiprobe.harness.cli.commands.repro import derivation, title_of, with_files
from abiprobe.harness.nights.site import Bundle
from abiprobe.harness.runs.availability import Availability
from abiprobe.harness.triage.bundles.issue import beside_it, explorer_link, issue, newest
from abiprobe.harness.triage.bundles.snippet import is_shown, snippet
from abiprobe.harness.triage.cases import Case, case_of, families_of, of_those_here
from abiprobe.harness.triage.exports.forms import Form, export
from abiprobe.harness.triage.exports.trying import require_shown, tried
from abiprobe.oracles.quirks.versions import family, numbers_of
from abiprobe.results.causes.timeline import Version, VersionResult
from abiprobe.results.report.maps import Map, print_map
from abiprobe.results.report.plain import plain
from abiprobe.results.site.cause_status import StatusTable
from abiprobe.results.site.sightings import Sighting


def bundle(one: Sighting, maps: Sequence[Map], shown: StatusTable, near: Availability) -> Bundle | None:
    """Return a bundle that reproduces a cause; `None` if its compilers are not here, or nothing reproduces it by itself."""
    if not one.cluster.first.steady:
        return None
    with suppress(Problem):
        case = of_those_here(case_of(one.cluster.id, one.cluster, one.of.run, near))
        if not case.reduced:
            return None
        case, files = with_files(case)
        picture = picture_of(maps)
        files["derivation.txt"] = derivation(case)
        if picture:
            files["expected-and-seen.txt"] = picture
        for about in families_of(case):
            name = "issue-gcc.txt" if about == "gcc" else f"issue-{'llvm' if about == 'clang' else about}.md"
            files[name] = issue(case, about, title_of(case), picture, timeline_of(case, about, shown))
        return Bundle(files, explorer(case), tests_of(case))
    return None


SUITES = {"clang": Form.FILECHECK, "gcc": Form.GCC_DG, "rustc": Form.RUSTC, "zig-lang": Form.ZIG}
"""The form of the tests of each family's own suite."""


def tests_of(case: Case) -> dict[str, dict[str, str]]:
    """A test in C, and one for the suite of each family that deviates, by its form; those that can show it."""
    found = {}
    for form in (*(SUITES[about] for about in families_of(case) if about in SUITES), Form.C):
        with suppress(Problem):
            files = export(case, form)
            if form is not Form.FILECHECK or fails_for_the_guilty(case, files):
                found[form.value] = files
    return found


def fails_for_the_guilty(case: Case, files: Mapping[str, str]) -> bool:
    """Return whether the signatures of the case's compilers are as a test says; `Problem` if the signature does not show it."""
    with temporary() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, "utf-8")
        seen = tried(case, Form.FILECHECK, Path(folder))
    require_shown(case, Form.FILECHECK, seen)
    return as_blamed(case, seen)


def picture_of(maps: Sequence[Map]) -> str:
    """The maps as text."""

    def draw(console: Console) -> None:
        for one in maps:
            print_map(console, one)

    return plain(draw) if maps else ""


def timeline_of(case: Case, about: str, shown: StatusTable) -> tuple[Version, ...]:
    """Return the results of a family's versions in the runs; no compiler is run again."""
    here = shown.get(case.fingerprint.target, {})
    names = sorted((name for name in here if family(name) == about), key=numbers_of)
    mine = {name: here[name] for name in names}
    if any(status.group for status in mine.values()):
        # Of those that part, none shows something and the other not.
        return tuple(Version(name, {"": VersionResult.BAD}) for name in mine)
    return tuple(Version(name, {"": status.shows}) for name, status in mine.items())


def explorer(case: Case) -> str:
    """An address that opens the example in Compiler Explorer, with a compiler to blame and one that is not; may be empty."""
    if not is_shown(case.question):
        return ""
    asked = newest(case, families_of(case)[0])
    return explorer_link(case, snippet(case.question), beside_it(case, asked))
