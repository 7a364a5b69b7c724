"""The machines whose files are known, and what is told and judged of any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from abiprobe.harness.machines.elf_facts import arm, dpu, riscv
from abiprobe.harness.machines.elf_facts.compare import inputs, is_compared, judged, unruled, unsaid
from abiprobe.harness.machines.elf_facts.elf import ObjectFile
from abiprobe.harness.machines.elf_facts.facts import Comparison, Fact, Finding, Trouble
from abiprobe.harness.machines.elf_facts.targets import (
    aarch64_target,
    arm_target,
    loongarch_target,
    mips_target,
    power64_target,
    riscv_target,
    x86_64_target,
)
from abiprobe.harness.machines.elf_facts.values import is_told, value_of, words_of
from abiprobe.oracles.abis.dpu.elf import EM_DPU
from abiprobe.oracles.abis.riscv.isa.header import EM_RISCV
from abiprobe.oracles.linking import tables
from abiprobe.oracles.linking.field import Answer, Field

EM_GRAPHCORE_IPU = 248
"""The number that is registered for it; the document of the IPU gives none."""


def no_facts(_found: ObjectFile) -> Iterator[Fact]:
    """No facts beside those of fields."""
    yield from ()


def no_trouble(_found: ObjectFile) -> Iterator[Trouble]:
    """No troubles: the document of the machine asks nothing of a file."""
    yield from ()


def no_finding(_one: ObjectFile, _other: ObjectFile) -> Iterator[Finding]:
    """No findings beside those of fields."""
    yield from ()


class Machine(msgspec.Struct, frozen=True):
    """A machine by its `e_machine`: its name, the targets of its files, and what is to be said of them beside fields.

    `ruled` says that `findings` are all there is to say, though the machine has no table of fields.
    """

    name: str
    targets: Callable[[ObjectFile], str]
    facts: Callable[[ObjectFile], Iterator[Fact]] = no_facts
    troubles: Callable[[ObjectFile], Iterator[Trouble]] = no_trouble
    findings: Callable[[ObjectFile, ObjectFile], Iterator[Finding]] = no_finding
    ruled: tuple[str, ...] = ()


MACHINES: Mapping[int, Machine] = MappingProxyType(
    {
        2: Machine("SPARC", lambda _found: "sparc-sysv"),
        3: Machine("Intel 80386", lambda _found: "i386-sysv"),
        4: Machine("Motorola 68000", lambda _found: "m68k"),
        8: Machine("MIPS", mips_target),
        20: Machine("PowerPC", lambda _found: "powerpc-sysv"),
        18: Machine("SPARC V8+", lambda _found: "sparc-sysv"),
        21: Machine("64-bit PowerPC", power64_target),
        22: Machine(
            "IBM S/390", lambda found: "s390x" if found.elf_class == 64 else "s390, which has no model"
        ),
        40: Machine("Arm", arm_target, findings=arm.findings, troubles=arm.troubles),
        43: Machine("SPARC V9", lambda _found: "sparc64"),
        62: Machine("AMD x86-64", x86_64_target),
        94: Machine("Tensilica Xtensa", lambda _found: "xtensa-call0"),
        164: Machine("Hexagon", lambda _found: "hexagon"),
        183: Machine("AArch64", aarch64_target),
        190: Machine("NVIDIA CUDA", lambda _found: "nvptx64-cuda"),
        247: Machine(
            "BPF", lambda found: "bpf" if found.little_endian else "big-endian BPF, which is no target"
        ),
        258: Machine("LoongArch", loongarch_target),
        EM_GRAPHCORE_IPU: Machine("Graphcore IPU", lambda _found: "colossus-ipu or colossus-ipu-supervisor"),
        EM_RISCV: Machine("RISC-V", riscv_target, riscv.facts, riscv.troubles, riscv.findings),
        EM_DPU: Machine(
            "UPMEM DPU",
            lambda _found: "upmem-dpu",
            dpu.facts,
            dpu.troubles,
            dpu.findings,
            ruled=("ABI version",),
        ),
    }
)
"""By `e_machine`."""


def machine_of(found: ObjectFile) -> Machine:
    """The machine of a file; one that no target has is only a number."""
    return MACHINES.get(found.machine) or Machine(
        f"machine {found.machine}", lambda _found: "none that is known"
    )


def fields_of(machine: int) -> tuple[Field, ...]:
    """The fields of a machine's files."""
    rules = tables.RULES.get(machine)
    return (*(rules.fields if rules else ()), *tables.EVERY_MACHINE)


def facts(found: ObjectFile) -> Iterator[Fact]:
    """Yield the facts of every file, then those for its machine."""
    machine = machine_of(found)
    yield Fact("file", f"{found.kind}, ELF{found.elf_class}, {order(found)}, EI_OSABI {found.os_abi}")
    yield Fact("machine", f"{machine.name} ({found.machine:#x})")
    yield Fact("e_flags", f"{found.flags:#010x}")
    yield Fact("target", machine.targets(found))
    yield from machine.facts(found)
    for field in fields_of(found.machine):
        value = value_of(field.place, found)
        if is_told(field, value):
            yield Fact(field.name, words_of(field, value), field.clause)


def compared(one: ObjectFile, other: ObjectFile) -> Comparison:
    """Compare two files, as far as there are rules."""
    names = [name for name, *_ in basics(one, other)]
    differing = [finding for *_, finding in basics(one, other) if finding is not None]
    findings = [*inputs(one, other), *differing]
    if differing:
        return Comparison(tuple(names), tuple(findings))
    machine, rules = machine_of(one), tables.RULES.get(one.machine)
    findings += machine.findings(one, other)
    for field in fields_of(one.machine):
        finding = judged(field, one, other)
        if finding is not None:
            findings.append(finding)
    if rules is not None:
        names += (field.name for field in fields_of(one.machine) if is_compared(field, one, other))
        for found in dict.fromkeys((one.path, other.path)):
            each = one if found == one.path else other
            findings += (*unsaid(rules, each), *unruled(rules, each))
    elif machine.ruled:
        names += machine.ruled
    else:
        findings.append(Finding(Answer.UNKNOWN, f"no rules are known for files of {machine.name}"))
    return Comparison(tuple(names), tuple(findings))


def basics(one: ObjectFile, other: ObjectFile) -> Iterator[tuple[str, Finding | None]]:
    """Yield the comparisons of files of any machine."""
    for name, first, second, clause in (
        ("machine", machine_of(one).name, machine_of(other).name, tables.MACHINE),
        ("class", f"ELF{one.elf_class}", f"ELF{other.elf_class}", tables.CLASS),
        ("byte order", order(one), order(other), tables.ORDER),
    ):
        differs = first != second
        yield name, Finding(Answer.REFUSED, f"{name}: {first} and {second}", clause) if differs else None


def order(found: ObjectFile) -> str:
    """The byte order in a word."""
    return "little-endian" if found.little_endian else "big-endian"
