"""Findings as the tests of other suites, run by these suites.

python -m tests.exports.table [PATTERN] [--form FORM]... [--table docs/findings/exports.tsv]
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.table_file import Row as Cells
from abiprobe.harness.base.table_file import put
from abiprobe.harness.input import read
from abiprobe.harness.machines.targets import platform_of
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.triage.cases import Case
from abiprobe.harness.triage.exports.forms import Form, export
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.versions import family
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

from . import suites

COMPILERS = ("gcc-12", "gcc-16", "clang-22", "clang-24")
PAIRS = "gcc-dg compat"
OLD_RUSTC = f"rustc-{suites.OLD_RUSTC}"
"""How Debian 12's rustc is called here."""
REMARK = "Made by `python -m tests.exports.table --table docs/findings/exports.tsv`."
NOBODY = "-"


class Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A live finding: who is to blame for it, as families or names."""

    target: str
    c: str
    guilty: tuple[str, ...]
    clause: str = ""
    symptom: str = ""
    words: str = ""
    level: str = "O0"

    @property
    def question(self) -> Question:
        """What it is about."""
        found = read(self.c, filename="finding.h", triple=platform_of(find_target(self.target)).triple)
        return (*found.functions, *found.records[-1:])[0]

    def is_guilty(self, name: str) -> bool:
        """Return whether a compiler is to blame."""
        return name in self.guilty or family(name) in self.guilty

    def case(self, compilers: Sequence[str]) -> Case:
        """The case as triage would have it."""
        question = self.question
        usual = Symptom.MISPLACED if hasattr(question, "params") else Symptom.LAYOUT
        symptom = Symptom(self.symptom) if self.symptom else usual
        asked = tuple((name, self.level) for name in compilers)
        deviating = tuple(one for one in asked if self.is_guilty(one[0]))
        if not deviating:
            deviating = tuple((name, self.level) for name in self.guilty)
        agreeing = tuple(one for one in asked if one not in deviating)
        what = Fingerprint(self.target, symptom, self.clause, self.words)
        return Case("finding", question, what, deviating, agreeing, asked, reduced=True)


class Row(msgspec.Struct, frozen=True):
    """Who fails a test of one form and who passes it, or why there is none."""

    finding: Finding
    form: str
    failed: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    reason: str = ""

    @property
    def wrong(self) -> bool:
        """Return whether somebody fails who is not to blame, or passes who is.

        A compiler that relies on more than a text says gets it from many another one, so such a pair may pass.
        """
        lucky = self.form == PAIRS and Symptom(self.finding.symptom or "misplaced") is Symptom.ABOVE
        missed = not lucky and any(map(self.blamed, self.passed))
        return missed or any(not self.blamed(name) for name in self.failed)

    def blamed(self, name: str) -> bool:
        """Return whether a compiler is to blame, or one of a pair and the other one not."""
        guilt = [self.finding.is_guilty(one) for one in name.split(" with ")]
        return guilt.count(True) == 1

    @property
    def about(self) -> Cells:
        """What the row is about."""
        return {"declaration": f"`{self.finding.c}`", "target": self.finding.target, "form": self.form}

    @property
    def cells(self) -> Cells:
        """What the row says."""
        if self.reason:
            return {"fails for": self.reason, "passes for": ""}
        return {
            "fails for": ", ".join(self.failed) or NOBODY,
            "passes for": ", ".join(self.passed) or NOBODY,
        }


def findings() -> tuple[Finding, ...]:
    """All findings."""
    told = tomllib.loads((suites.HERE / "findings.toml").read_text("utf-8"))["finding"]
    return msgspec.convert(told, tuple[Finding, ...])


def here(finding: Finding, names: Sequence[str] = COMPILERS) -> list[str]:
    """The compilers of C that can be asked about a finding."""
    found = []
    for name in names:
        if not installed(parse_subject(name), (find_target(finding.target),)):
            continue
        # gcc 12 has no _BitInt.
        if not ("_BitInt" in finding.c and name == "gcc-12"):
            found.append(name)
    return found


def rows(
    finding: Finding, forms: Sequence[Form] = tuple(Form), names: Sequence[str] = COMPILERS
) -> Iterator[Row]:
    """The rows of a finding: each form run by its suite, with some compilers of C."""
    compilers = here(finding, names)
    case = finding.case(compilers)
    for form in forms:
        with tempfile.TemporaryDirectory(prefix="abiprobe-exports-") as scratch:
            folder = Path(scratch)
            try:
                for name, text in export(case, form).items():
                    (folder / name).write_text(text, "utf-8")
                yield from RUN[form](finding, case, compilers, folder)
            except Problem as problem:
                yield Row(finding, form.value, reason=problem.message)
            except suites.Missing as missing:
                yield Row(finding, form.value, reason=f"not run: {missing} is not installed")


def split(finding: Finding, form: str, found: dict[str, bool]) -> Row:
    """A row of who fails."""
    failed = tuple(name for name, fails in found.items() if fails)
    return Row(finding, form, failed, tuple(name for name in found if name not in failed))


def by_lit(finding: Finding, case: Case, compilers: Sequence[str], folder: Path) -> Iterator[Row]:
    """clang/test by lit."""
    found = {}
    for name in compilers:
        if family(name) == "clang":
            (found[name],) = suites.lit(name, folder).values()
    yield split(finding, "filecheck", found)


def by_dejagnu(finding: Finding, case: Case, compilers: Sequence[str], folder: Path) -> Iterator[Row]:
    """gcc.dg with each gcc, and gcc.dg/compat with the first gcc and each other compiler."""
    alone: dict[str, bool] = {}
    pairs: dict[str, bool] = {}
    of_gcc = [name for name in compilers if family(name) == "gcc"]
    if not of_gcc:
        raise suites.Missing("gcc")
    others = [name for name in compilers if name != of_gcc[0] and list(folder.glob("*_x.c"))]
    tried = [(name, name) for name in of_gcc[1:]] + [(of_gcc[0], name) for name in others or of_gcc[:1]]
    for name, other in tried:
        with tempfile.TemporaryDirectory(prefix="abiprobe-exports-") as scratch:
            place = Path(scratch)
            for path in folder.glob("*.c"):
                shutil.copy(path, place)
            with suppress(suites.LinkError):
                single, paired = suites.dejagnu(place, finding.target, name, other, finding.level)
                alone |= dict.fromkeys([name] if single else [], any(single.values()))
                if paired and other != name:
                    pairs[f"{name} with {other}"] = any(paired.values())
    yield split(finding, "gcc-dg", alone)
    if pairs:
        yield split(finding, PAIRS, pairs)


def by_rustc(finding: Finding, case: Case, compilers: Sequence[str], folder: Path) -> Iterator[Row]:
    """rust's tests/codegen-llvm, or tests/ui for a layout, of which an old rustc is asked as well."""
    (path,) = folder.glob("*.rs")
    found = {"rustc": suites.rustc(suites.need("rustc"), path)}
    if isinstance(case.question, Record) and (old := suites.old_rustc()):
        found |= {OLD_RUSTC: suites.rustc(old, path)}
    yield split(finding, "rustc", found)


