"""Write the real outputs of commands into the documents: `python -m tests.documents.refresh [DOCUMENT...]`.

Blocks that already agree with the real output are left as they are, with their elisions. Where a block is an excerpt,
each part is renewed by itself; what cannot be, because its first line is gone, is named and left to a person.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from abiprobe.harness.cli.commands.console import PIPED_WIDTH

from .matching import agrees, renewed
from .plan import reason_not_run, steps
from .snippets import ROOT, Block, Command, blocks, commands, documents
from .workspace import inputs, need, workspace

PROGRAM = (sys.executable, "-c", "from abiprobe.harness.cli.main import main; main()")


def printed(command: Command, folder: Path) -> str:
    """What a command prints on its standard output."""
    text = ""
    for step in steps(command):
        done = subprocess.run(
            (*PROGRAM, *step.words[1:]),
            cwd=folder,
            env={**os.environ, "COLUMNS": str(PIPED_WIDTH)},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        text += done.stdout
    return text


def outputs(block: Block) -> dict[str, str]:
    """The outputs that a block shows and that are not the real ones any more, with those that are."""
    found = [one for one in commands(block) if isinstance(one, Command) and not reason_not_run(one)]
    if not any(one.output for one in found):
        return {}
    changes: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        words = {word for one in found for step in steps(one) for word in inputs(step.words)}
        for one in found:
            if "--cc" in one.words:
                need(*one.words[one.words.index("--cc") + 1].split(","))
        workspace(Path(name), words)
        for one in found:
            real = printed(one, Path(name))
            if one.output is not None and not agrees(one.output, real, one.varies):
                changes[one.output] = renewed(one.output, real)
                if not agrees(changes[one.output], real, one.varies):
                    tell(f"{one.document}:{one.line}: this excerpt is no part of the output any more")
    return changes


def tell(text: str) -> None:
    """A remark for the person who refreshes."""
    sys.stderr.write(f"{text}\n")


def main(names: list[str]) -> None:
    """Renew the outputs in these documents, or in all."""
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.setdefault("ABIPROBE_TESTS_SCRATCH", scratch)
        for document in names or documents():
            path = ROOT / document
            text = path.read_text("utf-8")
            for block in blocks(document):
                try:
                    changes = outputs(block)
                except pytest.skip.Exception as missing:
                    tell(f"{document}:{block.line}: left as it is: {missing}")
                    continue
                for old, new in changes.items():
                    text = text.replace(old, new)
                    tell(f"{document}:{block.line}: renewed")
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
