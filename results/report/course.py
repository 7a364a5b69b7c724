"""Courses over nights for the page: bars that fill the width they are given, read by pointing at them."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

HEIGHT = 48
"""Pixels of the highest bar."""
NARROWEST, WIDEST, WIDTH = 2, 24, 320
"""Pixels of a bar at least and at most, and of few bars together."""


def course(nights: Sequence[str], values: Sequence[float], unit: str) -> Markup:
    """A bar for each night, oldest first; `nights` say when they began, and a bar that is missing stands for 0."""
    highest = max(values, default=0.0) or 1.0
    bars = "".join(
        f"M{number} {HEIGHT}v-{max(2.0, value / highest * HEIGHT):.0f}h.8V{HEIGHT}z"
        for number, value in enumerate(values)
        if value
    )
    wide = len(values) * min(WIDEST, max(NARROWEST, WIDTH // max(1, len(values))))
    return Markup(
        '<figure style="max-width:{}px" data-values="{}" data-unit="{}"><svg viewBox="0 0 {} {}" preserveAspectRatio="none">'
        '<path d="{}"/></svg><figcaption><span>{}</span><b>at most {:g} {}</b><span>{}</span></figcaption></figure>'
    ).format(
        max(wide, WIDTH),
        " ".join(f"{value:g}" for value in values),
        unit,
        len(values),
        HEIGHT,
        bars,
        nights[0][:10],
        max(values),
        unit,
        nights[-1][:10],
    )