def by_zig(finding: Finding, case: Case, compilers: Sequence[str], folder: Path) -> Iterator[Row]:
    """zig's test/c_abi."""
    program = suites.command("zig", finding.target)[0]
    yield split(finding, "zig", {"zig-lang": suites.zig(program, folder, finding.target, finding.level)})


def by_make(finding: Finding, case: Case, compilers: Sequence[str], folder: Path) -> Iterator[Row]:
    """C by make."""
    found = {
        name: suites.make(folder, suites.command(name, finding.target, finding.level)) for name in compilers
    }
    yield split(finding, "c", found)


RUN = {
    Form.FILECHECK: by_lit,
    Form.GCC_DG: by_dejagnu,
    Form.RUSTC: by_rustc,
    Form.ZIG: by_zig,
    Form.C: by_make,
}


def main() -> int:
    """Print the rows, or put them into a file; 1 if a test fails for somebody else than those to blame."""
    parser = argparse.ArgumentParser()
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--form", type=Form, action="append")
    parser.add_argument("--table", type=Path)
    asked = parser.parse_args()
    wrong = 0
    for finding in findings():
        if re.search(asked.pattern, f"{finding.target} {finding.c}"):
            for row in rows(finding, asked.form or list(Form)):
                said = (*row.about.values(), *row.cells.values(), *(("WRONG",) if row.wrong else ()))
                print(*said, sep="\t", flush=True)
                if asked.table and not row.reason:
                    put(asked.table, REMARK, [row.cells], row.about)
                wrong += row.wrong
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
