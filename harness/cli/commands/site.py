"""`abiprobe site`: a folder of pages about triaged runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from abiprobe.generators.boundary import Edge
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.cli.commands.site_bundles import bundle
from abiprobe.harness.cli.commands.triage import print_missing
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.nights.site import Bundle, Extras, build_content
from abiprobe.harness.runs.availability import Availability, availability_of
from abiprobe.harness.runs.clause_edges import edges_of
from abiprobe.harness.runs.run_files import named_run, read_frames, read_matrix, read_run, triage_of
from abiprobe.harness.triage.cause_details import cluster_maps, compilers_to_compare
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.journal.journal import NAME as JOURNAL
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.known.deviations import Known
from abiprobe.results.report.frames import FrameReport
from abiprobe.results.report.frames import frames_page as page_of_frames
from abiprobe.results.report.json_form import SCHEMA
from abiprobe.results.report.maps import Map
from abiprobe.results.report.promise_matrix import Matrix
from abiprobe.results.report.promise_page import matrix_page
from abiprobe.results.site.addresses import clause_page, frames_page, promises_page, up
from abiprobe.results.site.cause_status import StatusTable
from abiprobe.results.site.content import Content, OtherPage
from abiprobe.results.site.edition import NAME, EditionError, read_edition
from abiprobe.results.site.news import Past
from abiprobe.results.site.pages import files
from abiprobe.results.site.sightings import Sighting, Triaged, sighted
from abiprobe.results.verdicts.quantity import quantity

T = TypeVar("T")
OURS = (
    "cause/*.html",
    "clause/*/*.html",
    "abi/*.html",
    "bundle/*.tar.gz",
    "test/*.tar.gz",
    "promises/*.html",
    "frames/*.html",
    "sitemap.xml",
    "robots.txt",
    "playground.*",
    "playground/*.*",
    "playground/pyodide/*",
)
"""The files of an earlier edition that go if the new one does not have them."""


class OptionalContent(NamedTuple):
    """Optional parts of the pages, which take running compilers or searching models."""

    maps: bool
    bundles: bool
    edges: bool
    playground: bool = False


def site(
    folders: Sequence[Path],
    out: Path,
    since: Path | None,
    known: Known,
    wanted: OptionalContent,
    form: str,
    *,
    title: str,
    url: str,
) -> int:
    """Write the pages; raises `Problem` for a run that cannot be told of, and for a folder that is not ours."""
    if url and not url.startswith(("https://", "http://")):
        raise Problem(f"cannot publish at {url!r}", "an address begins with https://")
    if not title.strip():
        raise Problem("the title is empty", "leave --title out, or give one")
    earlier = edition_in(out)
    matrices = {folder: matrix for folder in folders if (matrix := read_matrix(folder)) is not None}
    reports = {folder: report for folder in folders if (report := read_frames(folder)) is not None}
    others = tuple(folder for folder in folders if folder not in {*matrices, *reports})
    if folders and not others:
        only = " and ".join([*(["promises"] if matrices else []), *(["tests of frames"] if reports else [])])
        raise Problem(f"these folders have {only} only", "name a triaged run beside them")
    runs = triaged_runs(others)
    past = since_edition(since, known) if since is not None else earlier
    with extras(runs, wanted) as more:
        content = build_content(runs, known, past, title, more)
    pages = (*promise_pages(matrices.values()), *frame_pages(reports.values()))
    content = msgspec.structs.replace(content, others=pages, playground=wanted.playground)
    written = write(out, [*files(content, url), *(playground_of(content) if wanted.playground else ())])
    news = [item for item in content.news if item not in past.news]
    if form == "json":
        print_json(
            {
                "schema": SCHEMA,
                "folder": str(out),
                **written._asdict(),
                "causes": len(content.causes),
                "clauses": len(content.clauses),
                "abis": len(content.abis),
                "compilers": len(content.compilers),
                "news": [msgspec.to_builtins(item) for item in news],
            }
        )
        return 0
    print_written(out, content, written, Counter(item.kind.value for item in news))
    return 0


def playground_of(content: Content) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the playground in a folder of pages, whose clauses it links to."""
    from abiprobe.harness.cli.commands.playground import playground_files

    clauses = {one.clause.id: clause_page(one.clause.id) for one in content.clauses}
    return playground_files(content.title, in_site=True, clauses=clauses)


def promise_pages(matrices: Iterable[Matrix]) -> Iterator[OtherPage]:
    """Yield the page of each matrix."""
    for name, one in numbered((one.family, one) for one in matrices):
        path = promises_page(name)
        yield OtherPage(f"Promises of {name}", path, matrix_page(one, declaration, f"{up(path)}index.html"))


def frame_pages(reports: Iterable[FrameReport]) -> Iterator[OtherPage]:
    """Yield the page of each test of unwind tables, debug information or debuggers."""
    for name, one in numbered((one.about, one) for one in reports):
        path = frames_page(name)
        yield OtherPage(name, path, page_of_frames(one, f"{up(path)}index.html"))


def numbered(named: Iterable[tuple[str, T]]) -> Iterator[tuple[str, T]]:
    """Yield values with names; a name that comes again has a number."""
    times: Counter[str] = Counter()
    for name, one in named:
        times[name] += 1
        yield name if times[name] == 1 else f"{name}-{times[name]}", one


