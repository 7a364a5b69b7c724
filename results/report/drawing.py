"""Drawings of bytes in their places for the page, as inline SVG: one for the model, and one for each subject."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from abiprobe.results.report.maps import Map, MapRow, differing, window

BOX, LINE, GAP, CHARACTER = 26, 24, 14, 7.3
"""Width of a byte, height of a row, space beside names, and width of a character, in pixels."""


def map_svg(shown: Map) -> Markup:
    """One side of a probe: a drawing for the model and for each subject, a row for each place, a box for each byte."""
    rows = [(row, window(row.model, row.seen)) for row in shown.rows]
    label = round(CHARACTER * max((len(name(row, part)) for row, part in rows), default=0)) + GAP
    boxed = max((BOX, *(round(CHARACTER * len(word)) + 8 for row, part in rows for word in every(row, part))))
    model = [(name(row, part), row.model[part], row.model[part]) for row, part in rows]
    columns = [drawn("model", model, label, boxed)]
    for number, subject in enumerate(shown.subjects):
        seen = [(name(row, part), row.model[part], row.seen[number][part]) for row, part in rows]
        columns.append(drawn(subject, seen, label, boxed))
    return Markup('<div class="map">{}</div>').format(Markup().join(columns))


def drawn(
    head: str, rows: Sequence[tuple[str, Sequence[str], Sequence[str]]], label: int, boxed: int
) -> Markup:
    """One column: rows of a name, what the model says and what is there."""
    most = max((len(words) for _, _, words in rows), default=1)
    width = max(label + boxed * most, label + round(CHARACTER * len(head)) + GAP)
    height = LINE * (len(rows) + 1) + 4
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [f'<svg {size} role="img" aria-label="{alternative_text(head, rows)}">']
    parts.append(f'<text class="head" x="{label}" y="16">{escape(head)}</text>')
    for line, (place, model, words) in enumerate(rows, 1):
        y = line * LINE
        parts.append(f'<text x="0" y="{y + 16}">{escape(place)}</text>')
        for number, (word, bad) in enumerate(zip(words, differing(model, words), strict=False)):
            parts.append(box(label + number * boxed, y, boxed, word, bad=bad))
    return Markup("".join((*parts, "</svg>")))  # noqa: S704 - every text is escaped above


def alternative_text(head: str, rows: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> str:
    """A column as a screen reader says it: each place with what stands there, and whether that differs."""
    lines = (
        f"{place}: {' '.join(words)}{' (differs)' if any(differing(model, words)) else ''}"
        for place, model, words in rows
    )
    return escape(f"{head}: {'; '.join(lines)}")


def key(words: str, *, bad: bool = False) -> Markup:
    """Some bytes as the drawings have them, for the legend."""
    boxes = "".join(box(number * BOX, 0, BOX, word, bad=bad) for number, word in enumerate(words.split()))
    width = BOX * len(words.split())
    return Markup(  # noqa: S704 - the words are the legend's own
        f'<svg viewBox="0 0 {width} {LINE}" width="{width}" height="{LINE}" role="img" aria-label="{escape(words)}">'
        f"{boxes}</svg>"
    )


def every(row: MapRow, part: slice) -> list[str]:
    """All words of a row that are shown."""
    return [word for words in (row.model[part], *(one[part] for one in row.seen)) for word in words]


def name(row: MapRow, part: slice) -> str:
    """Return the name of a row's part."""
    return f"{row.place} from byte {part.start}" if part.start else row.place


def box(x: int, y: int, width: int, word: str, *, bad: bool) -> str:
    """One byte; what the text leaves undefined is faint, what differs stands out."""
    look = "bad" if bad else "any" if word == ".." else "byte"
    return (
        f'<g class="{look}"><rect x="{x}" y="{y}" width="{width - 2}" height="{LINE - 4}" rx="3"/>'
        f'<text x="{x + width / 2 - 1:g}" y="{y + 15}" text-anchor="middle">{escape(word)}</text></g>'
    )
