"""Write a reproduction bundle: sources and a Makefile that show one deviation without abiprobe."""

from __future__ import annotations

import platform
import re
import shlex
import shutil
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.text_templates import template
from abiprobe.harness.machines.executors import widened
from abiprobe.harness.machines.executors.executor import Absent
from abiprobe.harness.machines.executors.qemu_user import WIDENED, qemu_user
from abiprobe.harness.machines.languages.language import Language, find_language
from abiprobe.harness.machines.languages.printer import table_text
from abiprobe.harness.machines.runtime.build import TABLE, find_trusted, linker_names, trusted_compilers
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.observers.bundle import Bundle, Ways
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.subjects.compile import filled
from abiprobe.harness.subjects.families.gcc import TO_ELF
from abiprobe.harness.subjects.find import build_at_level, without_our_programs
from abiprobe.harness.subjects.subject import Built
from abiprobe.harness.triage.cases import Case
from abiprobe.harness.triage.witness_groups import is_open, representatives, witness_groups
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import CXX_QUESTIONS, probe
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.fingerprint import Symptom

DRIVER_FLAGS = "-O1 -ffreestanding -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables -nostdinc"
FEW = 4
PROBE = "probe.c"
PROGRAM = re.compile(r"^\w+ \??= (/\S+)", re.MULTILINE)
"""A program that a Makefile names by its path, as those in the cache."""


class BundleCompiler(msgspec.Struct, frozen=True):
    """A compiler as the Makefile has it: the name of its rule and variable, its program, its options, its family.

    `source` is what it compiles. Of another language than C `command` has everything behind the program, and `beside` are
    the objects that its own is linked with; one that can only call has no callee (`defines`), and calls by the instruction `jump` if it has one. `through` is the command of a
    program of ours that runs the compiler.
    """

    rule: str
    variable: str
    program: str
    flags: str
    family: str
    source: str = PROBE
    command: str = ""
    beside: tuple[str, ...] = ()
    through: str = ""
    defines: bool = True
    jump: str = ""

    @property
    def label(self) -> str:
        """Its rule as a part of a symbol."""
        return plainly(self.rule)

    @property
    def own_table(self) -> str:
        """The table of its functions, where each compiler has one."""
        return f"{TABLE}_{self.label}"

    @property
    def compiles(self) -> str:
        """The command that compiles the source to an object."""
        return self.command or f"{self.flags} -c {self.source} -o {self.rule}.o"


def sources(case: Case, title: str) -> dict[str, str]:
    """The files that show a deviation, by name; raises `Problem` where nothing shows it by itself."""
    made = bundle_of(case)
    with_expected = made.extract and made.ways is Ways.NONE
    expected = {"expected.txt": "\n".join((*made.expected, ""))} if with_expected else {}
    texts = {source_name(case): made.text, **in_languages(case)}
    texts |= tables_of(case)
    programs = [Path(TO_ELF[-1])] if any(one.through for one in compilers(case)) else []
    if is_widened(made.machine):
        programs.append(Path(widened.__file__))
    texts |= {path.name: path.read_text("utf-8") for path in programs}
    return {**texts, **made.files, **expected, "Makefile": makefile(title, case, made)}


def tables_of(case: Case) -> dict[str, str]:
    """The tables of functions of the other languages in a bundle, by the names of their files.

    One, or each its own where no text decides.
    """
    others = [one for one in compilers(case) if one.beside]
    if not is_open(case):
        without = frozenset(() if all(one.defines for one in others) else (0,))
        jump = max((one.jump for one in others), default="")
        return {"table.c": table_text(1, TABLE, "", without, jump)} if others else {}
    return {
        f"{one.own_table}.c": table_text(
            1, one.own_table, f"_{one.label}", frozenset(() if one.defines else (0,))
        )
        for one in others
    }


def bundle_of(case: Case) -> Bundle:
    """Return the bundle of a case by its observer."""
    observer = observer_of(case.target, case.question)
    return observer.bundle(probe(case.question), case.fingerprint)


def in_languages(case: Case) -> dict[str, str]:
    """The unit in each other language of the compilers in a bundle, by the name of its file."""
    target = case.target
    observer = observer_of(target, case.question)
    found = {}
    for name, level in shown(case):
        built = build_at_level((name, level), target)
        printer = observer.printer(built) if built is not None else None
        if printer is not None:
            plans = observer.prepare((probe(case.question),)).plans
            tag = f"_{plainly(rule_of((name, level)))}" if is_open(case) else ""
            found[source_of((name, level), printer.language)] = observer.text_in(plans[0], printer, tag)
            found |= printer.language.about.files
    return found


