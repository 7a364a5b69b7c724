"""`check --format github`: workflow commands of GitHub Actions, which show a line beside the declaration that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from abiprobe.harness.api.asking import Checked, names_of
from abiprobe.harness.cli.commands.baselines import Comparison
from abiprobe.harness.input.plain.source import without_comments
from abiprobe.results.coverage.counts import subject_verdicts
from abiprobe.results.verdicts.record import Judgement

PLACE = re.compile(r"(.+?):(\d+)(?::\d+)?")
"""A file with a line and a column."""


def annotation_lines(
    files: Sequence[str], done: Checked, since: Comparison | None, *, strict: bool
) -> Iterator[str]:
    """Yield an error for each deviation that is not known and each break since a baseline, and a warning for what is not tested."""
    texts = {file: text for file in files if (text := _text(file)) is not None}
    for (name, target), (subjects, clauses) in _deviating(done, strict=strict).items():
        cited = f" ({', '.join(sorted(clauses))})" if clauses else ""
        words = f"{', '.join(subjects)} on {target}: {name} deviates from the text{cited}"
        yield command("error", _where(name, texts), words)
    for change in since.changed if since is not None else ():
        if change.breaks:
            yield command("error", _where(change.declaration, texts), change.line)
    for one in dict.fromkeys((one.name, one.where, one.reason) for one in done.skipped):
        found = PLACE.fullmatch(one[1])
        yield command(
            "warning", (found[1], int(found[2])) if found else None, f"{one[0]} is not tested: {one[2]}"
        )


def command(kind: str, where: tuple[str, int] | None, message: str) -> str:
    """A workflow command (GitHub Docs, Workflow commands for GitHub Actions), escaped as the runner's toolkit does."""
    place = {} if where is None else {"file": where[0], **({"line": str(where[1])} if where[1] else {})}
    properties = {**place, "title": "abiprobe"}
    said = ",".join(
        f"{name}={_escaped(value).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{kind} {said}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _deviating(done: Checked, *, strict: bool) -> dict[tuple[str, str], tuple[dict[str, None], set[str]]]:
    """The compilers that deviate on each declaration of each target, and the clauses; those that are known only if `strict`."""
    known = {} if strict else done.found.names()
    found: dict[tuple[str, str], tuple[dict[str, None], set[str]]] = {}
    for item, batches in done.answers:
        names = names_of(item)
        for batch in batches:
            for verdict in subject_verdicts(batch):
                key = batch.key.target, batch.key.subject, verdict.probe
                if verdict.verdict is Judgement.DEVIATES and not known.get(key):
                    subjects, clauses = found.setdefault(
                        (names[verdict.probe], batch.key.target), ({}, set())
                    )
                    subjects[f"{batch.key.subject} -{batch.key.level}"] = None
                    clauses.update(filter(None, (verdict.clause,)))
    return found


def _text(file: str) -> str | None:
    """The text of a file without comments, line for line; `None` for standard input, which no annotation can name."""
    try:
        text = Path(file).read_text("utf-8", errors="replace")
    except OSError:
        return None
    return without_comments(text)


def _where(name: str, texts: Mapping[str, str]) -> tuple[str, int] | None:
    """The file and line that declare `struct S`, `enum E` or a function; line 0 where it is not found in the only file."""
    keyword, _, tag = name.rpartition(" ")
    word = re.escape(tag)
    declared = (
        rf"\b{word}\s*\("
        if not keyword
        else rf"\b{keyword}\b[^;{{}}]*\b{word}\b\s*(?::[^{{;]*)?\{{|\}}[^;{{}}]*\b{word}\s*[;,]"
    )
    for file, text in texts.items():
        found = re.search(declared, text)
        if found:
            # A record may be named behind its members.
            at = found.end() if keyword and found[0].startswith("}") else found.start()
            return file, text.count("\n", 0, at) + 1
    return next(((file, 0) for file in texts), None) if len(texts) == 1 else None
