"""Bar charts of a value over nights, as inline SVG for the HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from abiprobe.results.verdicts.quantity import quantity

HEIGHT = 48
"""Pixels of the highest bar."""
NARROWEST, WIDEST, WIDTH = 2, 24, 320
"""Pixels of a bar at least and at most, and of few bars together."""


LISTED = 30
"""The last values that a screen reader is given."""


def bar_chart(nights: Sequence[str], values: Sequence[float], unit: str) -> Markup:
    """Draw a bar for each night, oldest first; `nights` are start times (ISO 8601), and zero has no bar."""
    highest = max(values, default=0.0) or 1.0
    bars = "".join(
        f"M{number} {HEIGHT}v-{max(2.0, value / highest * HEIGHT):.0f}h.8V{HEIGHT}z"
        for number, value in enumerate(values)
        if value
    )
    wide = len(values) * min(WIDEST, max(NARROWEST, WIDTH // max(1, len(values))))
    return Markup(
        '<figure data-values="{}" data-unit="{}"><svg width="{}" height="{}" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<path d="{}"/></svg><figcaption><span>{}</span><b>at most {}</b><span>{}</span></figcaption></figure>'
    ).format(
        " ".join(f"{value:g}" for value in values),
        unit,
        max(wide, WIDTH),
        HEIGHT,
        len(values),
        HEIGHT,
        f"{unit}, oldest first: {', '.join(f'{value:g}' for value in values[-LISTED:])}",
        bars,
        label(nights[0], nights),
        quantity(max(values), unit.removesuffix("s")) if unit.endswith("s") else f"{max(values):g} {unit}",
        label(nights[-1], nights),
    )


def label(night: str, nights: Sequence[str]) -> str:
    """The day of a night, with the time where several began on one day."""
    days = {one[:10] for one in nights}
    return night[:10] if len(days) == len(nights) else night
