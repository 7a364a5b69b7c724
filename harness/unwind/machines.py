"""Machines whose instructions are stepped: what Unicorn calls their registers, and how a function returns on them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.executors.unicorn import unicorn
from abiprobe.harness.machines.runtime.description import Machine
from abiprobe.harness.machines.workbench import described
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.model import RegisterConvention, Target
from abiprobe.oracles.text.place import Assignment, Place
from abiprobe.oracles.unwinding.registers import UNWINDING, Unwinding

LONG = Scalar(Kind.LONG)
RETURNS: Mapping[str, bytes] = {
    "x86_64": b"\xc3",
    "i386": b"\xc3",
    "aarch64": b"\xc0\x03\x5f\xd6",
    "aarch64_be": b"\xc0\x03\x5f\xd6",
    "arm": b"\x1e\xff\x2f\xe1",
    "riscv64": b"\x67\x80\x00\x00",
    "riscv32": b"\x67\x80\x00\x00",
    "s390x": b"\x07\xfe",
    "ppc64le": b"\x20\x00\x80\x4e",
}
"""The instruction that returns from a function, by machine."""
SPELLED: Mapping[str, Mapping[str, str]] = {"arm64": {"v": "D"}, "ppc": {"r": "", "f": "FPR"}}
"""Registers that Unicorn calls otherwise, by its family of machines: what it has in place of the letter before the number.

Of a vector register of AArch64 a function preserves, and a table has, the half that is also d0 to d31.
"""
SIGNS: Mapping[str, Mapping[bytes, bool]] = {
    "aarch64": {
        b"\x3f\x23\x03\xd5": True,  # paciasp
        b"\x7f\x23\x03\xd5": True,  # pacibsp
        b"\xbf\x23\x03\xd5": False,  # autiasp
        b"\xff\x23\x03\xd5": False,  # autibsp
    }
}
"""The instructions that sign the return address, or make it plain again, by machine."""
FRAME_POINTERS = ("-fomit-frame-pointer", "-fno-omit-frame-pointer")
EXACT = ("-fasynchronous-unwind-tables",)
PROTECTED, SHORT = ("-fcf-protection=full",), ("-msave-restore",)
VARIANTS: Mapping[str, tuple[str, ...]] = {
    "x86_64": PROTECTED,
    "i386": PROTECTED,
    "aarch64": ("-mbranch-protection=standard",),
    "riscv64": SHORT,
    "riscv32": SHORT,
}
"""Options by which prologues and epilogues have other instructions: shadow stacks, signed return addresses, routines that save."""
OPTIONS: Mapping[str, tuple[str, ...]] = {"arm": (*EXACT, "-gdwarf-4")}
"""On Arm a table that is exact at each instruction is `.debug_frame`, which comes with debug information only."""
INDEXED = frozenset({"arm"})


@dataclass(frozen=True)
class Stepped:
    """A target whose functions are stepped: the machine, and the numbers of its registers.

    `preserved` are those that a function preserves, by their numbers in DWARF, with the bytes that it preserves of each.
    """

    target: Target
    machine: Machine
    unwinding: Unwinding
    preserved: Mapping[int, int]

    @property
    def bits(self) -> int:
        """The width of an address in bits."""
        return self.machine.pointer * 8

    @property
    def options(self) -> tuple[str, ...]:
        """The options by which a compiler writes tables that are exact at each instruction."""
        return OPTIONS.get(self.machine.name, EXACT)

    @property
    def is_indexed(self) -> bool:
        """Return whether programs have an index of how the frames of call sites are unwound, beside the table of each instruction."""
        return self.machine.name in INDEXED

    @property
    def signs(self) -> Mapping[bytes, bool]:
        """The instructions behind which a return address is signed, or is not."""
        return SIGNS.get(self.machine.name, {})

    @property
    def variants(self) -> tuple[str, ...]:
        """The options with each of which functions are compiled."""
        return *FRAME_POINTERS, *VARIANTS.get(self.machine.name, ())

    @property
    def returns(self) -> bytes:
        """The instruction that returns from a function."""
        return RETURNS[self.machine.name]

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The registers by their numbers in DWARF."""
        return {number: name for name, number in self.unwinding.numbers.items()}

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The registers that a call may change."""
        kept = {self.machine.sp, self.unwinding.link}
        return tuple(
            name
            for name, number in self.unwinding.numbers.items()
            if name not in kept and number not in self.preserved
        )

    @cached_property
    def wide(self) -> frozenset[str]:
        """The registers that have 8 bytes, whatever the size of an address."""
        return frozenset(name for name in self.unwinding.numbers if name.startswith(("d", "f", "v")))

    @cached_property
    def argument(self) -> Place:
        """The place of the argument `n` of the functions."""
        asked = Prototype("f", LONG, (Param("n", LONG),))
        places = self.target.model().assign(asked)
        assert isinstance(places, Assignment), "every target has functions of a long"
        return places.params[0].pieces[0].place

    @cached_property
    def core(self) -> Any:
        """The emulation of the machine."""
        from abiprobe.harness.machines.executors.unicorn_child import CORES

        return CORES[self.machine.name]

    @cached_property
    def identities(self) -> Mapping[str, int]:
        """The registers in Unicorn's numbers."""
        constants = importlib.import_module(f"unicorn.{self.core.family}_const")
        prefix = f"UC_{self.core.family.upper()}_REG_"
        letters = SPELLED.get(self.core.family, {})
        return {
            name: getattr(
                constants,
                prefix + (letters[name[0]] + name[1:] if name[0] in letters else name.upper()),
            )
            for name in self.unwinding.numbers
        }


def stepped(target: Target) -> Stepped:
    """A target, as its functions are stepped. Raises `Problem` where nothing here emulates its machine or no table has its registers."""
    known = ", ".join(sorted(name for name in UNWINDING))
    if target.registers is None or not target.machine:
        raise Problem(f"no functions of {target} run", f"unwinding is tested on {known}")
    machine, registers = described(target)
    unwinding = UNWINDING.get(machine.name)
    if unwinding is None:
        raise Problem(f"unwinding is not tested on {target}", f"it is on {known}")
    found = unicorn(machine.name)
    if not hasattr(found, "run"):
        raise Problem(f"functions of {target} cannot be stepped: {found.reason}", "pip install unicorn")
    return Stepped(target, machine, unwinding, preserved(machine, unwinding, registers))


def preserved(machine: Machine, unwinding: Unwinding, registers: RegisterConvention) -> Mapping[int, int]:
    """The registers that a function preserves, of those that have a number, with the bytes of each.

    Of two halves of a register each is preserved.
    """
    found: dict[int, int] = {}
    for one in registers.preserved:
        whole = unwinding.parts.get(one.register, one.register)
        number = unwinding.numbers.get(whole)
        if number is not None:
            found[number] = one.size or machine.registers[one.register].width
            if whole != one.register:
                found[number] *= 2
    return found
