"""One scratch folder per command, removed when it ends, however its workers ended."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

WHERE = "TMPDIR"


@contextmanager
def scratch() -> Iterator[None]:
    """A folder for what this process, its workers and the tools that they call would leave in the temporary one.

    A worker that is killed while it makes a folder, and a compiler that is killed or crashes, tidy up nothing.
    """
    before = os.environ.get(WHERE)
    with tempfile.TemporaryDirectory(prefix="abiprobe-", ignore_cleanup_errors=True) as folder:
        os.environ[WHERE] = tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = None
            if before is None:
                del os.environ[WHERE]
            else:
                os.environ[WHERE] = before
