"""Hostile strings in every field of a journal, shown in every format."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
from laboratory import said

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.results.journal.journal import (
    BatchDone,
    BatchKey,
    Footer,
    Header,
    JournalError,
    Kept,
    Plan,
    QuestionBatch,
    SubjectInfo,
    Tool,
    read,
    verdict_digest,
)
from abiprobe.results.verdicts.record import Outcome, Verdict, from_differences, unobserved

from .commands import CONTROL, Said, called
from .damage import places, written
from .runs import FORMATS
from .table import SEED, Line

TARGET = "x86_64-sysv"
PIECES = (
    *("\x1b[2J", "\x1b]0;owned\x07", "\x1b]8;;http://x\x1b\\click", "\x9b31m", "\x90q", "\x7f", "\b\b\b", "\r", "\n", "\t"),
    *("\0", "\x0b\x0c", "\u202e", "\u2066", "\u2028", "\u200f", "\ufeff", "\ufffe", "\U0010ffff", "\u0301" * 50, "\ud7ff"),
    *("<script>alert(1)</script>", "</script><script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<!--", "-->"),
    *("]]>", "<![CDATA[", "&lt;", "&#0;", "&#x1b;", "&amp", '"', "'", '" onclick="x()', "' onclick='x()", "</style>", "</title>"),
    *("[x](javascript:alert(1))", "![x](http://x/y.png)", "```", "~~~", "| a | b |", "---", "# h", "* a", "1. a", "\\", "`"),
    *("[red]x[/red]", "[/]", "[link=http://x]x[/link]", "{{ 7 * 7 }}", "{% x %}", "${x}", "%s%n", "{0}", "$(id)", "`id`", "; id"),
    *("../../etc/passwd", "/dev/zero", "C:\\x", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "a" * 5000),
    *("\u00e9\u0301", "\u6f22\u5b57", "\U0001f600", "x; int evil(void)", "*/ int evil; /*", "??/", "#include </dev/zero>"),
)  # fmt: skip
ALONE = 10
"""So many strings are put into fields alone; each into every so manieth."""
LINKS = frozenset({"href", "src", "action", "formaction", "srcdoc", "style", "data", "xlink:href"})
"""Attributes that lead somewhere."""
CODE = re.compile(r"(`{3,})(?s:.*?)\1|`[^`\n]*`")
"""Code in Markdown, within which nothing means anything."""
MARKUP = re.compile(r"<(?:script>alert|img src=x|svg/onload)|(?<!\\)\]\((?:javascript|http://x)")
"""What must not be in Markdown as it is."""


def strings(count: int) -> tuple[str, ...]:
    """So many strings: each piece, then what pieces are drawn together."""
    draw = random.Random(SEED)
    more = ("".join(draw.sample(PIECES, draw.randrange(2, 6))) for _ in range(count))
    return (*PIECES, *more)[:count]


def lines() -> list[Any]:
    """The lines of a journal with every sort of verdict that is shown, as JSON."""
    function = Prototype("f", None, (Param("a", Scalar(Kind.INT)), Param("s", Record("S", ()))))
    identity = probe(function).id
    wrong = said.difference("callee", "a", "edi", "10 11", "00 00", "x86_64:pass.integer", "it is in esi")
    answers: tuple[tuple[str, tuple[Verdict, ...]], ...] = (
        ("clang-16", (from_differences(identity, ProbeKind.CALLEE, (wrong,)),)),
        ("gcc-12", (unobserved(identity, ProbeKind.CALLER, Outcome.CRASHED, "internal compiler error: x"),)),
        ("gcc-11", (unobserved(identity, ProbeKind.CALLER, Outcome.REFUSED, "error: no"),)),
    )
    batches = tuple(
        BatchDone(BatchKey(TARGET, name, "O0", Sort.PROTOTYPES, 0), 1, verdicts, (Kept(identity, function),))
        for name, verdicts in answers
    )
    plan = Plan(1, 1, (TARGET,), tuple(name for name, _ in answers), ("O0",))
    infos = tuple(SubjectInfo(TARGET, name, f"{name} 1.0", "digest") for name in plan.subjects)
    head = Header(
        1, "1.0", "2026-01-01T00:00:00+00:00", plan, infos, tools=(Tool(TARGET, "native", "Linux"),)
    )
    asked = QuestionBatch.of(Sort.PROTOTYPES, 0, (function,))
    footer = Footer(len(batches), 3, verdict_digest(batches), "complete", 1.0)
    return [json.loads(msgspec.json.encode(line)) for line in (head, asked, *batches, footer)]


def sealed(values: list[Any]) -> bytes:
    """A journal of these lines, with the digest of its verdicts where they can be read."""
    try:
        batches = [msgspec.convert(value, BatchDone) for value in values if value["type"] == "batch"]
        values[-1]["digest"] = verdict_digest(batches)
    except (msgspec.ValidationError, KeyError, TypeError, UnicodeError):
        pass
    return written(values)


class Elements(HTMLParser):
    """The elements of a page, and the attributes of each that run something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.found.add(tag)
        self.found |= {
            f"{tag} {name}"
            for name, value in attrs
            if name.startswith("on") or (name in LINKS and "script:" in (value or ""))
        }


