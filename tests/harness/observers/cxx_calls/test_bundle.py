"""Bundles of calls of C++: `make` builds them with compilers of C++, and passes where a compiler does what the text says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.triage.bundles.bundle import sources
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.language.classes import Class, DataMember, Declared, Destruction, Specials
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

TARGET, NAMES = "x86_64-sysv", ("g++-12", "clang++-22")
GONE = Class(
    "G",
    members=(DataMember(Scalar(Kind.INT), "a"),),
    specials=Specials(destructor=Destruction(Declared.PROVIDED)),
)
ASKED = CxxPrototype("f", GONE, (CxxParam("p0", GONE), CxxParam("p1", Scalar(Kind.INT))), this=GONE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    here = tuple((name, "O1") for name in NAMES if installed(parse_subject(name), (find_target(TARGET),)))
    if not here:
        pytest.skip("g++-12 or clang++-22 is not installed")
    what = Fingerprint(TARGET, Symptom.KEPT, "cxxabi:calls.destroy")
    for name, text in sources(Case("c", ASKED, what, here[-1:], here[:-1], here), "a title").items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def made(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(("make", "-k"), cwd=folder, capture_output=True, text=True, check=False)


def test_what_compilers_do_as_the_text_says_passes(folder: Path) -> None:
    done = made(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    for side, count in (("caller", "02"), ("callee", "00")):
        assert (
            f"ok     {side}: destroyed objects: expected {count} 00 00 00  seen {count} 00 00 00"
            in done.stdout
        )


def test_an_object_that_nobody_destroys_fails(folder: Path) -> None:
    unit = folder / "probe.cc"
    unit.write_text(unit.read_text("utf-8").replace("++*(volatile", "*(volatile"), "utf-8")
    done = made(folder)
    assert done.returncode != 0
    assert "WRONG  caller: destroyed objects: expected 02 00 00 00  seen 00 00 00 00" in done.stdout
