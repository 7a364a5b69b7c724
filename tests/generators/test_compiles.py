"""Real compilers accept what is drawn."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abiprobe.generators.pool import draw_pool
from abiprobe.harness.render import c as render
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import Question

ILP32 = frozenset({"_Complex", "empty record", "long double", "zero-length array"})


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
    return "\n".join(parts)


@pytest.mark.parametrize(
    ("tool", "options", "features"),
    [
        ("gcc-12", (), None),
        ("clang-22", (), None),
        ("clang-22", ("--target=riscv64",), None),
        ("clang-22", ("--target=riscv32",), ILP32),
        ("clang-22", ("--target=x86_64-pc-windows-gnu",), None),
    ],
)
def test_a_pool_compiles(
    tool: str, options: tuple[str, ...], features: frozenset[str] | None, tmp_path: Path
) -> None:
    compiler = shutil.which(tool)
    if compiler is None:
        pytest.skip(f"{tool} is not installed")
    pool = draw_pool(seed=11, cases=300, features=features)
    source = tmp_path / "unit.c"
    source.write_text(unit(pool.records + pool.prototypes), encoding="utf-8")
    done = subprocess.run(
        [compiler, *options, "-std=gnu11", "-fsyntax-only", "-w", str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