def obeyed(form: str, said: Said, usual: Said) -> str:
    """What of an output somebody would obey that the usual one has not; empty if there is nothing."""
    out = said.out
    if not said.clean:
        return "not clean"
    if found := CONTROL.search(out + said.err):
        return f"control {found[0]!r}"
    if said.status == 2:
        return ""
    if form == "html":
        return ", ".join(Elements(out).found - Elements(usual.out).found)
    if form in {"markdown", "card"} and (found := MARKUP.search(CODE.sub("", out))):
        return f"markup {found[0]!r}"
    try:
        if form in {"json", "sarif"}:
            json.loads(out)
        if form == "junit":
            ET.fromstring(out)
    except (ValueError, ET.ParseError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def hostile(times: int, folder: Path) -> Iterator[Line]:
    """So many strings, each in every field that takes it at once, and a few in each field alone, shown in every format."""
    right, copy = lines(), folder / "hostile"
    copy.mkdir()
    fields = [number for number, (inside, key) in enumerate(places(right)) if isinstance(inside[key], str)]
    forms = ("text", *FORMATS)
    written_to(copy, right, (), "")
    usual = {form: shown(copy, form) for form in forms}
    refused = Line(
        f"a hostile string in each of {len(fields)} fields of a journal: read, or refused in a line"
    )
    table = {form: Line(f"a hostile string in every field that takes it, shown as {form}") for form in forms}
    for at, text in enumerate(strings(times)):
        taken: list[int] = []
        together: tuple[int, ...] = ()
        for number in fields:
            why = refusal(copy, right, (number,), text)
            refused.count(survived="\n" not in why or shown(copy, "text").clean)
            if why:
                continue
            taken.append(number)
            # Two batches must not become one.
            if not refusal(copy, right, (*together, number), text):
                together = (*together, number)
        alone = ((number,) for number in taken[at % ALONE :: ALONE]) if at < ALONE else ()
        for chosen in (together, *alone):
            written_to(copy, right, chosen, text)
            for form in forms:
                why = obeyed(form, shown(copy, form), usual[form])
                table[form].count(survived=not why)
                if why:
                    with (folder / "fell.txt").open("a", encoding="utf-8") as file:
                        file.write(f"{form} {chosen} {text[:200]!r}: {why}\n")
    yield from (refused, *table.values())


def refusal(folder: Path, right: list[Any], numbers: tuple[int, ...], text: str) -> str:
    """Why a journal with this text in some fields is not read; empty if it is."""
    written_to(folder, right, numbers, text)
    try:
        read(folder)
    except JournalError as error:
        return str(error)
    return ""


def written_to(folder: Path, right: list[Any], numbers: tuple[int, ...], text: str) -> None:
    """Write a journal with this text in some fields."""
    values = json.loads(json.dumps(right))
    found = list(places(values))
    for number in numbers:
        inside, key = found[number]
        inside[key] = text
    (folder / "journal.jsonl").write_bytes(sealed(values))


def shown(folder: Path, form: str) -> Said:
    """A report in a format."""
    return called("report", str(folder), *(() if form == "text" else ("--format", form)))
