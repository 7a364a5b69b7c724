"""A compiler that does not work, or is not there, beside one that does: it is told, counts, and changes nothing for the other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.skipping import needs_executor

from .broken import DECLARED, QUICK, TARGET, Beside, broken, checked, ran

NAMES = ("gcc-12", "gcc")
WORKS = {"killed when asked for _Complex"}
"""Those that say nothing of a feature, and then compile what has it."""
REFUSES = {
    *(
        "refuses each unit of calls",
        "writes no object of calls",
        "an object for RISC-V",
        "refuses every feature",
    ),
    *(
        "removes the work folder",
        "writes garbage that begins like ELF",
        "writes an empty file",
        "writes half a file",
    ),
}
"""Those that reject a unit which they should compile."""
DIES = {"an internal error on each unit of calls", "a wild pointer on each unit of calls"}
SHORT_OF_MEMORY = "no memory when asked for _Complex"
"""The functions of a user without `_Complex` are compared, and the one with it is not."""
OF_A_RUN = ("killed on each unit of calls", "no memory for any unit", "refuses every feature", "is not there")


@pytest.fixture(scope="module")
def well() -> tuple[str, str]:
    """The name and the program of a compiler that works."""
    needs_executor(TARGET)
    for name in NAMES:
        if path := shutil.which(name):
            return name, path
    pytest.skip("gcc is not installed")


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    header = tmp_path_factory.mktemp("declared") / "declared.h"
    header.write_text(DECLARED, "utf-8")
    return header


@pytest.fixture(scope="module")
def checked_alone(declared: Path, well: tuple[str, str]) -> Beside:
    return checked(declared, well[0])


@pytest.fixture(scope="module")
def ran_alone(tmp_path_factory: pytest.TempPathFactory, well: tuple[str, str]) -> Beside:
    return ran(tmp_path_factory.mktemp("alone") / "run", well[0])


def status(name: str) -> int:
    if name in WORKS:
        return 0
    if name in REFUSES:
        return 1
    return 4 if name in DIES else 3


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if at % 2 else ()) for at, name in enumerate(QUICK)],
)
def test_a_check(
    name: str, declared: Path, checked_alone: Beside, well: tuple[str, str], tmp_path: Path
) -> None:
    spelled = broken(name, tmp_path / "cc", well[1])
    found = checked(declared, well[0], spelled)
    assert found.said.status == status(name), found.said
    assert found.said.clean
    assert found.found == checked_alone.found != []
    told = [one["why"] for one in found.uncompared if one["subject"] == spelled and one["named"]]
    assert all(told)
    assert told or status(name) != 3


@pytest.mark.parametrize("name", OF_A_RUN)
def test_a_run(name: str, ran_alone: Beside, well: tuple[str, str], tmp_path: Path) -> None:
    place = tmp_path / "cc"
    found = ran(tmp_path / "run", well[0], broken(name, place, well[1]))
    assert found.said.status == status(name), found.said
    assert found.said.clean
    assert found.found == ran_alone.found != ""
    assert found.about(place)


def test_one_that_has_no_memory_for_a_feature_has_not_said_that_it_lacks_it(
    declared: Path, well: tuple[str, str], tmp_path: Path
) -> None:
    found = checked(declared, well[0], broken(SHORT_OF_MEMORY, tmp_path / "cc", well[1]))
    (only,) = found.uncompared
    assert (only["part"], only["probes"]) == ("calls", 1)
    assert "out of memory" in only["why"]
