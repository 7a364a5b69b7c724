"""Runs a compiler that writes no object file of its own format's kind, so that it writes assembly instead.

A program of its own: `to_assembly.py COMPILER OPTIONS...`, the options as for an object file. Imports nothing of abiprobe.
"""

from __future__ import annotations

import os
import sys


def main(*words: str) -> None:
    """Become the compiler, with `-S` for `-c`."""
    options = ["-S" if word == "-c" else word for word in words]
    options = [word for at, word in enumerate(options) if word != "-S" or "-S" not in options[:at]]
    os.execvp(options[0], options)  # noqa: S606 - what is asked for is to become this program


if __name__ == "__main__":
    main(*sys.argv[1:])
