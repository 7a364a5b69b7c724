"""The frame of a function as text and as JSON: the stack, what a call preserves, what a function saves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from rich.console import Console
from rich.text import Text

from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.frame import Frame
from abiprobe.results.report.wrap import print_hanging

CLAUSE_STYLE = "magenta"


def frame_of(target: str) -> Frame | None:
    """Return the description of a target's frames, of the text or a dialect, or `None`."""
    return find_target(target).frame


def print_frame(console: Console, target: str, functions: Sequence[Prototype]) -> tuple[str, ...]:
    """Print the frame of functions that are no vertices, if there are any; returns the clauses cited."""
    frame = frame_of(target)
    if frame is None or all(function.vertex for function in functions):
        return ()
    console.print()
    console.print(Text("frame", style="bold"))
    cited = []
    for text, clause in lines(frame):
        print_hanging(console, Text(text).append(f" [{clause}]", CLAUSE_STYLE), first="  ", indent=6)
        cited.append(clause)
    return tuple(cited)


def lines(frame: Frame) -> Iterator[tuple[str, str]]:
    """Each statement with its clause."""
    clauses = frame.clauses
    pointer = frame.stack_pointer
    yield (
        f"{pointer} is the stack pointer, aligned to {frame.align} bytes; it grows {frame.grows}",
        clauses["stack_pointer"],
    )
    yield f"{frame.return_address} holds the return address on entry", clauses["return_address"]
    yield f"the first stack argument of a word lies at stack{frame.arguments:+}", clauses["arguments"]
    if frame.variadic is not None:
        yield f"va_start begins at stack{frame.variadic:+}", clauses["variadic"]
    yield f"callee-saved: {', '.join(frame.preserved)}", clauses["preserved"]
    if frame.frame_pointer:
        both = f"{frame.frame_pointer} may be the frame pointer, {frame.base_pointer} the base pointer"
        yield both, clauses["frame_pointer"]
    for saved in frame.saved:
        whose = "at entry" if saved.of == "entry" else "once the frame is made"
        what = f"{saved.register}, the {saved.role}, is saved by a function that calls"
        yield f"{what}: {saved.offset:+} from {pointer} {whose}", saved.clause


def frame_json(target: str) -> dict[str, object]:
    """The frame under its key, or nothing."""
    frame = frame_of(target)
    return {} if frame is None else {"frame": msgspec.to_builtins(frame)}
