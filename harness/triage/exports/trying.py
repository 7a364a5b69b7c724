"""Whom an exported test fails for, as far as that can be seen without the suite that it is made for."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.subjects.find import build_at_level
from abiprobe.harness.triage.bundles.bundle import PROGRAM, shown
from abiprobe.harness.triage.cases import Case
from abiprobe.harness.triage.exports.commands import command, is_of_c
from abiprobe.harness.triage.exports.forms import Form
from abiprobe.harness.triage.exports.in_cxx import STANDARD
from abiprobe.harness.triage.exports.ir import fits
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import CXX_QUESTIONS
from abiprobe.oracles.quirks.versions import family

SECONDS = 120.0
CHECK = re.compile(r"^// CHECK: (define.*)$", re.MULTILINE)


def tried(case: Case, form: Form, out: Path) -> dict[str, bool]:
    """Map each compiler and level to whether a test in a folder fails; tests of other runners are left out."""
    if form is Form.C:
        return by_make(case, out)
    if isinstance(case.question, CXX_QUESTIONS):
        return by_assertions(case, out)
    if form is Form.FILECHECK and isinstance(case.question, Prototype):
        return by_signature(case, out)
    return {}


def by_make(case: Case, out: Path) -> dict[str, bool]:
    """Return the results of `make` with each compiler of the case; empty without `make`."""
    make = shutil.which("make")
    if make is None:
        return {}
    programs = PROGRAM.findall((out / "Makefile").read_text("utf-8"))
    found = {}
    for asked in shown(case):
        if not is_of_c(asked):
            continue
        words = command(case, asked)
        done = child.run((make, f"CC={words}"), timeout=SECONDS, cwd=out, programs=(*programs, *paths(words)))
        found[f"{asked[0]} -{asked[1]}"] = done.returncode != 0
    child.run((make, "clean"), timeout=SECONDS, cwd=out)
    return found


def paths(words: str) -> tuple[str, ...]:
    """The program of a command, if it is named by its path."""
    first = words.split(maxsplit=1)[0]
    return (first,) if first.startswith("/") else ()


def by_signature(case: Case, out: Path) -> dict[str, bool]:
    """Map each clang of the case to whether its signature differs from the one that the test demands."""
    (path,) = out.glob("*.c")
    asked_for = CHECK.findall(path.read_text("utf-8"))
    found: dict[str, bool] = {}
    for asked in shown(case):
        text = ir_of(case, asked[0], path) if family(asked[0]) == "clang" and asked_for else None
        if text is not None:
            found[asked[0]] = not any(fits(line, asked_for[0]) for line in text.splitlines())
    return found


def by_assertions(case: Case, out: Path) -> dict[str, bool]:
    """Map each compiler of the case to whether it rejects the test, by what that asserts."""
    (path,) = (*out.glob("*.C"), *out.glob("*.cpp"))
    found: dict[str, bool] = {}
    for asked in shown(case):
        built = build_at_level(asked, case.target)
        if built is not None:
            hosted = tuple(word for word in built.command if word != "-ffreestanding")
            done = child.run((*hosted, STANDARD, "-fsyntax-only", str(path)), timeout=SECONDS)
            found[asked[0]] = done.returncode != 0
    return found


def ir_of(case: Case, name: str, path: Path) -> str | None:
    """Return the IR that a clang makes of a test; `None` if it rejects the test."""
    built = build_at_level((name, "O0"), case.target)
    if built is None or built.language:
        return None
    with temporary() as folder:
        out = Path(folder, "unit.ll")
        words = (*built.command, "-S", "-emit-llvm", str(path), "-o", str(out))
        done = child.run(words, timeout=SECONDS, scratch=Path(folder))
        return out.read_text("utf-8", "replace") if done.returncode == 0 and out.exists() else None


def require_shown(case: Case, form: Form, seen: Mapping[str, bool]) -> None:
    """Raise `Problem` where the signature of a compiler to blame is as the clause demands, so that IR does not show it."""
    if form is not Form.FILECHECK:
        return
    guilty = [seen[name] for name in dict.fromkeys(name for name, _ in case.deviating) if name in seen]
    if guilty and not any(guilty):
        if isinstance(case.question, CXX_QUESTIONS):
            raise Problem(
                "what deviates is no constant, which is all that this test shows", "gcc-dg shows it"
            )
        raise Problem(
            "the signature in LLVM IR is as the clause demands: it is the code generator that departs from it",
            "--as c shows it",
        )
