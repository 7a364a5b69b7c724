"""Archives are the same for the same files."""

from __future__ import annotations

import io
import tarfile

from abiprobe.results.site.archive import archive


def test_an_archive_depends_on_its_files_alone() -> None:
    made = archive("folder", {"b.c": "b", "a.c": "ä"})
    assert made == archive("folder", {"a.c": "ä", "b.c": "b"})
    with tarfile.open(fileobj=io.BytesIO(made)) as found:
        names = found.getnames()
        assert names == ["folder/a.c", "folder/b.c"]
        inside = found.extractfile(names[0])
        assert inside is not None
        assert inside.read() == "ä".encode()
        assert {(one.mtime, one.uid, one.uname) for one in found} == {(0, 0, "")}
