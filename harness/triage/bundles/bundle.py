"""Write a reproduction bundle: sources and a Makefile that show one deviation without abiprobe."""

from __future__ import annotations

import platform
import re
import shlex
import shutil
from functools import cache
from importlib import resources
from pathlib import Path

import jinja2
import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.question import probe
from abiprobe.results.blame import Configuration, family

DRIVER_FLAGS = "-O1 -ffreestanding -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables -nostdinc"
LINKERS = ("ld.lld", *(f"ld.lld-{version}" for version in range(40, 10, -1)))


class Compiler(msgspec.Struct, frozen=True):
    """A compiler as the Makefile has it: the name of its rule and variable, its program, its options, its family."""

    rule: str
    variable: str
    program: str
    flags: str
    family: str


@cache
def template(name: str) -> jinja2.Template:
    """A template of this package."""
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    environment = jinja2.Environment(  # noqa: S701 - text, not HTML
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(text)


def sources(case: Case, title: str) -> dict[str, str]:
    """The files that show a deviation, by name; raises `Problem` where nothing shows it by itself."""
    observer = observer_of(case.fingerprint.target, case.question)
    made = observer.bundle(probe(case.question), case.fingerprint)
    expected = {"expected.txt": "\n".join((*made.expected, ""))} if made.extract else {}
    return {"probe.c": made.text, **made.files, **expected, "Makefile": makefile(title, case, made)}


def shown(case: Case) -> tuple[Configuration, ...]:
    """Return the configurations in a bundle: one of each agreeing family, then all deviating ones."""
    level = case.deviating[0][1]
    agreeing = {family(subject): subject for subject, _ in case.agreeing}
    reference = tuple((subject, level) for subject in agreeing.values())
    return (*reference, *dict.fromkeys(case.deviating))


def makefile(title: str, case: Case, made: Bundle) -> str:
    """The Makefile; without a machine the compiler alone is run, and what it writes is read if the bundle says how."""
    subjects = [compiler(case, asked) for asked in shown(case)]
    here, flags = made.machine, DRIVER_FLAGS
    if here is not None:
        flags += (
            f" -DSTATE_BYTES={here.state_bytes} -DSP_OFFSET={here.registers[here.sp].offset}"
            f" -DRETURN_ADDRESS_BYTES={here.return_address} -DSTACK_ALIGN={made.stack_align}"
        )
    return template("Makefile.j2").render(
        title=title,
        subjects=subjects,
        rules=" ".join(one.rule for one in subjects),
        trusted=subjects[0],
        crash=here is None,
        reads=made.extract,
        options=made.options,
        clang=made.clang,
        driver_flags=flags,
        ld=linker(here) if here is not None else "",
        emulation=here.emulation if here is not None else "",
        qemu=qemu(here) if here is not None else "",
    )


def compiler(case: Case, asked: Configuration) -> Compiler:
    """A subject at a level, for a Makefile."""
    found = build(parse_subject(asked[0]), case.fingerprint.target, asked[1])
    if found is None:
        raise Problem(
            f"{asked[0]} is not installed for {case.fingerprint.target}", "see: abiprobe list toolchains"
        )
    program, *flags = found.command
    # A program on PATH goes by its name; one of our cache is somewhere else for everybody else.
    name = Path(program).name if shutil.which(Path(program).name) == program else program
    if flags[:1] == ["clang"]:
        name, flags = f"{name} clang", flags[1:]
    plain = re.sub(r"\W+", "_", asked[0])
    return Compiler(f"{plain}-{asked[1]}", plain.upper(), name, shlex.join(flags), family(asked[0]))


def linker(here: Machine) -> str:
    """A linker by the name under which people have it."""
    found = next((name for name in (*LINKERS, *here.ld) if shutil.which(name)), None)
    return found or "ld.lld"


def qemu(here: Machine) -> str:
    """The emulator that is needed, if one is."""
    return "" if platform.machine() in here.hosts else f"qemu-{here.name}"
