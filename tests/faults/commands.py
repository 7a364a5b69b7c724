"""Commands within this process, and what must hold of each whatever it is given."""

from __future__ import annotations

import contextlib
import io
import re

import msgspec

from abiprobe.harness.cli.main import main

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that command a terminal or turn text around."""


class Said(msgspec.Struct, frozen=True):
    """How a command ended: its exit status, its output and its errors."""

    status: object
    out: str
    err: str

    @property
    def clean(self) -> bool:
        """Return whether it gave an answer, or one clear line, and no character of it commands a terminal."""
        refused = self.status == 2
        return (
            self.status in {0, 1, 2, 3, 4}
            and "Traceback" not in self.err
            and not CONTROL.search(self.out + self.err)
            and (not refused or self.err.count("\n") == 1)
        )


def called(*arguments: str) -> Said:
    """What a command says."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    status: object = None
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(list(arguments))
    except SystemExit as ended:
        status = ended.code
    written = out.buffer
    assert isinstance(written, io.BytesIO)
    return Said(status, written.getvalue().decode(), err.getvalue())
