"""Members of archives (ar), with long names of GNU and BSD, and thin ones, whose members are files of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

MAGIC, THIN = b"!<arch>\n", b"!<thin>\n"
HEADER = 60
END = b"`\n"
TABLES = frozenset({"/", "/SYM64/", "__.SYMDEF", "__.SYMDEF SORTED", "__.SYMDEF_64"})
"""Names of symbol tables."""
LONG_NAMES = "//"


def is_archive(head: bytes) -> bool:
    """Return whether a file that begins so is an archive."""
    return head[: len(MAGIC)] in {MAGIC, THIN}


def members(data: bytes, elsewhere: Callable[[str], bytes]) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the members of an archive; `elsewhere` reads those of a thin one.

    Raises `ValueError` for a damaged archive.
    """
    thin, at, names = data.startswith(THIN), len(MAGIC), b""
    while at < len(data):
        header = data[at : at + HEADER]
        if len(header) < HEADER or header[58:] != END or not header[48:58].strip().isdigit():
            raise ValueError(f"no member begins at byte {at}")
        size, begin = int(header[48:58]), at + HEADER
        name = header[:16].decode("latin-1").rstrip(" ")
        inside = not thin or name in TABLES or name == LONG_NAMES
        if inside and begin + size > len(data):
            raise ValueError(f"the member at byte {at} ends behind the archive")
        content = data[begin : begin + size] if inside else b""
        at = begin + size + size % 2 if inside else begin
        if name == LONG_NAMES:
            names = content
        elif name not in TABLES:
            full, content = named(name, names, content)
            if full not in TABLES:
                yield full, content if inside else elsewhere(full)


def named(name: str, names: bytes, content: bytes) -> tuple[str, bytes]:
    """The name of a member, by the table of long names or at the beginning of its contents, and the contents; raises `ValueError`."""
    if name.startswith("#1/") and name[3:].isdigit():
        length = int(name[3:])
        if length > len(content):
            raise ValueError("a name is longer than its member")
        return content[:length].rstrip(b"\0").decode("utf-8", "replace"), content[length:]
    if name.startswith("/") and name[1:].isdigit():
        start = int(name[1:])
        end = names.find(b"\n", start)
        if end < 0:
            raise ValueError("a long name is missing")
        return names[start:end].rstrip(b"/").decode("utf-8", "replace"), content
    return name.removesuffix("/"), content
