"""The picture of the README: what `abiprobe check` prints of a cause. `python -m tests.documents.picture` makes it anew."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from .snippets import ROOT
from .workspace import files

PICTURE = ROOT / "docs" / "cause.svg"
COMMAND = "abiprobe check s.h --target riscv64-lp64d --cc gcc-12,clang-22 --opt O2 --strict"
SUBJECTS = "gcc-12", "clang-22"
COLUMNS = 122
FONT = re.compile(r"\s*@font-face \{.*?\}\n", re.DOTALL)
"""rich's picture would fetch its font."""


def printed() -> str:
    """What the command prints on a terminal, down to the first cause."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "s.h").write_text(files()["s.h"], "utf-8")
        done = subprocess.run(
            (
                sys.executable,
                "-c",
                "from abiprobe.harness.cli.main import main; main()",
                *COMMAND.split()[1:],
            ),
            cwd=folder,
            env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1, done.stderr
    parts = done.stdout.split("\n\n")
    return "\n\n".join(parts[:3])


def picture(text: str) -> str:
    """The picture of a command and what it prints."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text(f"$ cat s.h\n{files()['s.h']}$ {COMMAND}"), highlight=False)
    console.print(Text.from_ansi(text), highlight=False)
    svg = console.export_svg(title="abiprobe", theme=MONOKAI, unique_id="cause")
    return "\n".join(line.rstrip() for line in FONT.sub("\n", svg).splitlines()) + "\n"


def said(svg: str) -> list[str]:
    """What a picture says, whatever version of rich drew it."""
    return " ".join(ET.fromstring(svg).itertext()).replace("\xa0", " ").split()


if __name__ == "__main__":
    PICTURE.write_text(picture(printed()), "utf-8")
