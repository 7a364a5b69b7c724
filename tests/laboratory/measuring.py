"""The sections of the page on sensitivity, each measured anew."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, asides
from abiprobe.harness.runs import tours
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.journal.journal import JournalError, read_complete
from abiprobe.results.report.releases import releases_section
from laboratory.families import FAMILIES
from laboratory.flags import FLAGS, kill
from laboratory.heartbeat import Heartbeat
from laboratory.models_page import models_section
from laboratory.page import flags_section, put, summarised, tours_section
from laboratory.scoring import score

HEAD = """# Sensitivity

What the tests of abiprobe notice, measured by `tox -e laboratory -- --out docs/sensitivity.md`. Each section is
replaced when it is measured anew (`tox -e laboratory -- tours riscv flags`; `--run RUN` for the releases).

Of wrong models: **killed** by a probe on which the verdict is another, by a golden vector, or by a lie that it misses; **broken**,
since it raises what no model raises; **withdrawn**, since it has no answer where the model has one, which a run counts; **miscites**:
it says the same of every byte of a golden vector, and cites another clause than the one that decides. These four are noticed. The others
are left: **asks the same** of every byte, and cites other clauses where no golden vector tells, or says what no byte can show; **no difference** on any
recorded probe; **survived**, though it says something else of a byte. The score is the noticed ones among all but the **equivalent**: those of
which it is proved, one by one, that no question could tell them from the model (`tests/laboratory/survivors.toml`); whatever is not proved counts as missed. The
placement of arguments is the last row of each table: wrong models of the modules that place arguments, less those that were seen to differ
only in what stands above a value, in what is kept or in what is cited. No wrong models are made of what is no policy: caches,
type aliases, assertions, words for people (`tests/laboratory/policy.py`).
"""
LEVEL = "O0"


def measure(
    names: tuple[str, ...], out: Path | None, cases: int, seed: int, subjects: Mapping[str, str]
) -> None:
    """Measure the sections of these names, all without any, and print them or put them into a page."""
    sections: dict[str, Callable[[Heartbeat], str]] = {
        "tours": lambda _: tour_section(),
        **{name: model_section(name, cases, seed) for name in FAMILIES},
        "flags": lambda pulse: flag_section(subjects, seed, pulse),
    }
    unknown = [name for name in names if name not in sections]
    if unknown:
        raise Problem(f"there is no section {unknown[0]!r}", f"sections: {', '.join(sections)}")
    for name in names or tuple(sections):
        asides().print(f"measuring {name}")
        with Heartbeat(name).beating() as pulse:
            text = sections[name](pulse)
        show(name, text, out)


def show(name: str, text: str, out: Path | None) -> None:
    """Print a section, or put it into a page."""
    if out is None:
        answers().print(text, markup=False, highlight=False, soft_wrap=True)
        return
    page = out.read_text("utf-8") if out.exists() else HEAD
    out.write_text(summarised(put(page, name, text)), "utf-8")


def releases(folders: tuple[Path, ...], out: Path | None) -> None:
    """Tabulate which clauses each subject of finished runs breaks; raises `Problem` for an unfinished run."""
    try:
        show("releases", releases_section([read_complete(folder) for folder in folders]), out)
    except JournalError as error:
        raise Problem(str(error)) from error


def tour_section() -> str:
    """The tours of every target with calls."""
    return tours_section([(target, tours.parts(target)) for target in TARGETS if tours.parts(target)])


def model_section(name: str, cases: int, seed: int) -> Callable[[Heartbeat], str]:
    """The trials of one family of models."""

    def section(pulse: Heartbeat) -> str:
        started = time.monotonic()
        measured = score(name, cases, seed, len(os.sched_getaffinity(0)), pulse.watch)
        return models_section(name, measured, time.monotonic() - started)

    return section


def flag_section(subjects: Mapping[str, str], seed: int, pulse: Heartbeat) -> str:
    """Every flag on trial with the subject of its family."""
    tried = [flag for flag in FLAGS if flag.family in subjects]
    found = (kill(flag, subjects[flag.family], LEVEL, seed) for flag in pulse.watch(tried, len(tried)))
    return flags_section([one for one in found if one is not None])
