"""A bundle: everything that shows one deviation to somebody who has the compilers and nothing of ours."""

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

from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.cases import Case
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.prepare import predict
from abiprobe.harness.problem import Problem
from abiprobe.harness.repro.reading import Reading, is_run, reading
from abiprobe.harness.repro.values import call_values, layout_values
from abiprobe.harness.runtime.machine import Machine, machine
from abiprobe.harness.toolchains.find import build, parse_subject
from abiprobe.harness.wording import calls_text, layouts_text
from abiprobe.oracles.question import probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.results.blame import Asked, family
from abiprobe.results.fingerprint import CRASHES, Symptom

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
    """The files that show a deviation, by name; raises `Problem` for a target that nothing can run."""
    if not is_run(case.fingerprint.target) or case.fingerprint.symptom is Symptom.NAMES:
        return texts(case, title)
    plan = predict(find_model(case.fingerprint.target), probe(case.question))
    if isinstance(plan, tuple):
        raise Problem(f"the model gives no answer for {case.name}", "only what it predicts can be shown")
    text = calls_text([plan]) if isinstance(plan, CallPlan) else layouts_text([plan])
    if case.fingerprint.symptom in CRASHES:
        return {"probe.c": text, "Makefile": makefile(title, case, None)}
    about = find_target(case.fingerprint.target)[0]
    assert about.registers is not None, "programs of the target are run"
    here = machine(about.machine)
    return {
        "probe.c": text,
        "values.h": layout_values(plan)
        if isinstance(plan, LayoutPlan)
        else call_values(plan, here, about.registers, kept=case.fingerprint.symptom is Symptom.KEPT),
        "driver.c": resource("abiprobe.harness.repro", "driver.c"),
        "registers.S": resource("abiprobe.harness.runtime", here.assembly),
        "Makefile": makefile(title, case, here, about.registers.stack_align),
    }


def texts(case: Case, title: str) -> dict[str, str]:
    """The files that show a deviation in what a compiler writes; raises `Problem` where that shows nothing."""
    what = reading(case)
    files = {"probe.c": what.text, "Makefile": makefile(title, case, None, reads=what)}
    return files | ({"expected.txt": "\n".join((*what.expected, ""))} if what.extract else {})


def shown(case: Case) -> tuple[Asked, ...]:
    """Who is to be seen: one of each family that follows the text, and then all who do not."""
    level = case.deviating[0][1]
    agreeing = {family(subject): subject for subject, _ in case.agreeing}
    reference = tuple((subject, level) for subject in agreeing.values())
    return (*reference, *dict.fromkeys(case.deviating))


def resource(package: str, name: str) -> str:
    """A file that comes with abiprobe."""
    return resources.files(package).joinpath(name).read_text("utf-8")


def makefile(
    title: str, case: Case, here: Machine | None, stack_align: int = 1, reads: Reading | None = None
) -> str:
    """The Makefile; without a machine the compiler alone is run, and what it writes is read if `reads` says how.

    `stack_align` is that of stack arguments, in bytes.
    """
    subjects = [compiler(case, asked) for asked in shown(case)]
    flags = DRIVER_FLAGS
    if here is not None:
        flags += (
            f" -DSTATE_BYTES={here.state_bytes} -DSP_OFFSET={here.registers[here.sp].offset}"
            f" -DRETURN_ADDRESS_BYTES={here.return_address} -DSTACK_ALIGN={stack_align}"
        )
    return template("Makefile.j2").render(
        title=title,
        subjects=subjects,
        rules=" ".join(one.rule for one in subjects),
        trusted=subjects[0],
        crash=here is None,
        reads=reads.extract if reads is not None and case.fingerprint.symptom not in CRASHES else "",
        options=reads.options if reads is not None else "",
        clang=reads.clang if reads is not None else "",
        driver_flags=flags,
        ld=linker(here) if here is not None else "",
        emulation=here.emulation if here is not None else "",
        qemu=qemu(here) if here is not None else "",
    )


def compiler(case: Case, asked: Asked) -> Compiler:
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
