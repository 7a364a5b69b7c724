"""A faux compiler of a vendor: it imitates the command line of `dpu-upmem-dpurte-clang` or of `popc`.

Data are laid out by a real clang for a target whose types are alike; calls are written from a table of places, which a test
fills in rightly or wrongly (ABIPROBE_TESTS_PLACES: a list of `r0`, `r4:r5` with the most significant first, or a stack offset). Standard library only.
"""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

DPU_MACHINE, DPU_FLAGS = 0xF5, 0x02800000
CALL = re.compile(r"void (caller_\d+_\d+)\(void\) \{ (target_\d+)\((.*)\); \}")


def option(arguments: list[str], name: str) -> str:
    """The word behind an option."""
    return arguments[arguments.index(name) + 1]


def wider(text: str) -> str:
    """The same C for a target whose `long` has 4 bytes."""
    return re.sub(r"\blong long\b|\blong\b", "long long", text)


def dpu(clang: str, arguments: list[str]) -> None:
    """Objects and assembly for the DPU."""
    source = next(Path(word) for word in arguments if word.endswith(".c"))
    output = Path(option(arguments, "-o"))
    text = source.read_text("utf-8")
    if "-S" in arguments:
        output.write_text(dpu_calls(text), "utf-8")
        return
    changed = source.with_suffix(".faux.c")
    changed.write_text(wider(text), "utf-8")
    words = [
        clang,
        "--target=riscv32-unknown-elf",
        "-w",
        "-fsigned-char",
        "-c",
        str(changed),
        "-o",
        str(output),
    ]
    if subprocess.run(words, check=False).returncode:
        sys.exit(1)
    data = bytearray(output.read_bytes())
    struct.pack_into("<H", data, 18, DPU_MACHINE)
    struct.pack_into("<I", data, 36, DPU_FLAGS)
    output.write_bytes(data)


def dpu_calls(text: str) -> str:
    """Each caller as assembly, its arguments where the table says."""
    lines = []
    for name, target, arguments in CALL.findall(text):
        lines += [f"{name}:", "\tsd r22, 56, d22", "\tadd r22, r22, 64"]
        for place, argument in zip(
            json.loads(os.environ["ABIPROBE_TESTS_PLACES"]), arguments.split(", "), strict=True
        ):
            value = int(re.sub(r"[UL]+$|u$", "", argument.split(")")[-1]), 0)
            lines += [f"\t{line}" for line in dpu_put(place, value)]
        lines += [f"\tcall r23, {target}", "\tld d22, r22, -8", "\tjump r23"]
    return "\n".join(lines) + "\n"


def dpu_put(place: object, value: int) -> list[str]:
    """The instructions that put an argument in a place."""
    if isinstance(place, int):
        return [f"move r9, {value & 0xFFFFFFFF}", f"sw r22, {place}, r9"]
    assert isinstance(place, str)
    if ":" not in place:
        return [f"move {place}, {value & 0xFFFFFFFF}"]
    high, low = place.split(":")
    return [f"move {high}, {value >> 32 & 0xFFFFFFFF}", f"move {low}, {value & 0xFFFFFFFF}"]


def popc(clang: str, arguments: list[str]) -> None:
    """Assembly of the data for the IPU; objects it has none."""
    if "-S" not in arguments or not any(word.startswith("--target=ipu") for word in arguments):
        sys.exit("popc: error: no graph program can be written here")
    source = next(Path(word) for word in arguments if word.endswith(".c"))
    words = [clang, "--target=armv7-none-eabi", "-w", "-fsigned-char", "-fno-short-enums"]
    sys.exit(
        subprocess.run([*words, "-S", str(source), "-o", option(arguments, "-o")], check=False).returncode
    )


def main(which: str, clang: str) -> None:
    """Answer for a version, else compile."""
    arguments = sys.argv[1:]
    if "--version" in arguments:
        sys.stdout.write(f"faux {which} 1.0\n")
        return
    {"dpu": dpu, "popc": popc}[which](clang, arguments)
