"""Putting a batch to a faux compiler."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from faux.editing import LIE
from laboratory.jobs import spelled_job

from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.prediction import kinds
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.families import zig
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, probe
from abiprobe.results.verdicts.record import Verdict
from tests.skipping import needs_executor

HERE = Path(__file__).parent
Verdicts: TypeAlias = "dict[tuple[str, str], Verdict]"
"""Verdicts by the name of what was asked (a tag or a function) and the kind of probe."""
Honest: TypeAlias = Callable[[str, tuple[Question, ...]], Verdicts]
"""Puts questions about a target to an honest compiler."""
Ask: TypeAlias = Callable[[str, str, tuple[Question, ...], Limits], Verdicts]
"""Puts questions about a target to the compiler that tells a lie."""


def real_clang() -> list[str]:
    """The command of an honest clang."""
    program = zig.program()
    if program is not None:
        return [program, "clang"]
    path = next(filter(None, map(shutil.which, ("clang", "clang-22", "clang-19"))), None)
    if path is None:
        pytest.skip("neither zig nor clang is installed")
    return [path]


def script(real: Sequence[str]) -> str:
    """The program of a faux compiler: Python takes longer to start than a compiler, so it starts for lies only."""
    lie = f"import sys; del sys.argv[0]; sys.path.insert(0, {str(HERE)!r}); import compiler; compiler.main({[*real]!r})"
    return f"""#!/bin/sh
test "${{{LIE}:-tells_the_truth}}" = tells_the_truth || for word; do
    case $word in *.c) exec {shlex.join((sys.executable, "-ISc", lie))} "$0" "$@" ;; esac
done
exec {shlex.join(real)} "$@"
"""


def program(folder: Path, real: Sequence[str] = ()) -> Path:
    """A compiler in `folder`, a clang or the `real` one, that tells the lie named in `LIE`, or the truth."""
    path = folder / "faux"
    if not path.exists():
        path.write_text(script([*real] or real_clang()), "utf-8")
        path.chmod(0o755)
    return path


def put(
    path: Path,
    lie: str,
    target: str,
    questions: tuple[Question, ...],
    limits: Limits,
    family: str = "clang",
) -> Verdicts:
    """The verdicts of one batch on the program at `path` while it tells `lie`.

    Checks that every probe is accounted for, once for every kind. Skips where programs of the target do not run.
    """
    if not isinstance(questions[0], Record):
        needs_executor(target)
    sort = Sort.PROTOTYPES if isinstance(questions[0], Prototype) else Sort.RECORDS
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LIE, lie)
        (done,) = run_job(spelled_job(target, 0, sort, questions, ((f"{family}:{path}", "O0"),), limits))
    answered = [(verdict.probe, verdict.kind) for verdict in done.verdicts]
    asked = [(probe(question).id, kind) for question in questions for kind in kinds(question)]
    marked = [key for key in answered if key[1] is ProbeKind.SYMBOL]
    assert sorted(answered, key=str) == sorted((*asked, *marked), key=str)
    assert done.probes == len(questions)
    names = {probe(one).id: one.name if isinstance(one, Prototype) else one.tag for one in questions}
    return {(names[verdict.probe], verdict.kind.value): verdict for verdict in done.verdicts}