def compilers(case: Case) -> list[BundleCompiler]:
    """The compilers of a bundle."""
    return [compiler(case, asked) for asked in shown(case)]


def shown(case: Case) -> tuple[Configuration, ...]:
    """Return the configurations in a bundle: those that agree, one of each family if they are many, then all deviating ones.

    Where no text decides, there is one of each group that goes together.
    """
    if is_open(case):
        return representatives(witness_groups(case))
    level = case.deviating[0][1]
    every = tuple(dict.fromkeys(subject for subject, _ in case.agreeing))
    agreeing = every if len(every) <= FEW else tuple({family(subject): subject for subject in every}.values())
    reference = tuple((subject, level) for subject in agreeing)
    return (*reference, *dict.fromkeys(case.deviating))


class Pairing(msgspec.Struct, frozen=True):
    """Two compilers that are compared: the rule, theirs, and the symbols of both as the linker is to define them."""

    rule: str
    rules: tuple[str, ...]
    objects: tuple[str, ...]
    symbols: tuple[str, ...]
    incompatible: bool


def pairings(case: Case, made: Bundle) -> tuple[Pairing, ...]:
    """Return the pairs that are linked in a bundle about which no text decides; `incompatible` ones should not go together."""
    if made.ways is Ways.NONE:
        return ()
    subjects = compilers(case)
    if made.ways is Ways.BESIDE:
        each = list(combinations(subjects, 2))
    elif case.fingerprint.symptom is Symptom.SELF_INCONSISTENT:
        each = [(one, one) for one in subjects]
    else:
        each = [(one, other) for one in subjects for other in subjects if other.defines]
    inconsistent = case.fingerprint.symptom is Symptom.SELF_INCONSISTENT
    return tuple(
        Pairing(
            f"{one.rule}-{'calls' if made.ways is Ways.CALLS else 'beside'}-{other.rule}",
            (one.rule, other.rule),
            tuple(dict.fromkeys((f"{one.rule}.o", *one.beside, f"{other.rule}.o", *other.beside))),
            tuple(
                f"{prefix}{symbol}={symbol}_{of.label}"
                for prefix, of in (("", one), ("other_", other))
                for symbol in made.apart
            ),
            inconsistent or one is not other,
        )
        for one, other in each
    )


def case_pairings(case: Case) -> tuple[Pairing, ...]:
    """Return the pairs that are linked in the bundle of a case; empty if a text decides."""
    return pairings(case, bundle_of(case)) if is_open(case) else ()


def makefile(title: str, case: Case, made: Bundle) -> str:
    """The Makefile; without a machine the compiler alone is run, and what it writes is read if the bundle says how."""
    subjects = compilers(case)
    here, flags = made.machine, DRIVER_FLAGS
    trusted = trusted_compiler(subjects, here)
    if here is not None:
        macros = (shlex.quote(flag) for flag in here.flags if flag.startswith("-D"))
        flags += "".join(f" {macro}" for macro in macros if macro not in trusted.flags)
        flags += (
            f" -DSTATE_BYTES={here.state_bytes} -DSP_OFFSET={here.registers[here.sp].offset}"
            f" -DRETURN_ADDRESS_BYTES={here.return_address} -DSTACK_ALIGN={made.stack_align}"
        )
    pairs = pairings(case, made)
    if made.ways is not Ways.NONE and not pairs:
        raise Problem("no two compilers disagree here", "a library has no bundle; check shows what it does")
    if made.ways is Ways.BESIDE and any(one.command for one in subjects):
        raise Problem(
            "a bundle about a layout that the documents leave open compares compilers of C",
            "name those alone with --cc",
        )
    return template(__package__, "Makefile.j2").render(
        title=title,
        subjects=subjects,
        pairs=pairs,
        calls=made.ways is Ways.CALLS,
        apart=(*made.apart, *made.own),
        source=source_name(case),
        rules=" ".join(one.rule for one in pairs or subjects),
        trusted=trusted,
        tables=dict.fromkeys(table for one in subjects for table in one.beside),
        crash=here is None,
        reads=made.extract,
        options=made.options,
        clang=made.clang,
        driver_flags=flags,
        ld=linker(here) if here is not None else "",
        emulation=here.emulation if here is not None else "",
        qemu=qemu(here) if here is not None else "",
        widens=is_widened(here),
    )


