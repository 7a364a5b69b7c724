"""Drawings for the page, as inline SVG: bytes in their places, and courses over nights."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from abiprobe.results.report.maps import Map, MapRow, differing, window

BOX, LINE, GAP, CHARACTER = 26, 24, 14, 7.3
"""Width of a byte, height of a row, space between columns, and width of a character, in pixels."""
WIDTH, HEIGHT = 260, 48


def map_svg(shown: Map) -> Markup:
    """One side of a probe: a row for each place, a column for the model and for each subject, a box for each byte."""
    rows = [(row, window(row.model, row.seen)) for row in shown.rows]
    label = round(CHARACTER * max((len(name(row, part)) for row, part in rows), default=0)) + GAP
    columns = ("model", *shown.subjects)
    most = max(
        (len(words) for row, part in rows for words in (row.model[part], *(one[part] for one in row.seen))),
        default=1,
    )
    boxed = max(
        BOX, *(round(CHARACTER * len(word)) + 8 for row, part in rows for word in every(row, part)), BOX
    )
    column = max(boxed * most, round(CHARACTER * max(map(len, columns)))) + GAP
    width, height = label + column * len(columns), LINE * (len(rows) + 1) + 4
    parts = [f'<svg class="map" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">']
    parts.append(f"<title>{escape(shown.side)}</title>")
    for number, head in enumerate(columns):
        parts.append(f'<text class="head" x="{label + number * column}" y="16">{escape(head)}</text>')
    for line, (row, part) in enumerate(rows, 1):
        y = line * LINE
        parts.append(f'<text x="0" y="{y + 16}">{escape(name(row, part))}</text>')
        for number, words in enumerate((row.model, *row.seen)):
            wrong = differing(row.model[part], words[part]) if number else (False,) * len(words[part])
            x = label + number * column
            for place, (word, bad) in enumerate(zip(words[part], wrong, strict=False)):
                parts.append(box(x + place * boxed, y, boxed, word, bad=bad))
    return Markup("".join((*parts, "</svg>")))  # noqa: S704 - every text is escaped above


def every(row: MapRow, part: slice) -> list[str]:
    """All words of a row that are shown."""
    return [word for words in (row.model[part], *(one[part] for one in row.seen)) for word in words]


def name(row: MapRow, part: slice) -> str:
    """What a row is about."""
    return f"{row.place} from byte {part.start}" if part.start else row.place


def box(x: int, y: int, width: int, word: str, *, bad: bool) -> str:
    """One byte; what the text leaves undefined is faint, what differs stands out."""
    look = "bad" if bad else "any" if word == ".." else "byte"
    return (
        f'<g class="{look}"><rect x="{x}" y="{y}" width="{width - 2}" height="{LINE - 4}" rx="3"/>'
        f'<text x="{x + width / 2 - 1:g}" y="{y + 15}" text-anchor="middle">{escape(word)}</text></g>'
    )


def course_svg(values: Sequence[tuple[str, float]], unit: str) -> Markup:
    """A course over nights, oldest first: a bar for each, with its name and value to be read by pointing at it."""
    highest = max((value for _, value in values), default=0.0) or 1.0
    step = WIDTH / max(1, len(values))
    parts = [
        f'<svg class="course" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
    ]
    for number, (label, value) in enumerate(values):
        tall = max(1.0, value / highest * (HEIGHT - 4))
        look = "none" if not value else "some"
        parts.append(
            f'<rect class="{look}" x="{number * step:.1f}" y="{HEIGHT - tall:.1f}" width="{max(1.0, step - 1):.1f}"'
            f' height="{tall:.1f}"><title>{escape(label)}: {value:g} {escape(unit)}</title></rect>'
        )
    return Markup("".join((*parts, "</svg>")))  # noqa: S704 - every text is escaped above
