"""Archives that are the same for the same files, whenever and wherever they are written."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Mapping


def archive(folder: str, files: Mapping[str, str]) -> bytes:
    """A `.tar.gz` of some texts in a folder, by name."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as out:
        for name in sorted(files):
            data = files[name].encode()
            about = tarfile.TarInfo(f"{folder}/{name}")
            about.size, about.mode = len(data), 0o644
            out.addfile(about, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), mtime=0)