def compiler(case: Case, asked: Configuration) -> BundleCompiler:
    """A subject at a level, for a Makefile."""
    found = build_at_level(asked, case.target)
    if found is None:
        raise Problem(
            f"{asked[0]} is not installed for {case.fingerprint.target}", "see: abiprobe list toolchains"
        )
    if found.language:
        return of_language(case, asked, found)
    through = ""
    if found.command[: len(TO_ELF)] == TO_ELF:
        through = f"python3 {Path(TO_ELF[-1]).name} "
    program, *flags = without_our_programs(found.command) if through else found.command
    name = called(program)
    if flags[:1] == ["clang"]:
        name, flags = f"{name} clang", flags[1:]
    plain = plainly(asked[0])
    return BundleCompiler(
        rule_of(asked),
        plain.upper(),
        name,
        shlex.join(flags),
        family(asked[0]),
        source_name(case),
        through=through,
    )


def source_name(case: Case) -> str:
    """The name of the file that C or C++ compilers are given."""
    return "probe.cc" if isinstance(case.question, CXX_QUESTIONS) else PROBE


def called(program: str) -> str:
    """A program on PATH by its name; one of our cache is somewhere else for everybody else."""
    name = Path(program).name
    return name if shutil.which(name) == program else program


def plainly(subject: str) -> str:
    """The name of a subject as a Makefile takes it."""
    return re.sub(r"\W+", "_", subject.replace("++", "xx"))


def source_of(asked: Configuration, language: Language) -> str:
    """The file with the unit in a language, of which subjects may have variants; GNAT calls the object as the source."""
    return f"{rule_of(asked)}{language.about.suffix}"


def rule_of(asked: Configuration) -> str:
    """Return the rule that makes a subject at a level show its behaviour."""
    return f"{plainly(asked[0])}-{asked[1]}"


def of_language(case: Case, asked: Configuration, found: Built) -> BundleCompiler:
    """A compiler of another language than C, for a Makefile."""
    language = find_language(found.language)
    plain = plainly(asked[0])
    rule, source = rule_of(asked), source_of(asked, language)
    program, *words = found.words
    command = shlex.join(filled(words, Path(source), Path(f"{rule}.o")))
    settings = "".join(f"{name}={shlex.quote(value)} " for name, value in language.about.environment.items())
    made = BundleCompiler(
        rule,
        plain.upper(),
        f"{settings}{called(program)}",
        "",
        family(asked[0]),
        source,
        command,
    )
    printer = observer_of(case.target, case.question).printer(found)
    if printer is None or not isinstance(case.question, Prototype | CxxPrototype):
        return made
    table = made.own_table if is_open(case) else "table"
    defines = printer.defines(case.question)
    return msgspec.structs.replace(made, defines=defines, jump=printer.jump, beside=(f"{table}.o",))


def trusted_compiler(subjects: Sequence[BundleCompiler], here: Machine | None) -> BundleCompiler:
    """The compiler of the driver: the first of C in the bundle that builds for it, or one on PATH, or the one that abiprobe uses."""
    drives = here is None or not here.foreign
    found = (
        next((one for one in subjects if not one.command and one.source == PROBE), None) if drives else None
    )
    if found is not None or here is None:
        return found or subjects[0]
    on_path = (words for words in trusted_compilers(here) if called(words[0]) != words[0])
    program, *flags = next(on_path, None) or find_trusted(here).cc
    return BundleCompiler("trusted", "CC", called(program), shlex.join(flags), "")


def linker(here: Machine) -> str:
    """A linker by the name under which people have it, and which knows the machine; or else the one that abiprobe uses."""
    found = next((name for name in linker_names(here) if shutil.which(name)), None)
    if found is not None:
        return found
    try:
        program, *words = find_trusted(here).ld
    except Problem:
        return "ld.lld"
    return shlex.join((called(program), *words[: words.index("-m")]))


def is_widened(here: Machine | None) -> bool:
    """Return whether a machine's programs run as those of a 64-bit one, for which qemu has to be given another file."""
    return here is not None and here.name in WIDENED and platform.machine() not in here.hosts


def qemu(here: Machine) -> str:
    """The emulator that is needed, if one is, with its options."""
    if platform.machine() in here.hosts:
        return ""
    found = qemu_user(here.name)
    return (
        f"qemu-{here.name}"
        if isinstance(found, Absent)
        else shlex.join((Path(found.program).name, *found.options))
    )
