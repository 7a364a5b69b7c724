"""Real compilers accept what is drawn, wherever they have the features that it needs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abiprobe.generators.pool import draw_pool
from abiprobe.generators.scope import EXTENSIONS, FEATURES
from abiprobe.harness.machines.render import c as render
from abiprobe.oracles.language.features import SAMPLES
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Question

COMPILERS = [
    ("gcc-12",),
    ("gcc-12", "-m32"),
    ("riscv64-linux-gnu-gcc-12",),
    ("riscv64-linux-gnu-gcc-12", "-march=rv32gc", "-mabi=ilp32d"),
    ("clang-14",),
    ("clang-16", "--target=riscv64-linux-gnu"),
    ("clang-22",),
    ("clang-22", "--target=i386-linux-gnu"),
    ("clang-22", "--target=riscv32-linux-gnu"),
    ("clang-22", "--target=riscv64-linux-gnu"),
    ("clang-22", "--target=x86_64-pc-windows-gnu"),
]


def unit(questions: tuple[Question, ...]) -> str:
    parts = []
    for number, question in enumerate(questions):
        suffix = f"_{number}"
        if isinstance(question, Prototype):
            types = tuple(param.type for param in question.params)
            used = types if question.result is None else (question.result, *types)
            parts += [
                render.definitions(used, suffix),
                render.prototype(question, suffix, f"f{suffix}") + ";",
            ]
        else:
            parts.append(render.definitions((question,), suffix))
            used = (question,)
        # Compilers lay a record out, and complain of it, when its size is asked for.
        parts += [
            f"unsigned long size_{number}_{at}(void) {{ return sizeof({render.declare(c_type, '', suffix)}); }}"
            for at, c_type in enumerate(used)
        ]
    return "\n".join(parts) + "\n"


def check(command: tuple[str, ...], text: str, source: Path) -> str:
    """What the compiler has to say against `text`; nothing where it accepts it."""
    program = shutil.which(command[0])
    if program is None:
        pytest.skip(f"{command[0]} is not installed")
    source.write_text(text, encoding="utf-8")
    words = (program, *command[1:], "-std=gnu11", "-fsyntax-only", "-w", str(source))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stderr[:2000] if done.returncode else ""


@pytest.mark.parametrize("command", COMPILERS, ids=" ".join)
def test_a_pool_compiles(command: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    lacking = {name for name in FEATURES if check(command, SAMPLES[name] + "\n", source)}
    assert lacking <= EXTENSIONS
    pool = draw_pool(seed=11, cases=600, features=FEATURES - lacking)
    assert not check(command, unit(pool.records + pool.prototypes), source)
