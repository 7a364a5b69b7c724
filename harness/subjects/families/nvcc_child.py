"""The child that makes nvcc read C: `nvcc_child.py NVCC OPTION... -c FILE.c -o FILE.o`, where FILE.o becomes PTX.

It has no import of abiprobe's, for it is run by its path.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

# Device code knows __half of a header; on _Float16 and __bf16 nvcc 13.0 ends with an internal error.
PRELUDE = """\
#define _Float16 abi_no_16_bit_floats
#define __bf16 abi_no_16_bit_floats
#define _Bool bool
#define _Alignof alignof
#define _Alignas(n) alignas(n)
#define _Static_assert static_assert
struct abi_ones { template <class T> constexpr operator T() const { return (T)-1; } };
"""
_SET = re.compile(r"\{ \.([\w.\[\]]+) = (-?1) \};")


def cuda(text: str) -> str:
    """C as CUDA C++: constants at the outermost level are the device's, and keep their names."""
    nested = _SET.sub(lambda found: f"{initialiser(found[1], found[2])};", text)
    device = re.sub(r"^const (?=.*=)", "__device__ extern const ", nested, flags=re.MULTILINE)
    # NVRTC takes no storage class in an extern "C" without braces.
    return f'{PRELUDE}extern "C" {{\n{device}\n}}\n'


def initialiser(path: str, value: str) -> str:
    """`a.b[1].c` set to a value; C++ has no chained designators, and converts no number to an enumeration."""
    text = "abi_ones{}" if value == "-1" else value
    for word in reversed(re.findall(r"\w+|\[\d+\]", path)):
        if word.startswith("["):
            text = "{ " + "{}, " * int(word[1:-1]) + text + " }"
        else:
            text = f"{{ .{word} = {text} }}"
    return text


def main(arguments: list[str]) -> None:
    """Write the translation beside the source and become nvcc."""
    program, *rest = arguments
    at = rest.index("-c")
    source = Path(rest[at + 1])
    translated = source.with_suffix(".cu")
    translated.write_text(cuda(source.read_text("utf-8")), "utf-8")
    os.execv(program, [program, *rest[:at], str(translated), *rest[at + 2 :]])  # noqa: S606 - the signals and limits of this child become nvcc's


if __name__ == "__main__":
    main(sys.argv[1:])
