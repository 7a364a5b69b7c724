"""Protection of a terminal from foreign text."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from abiprobe.results.journal.printable import printable


class Guarded:
    """Something to print, without the characters that a terminal would obey."""

    def __init__(self, inner: ConsoleRenderable) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render what is inside, and escape its text; what rich itself tells the terminal passes."""
        for segment in console.render(self._inner, options):
            text, style, control = segment
            yield segment if control else Segment(printable(text), style)


class Guard(RenderHook):
    """Guards everything that a console prints."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Guard each of these."""
        return [Guarded(one) for one in renderables]
