"""Every file of the folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, tostring

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from abiprobe.oracles.text.clause import recorded_clause, recorded_source
from abiprobe.results.causes.timeline import VersionResult
from abiprobe.results.causes.traits import traits
from abiprobe.results.journal.printable import in_xml, printable
from abiprobe.results.known.exposure import met_by
from abiprobe.results.known.looks import declared_so
from abiprobe.results.report.bar_chart import bar_chart
from abiprobe.results.report.html_pages import html_templates, moment
from abiprobe.results.site.addresses import abi_page, cause_page, clause_page, link, up
from abiprobe.results.site.cause_status import CauseStatus
from abiprobe.results.site.compilers import Compiler, by_family
from abiprobe.results.site.content import STATUSES, Cause, ClauseAbout, Content, Tally, extent
from abiprobe.results.site.edition import NAME, write_edition
from abiprobe.results.site.map_tables import lines
from abiprobe.results.site.releases import release_changes
from abiprobe.results.site.search_index import search_index
from abiprobe.results.verdicts.quantity import quantity

STATIC = ("style.css", "site.js")
SYMBOLS: Mapping[VersionResult, tuple[str, str]] = {
    VersionResult.BAD: ("\u25cf", "shows it"),
    VersionResult.OTHERWISE: ("\u25d0", "deviates in another way"),
    VersionResult.GOOD: ("\u25cb", "does not show it"),
    VersionResult.SILENT: ("\u2013", "nothing could be compared"),
}
"""The sign of each status, and what it means."""
RECENT = 8
"""News on the first page."""
FED = 50
"""News in the feed."""
LISTED = 24
"""Findings of a cause that its page lists."""


class Cell(msgspec.Struct, frozen=True):
    """A status as a page shows it: a sign, what it means, and how it looks."""

    sign: str
    meaning: str
    look: str


def files(content: Content, url: str = "") -> Iterator[tuple[str, bytes]]:
    """Each file by its path; `url` is where the folder will be published, for the feed and for crawlers."""
    pages = []
    for path, data in contents(content, url):
        if path.endswith(".html"):
            pages.append(path)
        yield path, data
    if url:
        moved = set(map(cause_page, content.edition.past.moved))
        yield from for_crawlers([page for page in pages if page not in moved], url)


def for_crawlers(pages: Iterable[str], url: str) -> Iterator[tuple[str, bytes]]:
    """`sitemap.xml` with the address of each page, by the protocol of sitemaps.org, and the `robots.txt` that names it."""
    base = url.rstrip("/")
    urls = Element("urlset", xmlns="http://www.sitemaps.org/schemas/sitemap/0.9")
    for page in pages:
        SubElement(SubElement(urls, "url"), "loc").text = f"{base}/{quote(page)}"
    yield "sitemap.xml", tostring(urls, "utf-8", xml_declaration=True)
    yield "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n".encode()


def contents(content: Content, url: str) -> Iterator[tuple[str, bytes]]:
    """Each file that people read, and what belongs to it."""
    templates = environment(content)

    def page(path: str, template: str, **values: object) -> tuple[str, bytes]:
        text = templates.get_template(f"{template}.html.j2").render(root=up(path), here=path, **values)
        return path, printable(text).encode()

    yield page(
        "index.html",
        "index",
        recent=content.news[:RECENT],
        charts=charts(content),
        releases=[*release_changes(content)],
    )
    yield page("news.html", "news")
    yield page("clauses.html", "clauses", sheets=sheets(content.clauses))
    yield page("search.html", "search")
    yield page("about.html", "about")
    behind = causes_by_clause(content)
    for abi in content.abis:
        yield page(
            abi_page(abi.name),
            "abi",
            abi=abi,
            causes=[one for one in content.causes if abi.name in one.statuses],
            tallies=broken(content, abi.name),
            groups=by_family(one for one in content.compilers if one.subject in abi.asked),
        )
    for cause in content.causes:
        yield page(cause_page(cause.id), "cause", cause=cause)
        yield from ((one.path, one.data) for one in cause.downloads)
    for clause in content.clauses:
        yield page(clause_page(clause.clause.id), "clause", about=clause, causes=behind[clause.clause.id])
    for other in content.others:
        yield other.path, printable(other.text).encode()
    for gone in content.gone:
        if gone.id not in content.edition.past.moved:
            yield page(cause_page(gone.id), "gone", cause=gone)
    for old, new in content.edition.past.moved.items():
        yield page(cause_page(old), "moved", old=old, to=cause_page(new))
    for name in STATIC:
        yield name, resources.files(__package__).joinpath(name).read_bytes()
    yield "search-index.js", search_index(content).encode()
    yield "feed.xml", feed(templates, content, url).encode()
    yield NAME, write_edition(content.edition).encode()


def environment(content: Content) -> Environment:
    """The templates with the functions that they call."""
    made = html_templates("site")
    pages_there = {clause_page(one.clause.id) for one in content.clauses}

    def clause_link(name: str) -> str:
        page = clause_page(name)
        return link(page) if page in pages_there else ""

    made.globals.update(
        content=content,
        statuses=STATUSES,
        groups=by_family(content.compilers),
        families=families,
        cell=cell,
        cells=cells,
        count=count,
        undecided=undecided,
        counted=quantity,
        met_by=met_by,
        declared_so=lambda example: declared_so(example, traits(example)),
        cause_link=lambda name: link(cause_page(name)),
        clause_link=clause_link,
        abi_link=lambda name: link(abi_page(name)),
        file_link=link,
        extent=lambda cause, target="": extent(cause, content.compilers, target),
        map_lines=lines,
        says=recorded_clause,
        document=recorded_source,
        day=day,
        moment=moment,
        role=role,
        listed=LISTED,
        forms=forms,
        proper=proper,
        by_status=by_status(content.causes),
        by_target=by_target,
        legend=[*SYMBOLS.values()],
    )
    return made


def feed(templates: Environment, content: Content, url: str) -> str:
    """The news as an Atom feed."""
    base = url.rstrip("/") + "/" if url else ""
    seed = base or f"abiprobe site {content.title}"
    entries = [
        (
            item,
            f"urn:uuid:{uuid5(NAMESPACE_URL, f'{seed} {item.when} {item.kind.value} {item.cause} {item.text}')}",
        )
        for item in content.news[:FED]
    ]
    text = templates.get_template("feed.xml.j2").render(
        base=base,
        identity=f"urn:uuid:{uuid5(NAMESPACE_URL, seed)}",
        updated=max((item.when for item, _ in entries), default=content.edition.updated),
        entries=entries,
    )
    return in_xml(text)


def charts(content: Content) -> list[tuple[str, Markup]]:
    """Return the charts over the nights that are kept; none of a single one."""
    nights = content.edition.past.nights
    if len(nights) < 2:
        return []
    days = [one.started for one in nights]
    return [
        ("Causes", bar_chart(days, [one.causes for one in nights], "causes")),
        ("News", bar_chart(days, [one.news for one in nights], "items")),
        ("Probes that show causes", bar_chart(days, [one.probes for one in nights], "probes")),
        ("CPU seconds", bar_chart(days, [round(one.cpu) for one in nights], "CPU seconds")),
    ]


def families(cause: Cause, compilers: Sequence[Compiler]) -> dict[str, list[Compiler]]:
    """The compilers that were asked about a cause, by family."""
    asked = {subject for each in cause.statuses.values() for subject in each}
    return by_family(one for one in compilers if one.subject in asked)


def cell(status: CauseStatus | None) -> Cell:
    """Return the cell that shows a status."""
    if status is None:
        return Cell("", "not asked", "none")
    if status.group:
        return Cell(status.group, f"in group {status.group}", "open")
    sign, meaning = SYMBOLS[status.shows]
    return Cell(sign, meaning, status.shows.name.lower())


def cells(cause: Cause, target: str, compilers: Iterable[Compiler]) -> list[Cell]:
    """Return the cell of each compiler for a cause on a target."""
    return [cell(cause.at(target, one.subject)) for one in compilers]


def count(causes: Iterable[Cause], target: str, subject: str) -> int:
    """Count the causes that a compiler shows on a target, without those that no text decides."""
    found = (one.at(target, subject) for one in causes if not one.is_open)
    return sum(status is not None and status.shows is VersionResult.BAD for status in found)


def undecided(causes: Iterable[Cause], target: str) -> int:
    """Count the causes on a target that no text decides."""
    return sum(one.is_open and target in one.statuses for one in causes)


def role(cause: Cause, target: str, subject: str) -> Cell:
    """Return the heading of a column of a map; `subject` is a compiler with its options and level."""
    return cell(cause.at(target, subject.rsplit(" -", 1)[0]))


def by_status(causes: Iterable[Cause]) -> dict[str, list[Cause]]:
    """The causes of each status."""
    every = list(causes)
    found = {status: [one for one in every if one.status == status] for status in STATUSES}
    return {status: items for status, items in found.items() if items}


def sheets(clauses: Iterable[ClauseAbout]) -> dict[str, list[ClauseAbout]]:
    """The clauses of each sheet."""
    found: dict[str, list[ClauseAbout]] = {}
    for one in clauses:
        found.setdefault(one.sheet, []).append(one)
    return found


def causes_by_clause(content: Content) -> dict[str, list[Cause]]:
    """The causes behind each clause."""
    return {
        about.clause.id: [cause for cause in content.causes if about.clause.id in cause.clauses]
        for about in content.clauses
    }


def by_target(about: ClauseAbout) -> dict[str, dict[str, Tally]]:
    """The tallies of a clause by target and compiler."""
    found: dict[str, dict[str, Tally]] = {}
    for one in about.tallies:
        found.setdefault(one.target, {})[one.subject] = one
    return found


def broken(content: Content, target: str) -> list[tuple[ClauseAbout, dict[str, Tally]]]:
    """The clauses that a compiler breaks on a target, with the tallies of each compiler."""
    found = [(about, by_target(about).get(target, {})) for about in content.clauses]
    return [(about, mine) for about, mine in found if any(one.deviates for one in mine.values())]


def forms(cause: Cause) -> list[tuple[str, str]]:
    """The smallest example by language, C first."""
    return [("C", cause.example), *cause.languages.items()]


def proper(language: str) -> str:
    """The name of a language as a heading has it."""
    return language[:1].upper() + language[1:]


def day(when: str) -> str:
    """The day of a time (UTC, ISO 8601)."""
    return when[:10]
