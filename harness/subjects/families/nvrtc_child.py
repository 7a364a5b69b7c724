"""The child that makes NVRTC read C: `nvrtc_child.py LIBRARY OPTION... -c FILE.c -o FILE.o`, where FILE.o becomes PTX.

It has no import of abiprobe's, for it is run by its path. `nvrtc_child.py LIBRARY --version` prints the release.
"""

from __future__ import annotations

import ctypes
import re
import runpy
import sys
from pathlib import Path

# NVRTC has the built-in functions of neither gcc nor clang.
PRELUDE = """\
#define __builtin_memcpy memcpy
#define __builtin_offsetof(type, member) ((unsigned long long)__INTADDR__(&((type *)0)->member))
"""
WITHOUT = ("-O0", "-O1", "-O2", "-O3", "-Os", "-g", "-ptx")
"""Options that other compilers have; NVRTC writes PTX, and optimises, in any case."""
_TRAILING = re.compile(r"\}\s*((?:__attribute__\(\((?:[^()]|\([^()]*\))*\)\)\s*)+)")
_KEYWORD = re.compile(r"\b(struct|union|enum)\b(?=[^{};]*$)")


def main(arguments: list[str]) -> int:
    """Compile, print the log where it fails, and answer with the exit status."""
    for builtins in Path(arguments[0]).parent.glob("libnvrtc-builtins.so*"):
        # NVRTC looks for it by name alone, and finds what is loaded already.
        ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(arguments[0])
    if arguments[1:] == ["--version"]:
        major, minor = ctypes.c_int(), ctypes.c_int()
        library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        sys.stdout.write(f"NVRTC {major.value}.{minor.value}\n")
        return 0
    at = arguments.index("-c")
    source, output = Path(arguments[at + 1]), Path(arguments[arguments.index("-o") + 1])
    options = [one for one in arguments[1:at] if one not in WITHOUT]
    cuda = runpy.run_path(str(Path(__file__).with_name("nvcc_child.py")))["cuda"]
    return compiled(library, PRELUDE + cuda(leading(source.read_text("utf-8"))), source.name, options, output)


def leading(text: str) -> str:
    """The text with attributes behind the braces of a type before its name: NVRTC heeds no others."""
    at = 0
    while found := _TRAILING.search(text, at):
        opening = opened(text, found.start())
        keyword = _KEYWORD.search(text, 0, opening) if opening is not None else None
        if opening is None or keyword is None:
            at = found.end()
            continue
        words = found[1].strip()
        text = (
            f"{text[: keyword.end()]} {words}{text[keyword.end() : found.start() + 1]} {text[found.end() :]}"
        )
        at = found.start() + len(words) + 2
    return text


def opened(text: str, closing: int) -> int | None:
    """Return the index of the brace that is closed at `closing`."""
    depth = 0
    for at in range(closing, -1, -1):
        depth += (text[at] == "}") - (text[at] == "{")
        if depth == 0:
            return at
    return None


def compiled(library: ctypes.CDLL, text: str, name: str, options: list[str], output: Path) -> int:
    """Compile one text to a file of PTX."""
    program = ctypes.c_void_p()
    library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), name.encode(), 0, None, None)
    words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    status: int = library.nvrtcCompileProgram(program, len(options), words)
    if status:
        sys.stderr.write(fetched(library, program, "ProgramLog").decode("utf-8", "replace") + "\n")
        return 1
    output.write_bytes(fetched(library, program, "PTX"))
    return 0


def fetched(library: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    """The log, or the PTX, of a program."""
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, text)
    return text.value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
