"""Bundles that run a program: constants of C that say what goes in and what must come out, and a driver beside them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine, machine
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.oracles.model import Target


def program_bundle(
    text: str, values: str, about: Target, align: int = 1, here: Machine | None = None
) -> Bundle:
    """A unit that is linked with a driver and `values`, its `values.h`, and run on the machine of a target.

    `align` are the bytes to which its stack arguments are aligned, where that is more than every call asks for.
    `here` is the machine where it has wider vector registers than every one of its sort.
    """
    assert about.registers is not None, "programs of the target are run"
    here = here or machine(about.machine)
    files = {
        "values.h": values,
        "driver.c": resource("abiprobe.harness.observers", "bundle_driver.c"),
        "registers.S": resource("abiprobe.harness.machines.runtime", here.assembly),
    }
    return Bundle(text, files, here, max(about.registers.stack_align, align))


def resource(package: str, name: str) -> str:
    """A file that comes with abiprobe."""
    return resources.files(package).joinpath(name).read_text("utf-8")


class BundleRow(msgspec.Struct, frozen=True):
    """A place to compare: its words, kind and offset as driver.c has them, and the bytes with those that count.

    `align` is what the address of a value by reference must be a multiple of.
    """

    what: str
    kind: str
    where: int
    want: bytes
    care: bytes
    object: str = "0"
    align: int = 1


class Tables:
    """Constants of C, numbered as they come."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def data(self, value: bytes) -> str:
        """The name of an array that holds `value`; C has no empty one."""
        name = f"data_{len(self.lines)}"
        body = ", ".join(f"{byte:#04x}" for byte in value or b"\0")
        self.lines.append(f"static const byte {name}[] = {{{body}}};")
        return name

    def table(self, kind: str, rows: Sequence[str]) -> tuple[str, int]:
        """The name of an array of structs, and how many there are."""
        name = f"{kind}_{len(self.lines)}"
        self.lines.append(f"static const struct {kind} {name}[] = {{{', '.join(rows) or '{0}'}}};")
        return name, len(rows)

    def places(self, rows: Sequence[BundleRow]) -> tuple[str, int]:
        """An array of places."""
        return self.table("place", [self.place(row) for row in rows])

    def place(self, row: BundleRow) -> str:
        """The initialiser of one place."""
        want, care = self.data(row.want), self.data(row.care)
        return f'{{"{row.what}", {row.kind}, {row.where:#x}u, {len(row.want)}, {want}, {care}, {row.object}, {row.align}}}'
