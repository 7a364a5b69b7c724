"""Programs that compile as a real compiler does, and then do one thing more."""

from __future__ import annotations

from pathlib import Path

LEFT = {
    "a folder": 'rm -f "$out"; mkdir "$out"',
    "a pipe": 'rm -f "$out"; mkfifo "$out"',
    "a link to zeros": 'rm -f "$out"; ln -s /dev/zero "$out"',
    "a link to itself": 'rm -f "$out"; ln -s "$out" "$out"',
    "20 GB without content": 'truncate -s 20G "$out" 2>/dev/null || exit 1',
    "nothing": 'rm -f "$out"',
    "an empty file": ': > "$out"',
    "nobody may read": 'rm -f "$out"; mkdir "$out"; chmod 0 "$out"',
    "no work folder": 'rm -rf "$(dirname "$out")"',
    "half a file": 'truncate -s 200 "$out"',
}
"""What a compiler leaves for an object, in shell; `out` is where the object should be."""


def program(folder: Path, real: str, after: str, when: str = "union") -> Path:
    """A compiler that does `after` on each unit that has the word `when`."""
    path = folder / "gcc-odd"
    path.write_text(
        f"""#!/bin/sh
{real} "$@" || exit $?
src= ; out=
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out="$2"; shift;;
    *.c) src="$1";;
  esac
  shift
done
if [ -n "$out" ] && grep -qw {when} "$src" 2>/dev/null; then {after}; fi
exit 0
""",
        "utf-8",
    )
    path.chmod(0o755)
    return path