def print_written(out: Path, content: Content, written: Written, kinds: Counter[str]) -> None:
    """Print the files that were written."""
    parts = (
        quantity(len(content.causes), "cause"),
        quantity(len(content.clauses), "clause"),
        quantity(len(content.abis), "ABI"),
        quantity(len(content.compilers), "compiler"),
    )
    news = ", ".join(f"{kind} ({number})" for kind, number in sorted(kinds.items()))
    console = answers()
    size = f"{quantity(written.files, 'file')}, {written.bytes / 1e6:.1f} MB"
    console.print(f"{', '.join(parts)}: {size}", soft_wrap=True)
    console.print(f"news: {news or 'none'}", soft_wrap=True)
    console.print(f"open {out / 'index.html'}", markup=False, soft_wrap=True, highlight=False)


def edition_in(out: Path) -> Past:
    """Return the edition in a folder, empty for a new or empty one; raises `Problem` for files that are not ours."""
    try:
        if not out.exists() or (out.is_dir() and not any(out.iterdir())):
            return Past()
        if not out.is_dir():
            raise Problem(f"{out} is a file", "choose another folder with --out")
        return read_edition(out).past
    except EditionError as error:
        if not (out / NAME).exists():
            raise Problem(
                f"{out} is not empty, and has no pages of abiprobe", "choose another folder with --out"
            ) from error
        raise Problem(str(error), "choose another folder with --out") from error
    except OSError as error:
        raise Problem(f"cannot read {out} ({error.strerror})", "choose another folder with --out") from error


def since_edition(since: Path, known: Known) -> Past:
    """Return an earlier edition or run, without its news; raises `Problem` if there is neither."""
    if (since / JOURNAL).exists():
        before = build_content(triaged_runs((since,)), known, Past(), "", Extras())
        return msgspec.structs.replace(before.edition.past, news=())
    try:
        return read_edition(since).past
    except EditionError as error:
        raise Problem(f"{since} has neither a run nor pages of abiprobe", str(error)) from error


def triaged_runs(folders: Sequence[Path]) -> tuple[Triaged, ...]:
    """The runs with their causes, each once, by names that differ; raises `Problem` for one that cannot be read."""
    found: dict[Path, Triaged] = {}
    names: Counter[str] = Counter()
    for folder in folders or (named_run(None),):
        place = named_run(folder).resolve()
        if place in found:
            continue
        run = read_run(named_run(folder))
        clusters = triage_of(folder, run)
        if clusters is None:
            raise Problem(
                f"the run at {folder} was not triaged", f"first: abiprobe triage {shell_word(folder)}"
            )
        names[place.name] += 1
        name = place.name if names[place.name] == 1 else f"{place.name}-{names[place.name]}"
        found[place] = Triaged(name, run, clusters)
    return tuple(found.values())


@contextmanager
def extras(runs: Sequence[Triaged], wanted: OptionalContent) -> Iterator[Extras]:
    """Yield the optional parts beside the runs themselves, with progress on a terminal."""
    aside = asides()
    near = {
        one.name: availability_of(one.run) if wanted.maps or wanted.bundles else Availability()
        for one in runs
    }
    for one in near.values():
        print_missing(one)
    targets = {name for one in runs for name in one.run.header.plan.targets}
    steps = len(sighted(runs)) * (wanted.maps + wanted.bundles) + len(targets) * wanted.edges
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=aside, transient=True, disable=not aside.is_terminal) as bar:
        task = bar.add_task("pages", total=steps)

        def step(what: str, made: Callable[[], T]) -> T:
            bar.update(task, description=what)
            try:
                return made()
            finally:
                bar.advance(task)

        def maps(one: Sighting) -> tuple[Map, ...]:
            asked = compilers_to_compare(one.cluster, near[one.of.name])
            return step(f"bytes of {one.cluster.id}", lambda: cluster_maps(one.cluster, asked))

        def bundles(one: Sighting, shown: Sequence[Map], statuses: StatusTable) -> Bundle | None:
            return step(
                f"bundle of {one.cluster.id}", lambda: bundle(one, shown, statuses, near[one.of.name])
            )

        def edges(target: str) -> tuple[Edge, ...]:
            return step(f"clauses of {target}", lambda: edges_of(TARGETS[target]))

        nothing = Extras()
        yield Extras(
            maps if wanted.maps else nothing.maps,
            bundles if wanted.bundles else nothing.bundle,
            edges if wanted.edges else nothing.edges,
        )


class Written(NamedTuple):
    """The number of files, and their bytes in all."""

    files: int
    bytes: int


def write(out: Path, made: Sequence[tuple[str, bytes]]) -> Written:
    """Write every file, and remove pages of an earlier edition that are no more; raises `Problem` if that cannot be done."""
    size, here = 0, set()
    try:
        for path, data in made:
            place = out / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            size += len(data)
            here.add(place)
        for pattern in OURS:
            for place in sorted(out.glob(pattern)):
                if place not in here:
                    place.unlink()
    except OSError as error:
        raise Problem(
            f"cannot write to {out} ({error.strerror})", "choose another folder with --out"
        ) from error
    return Written(len(here), size)
