"""Instructions as text, by capstone."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from typing import Any

INSTALL = "pip install capstone"
MODES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "x86_64": ("X86", ("64",)),
    "i386": ("X86", ("32",)),
    "aarch64": ("ARM64", ()),
    "aarch64_be": ("ARM64", ()),
    "arm": ("ARM", ()),
    "riscv64": ("RISCV", ("RISCV64", "RISCVC")),
    "riscv32": ("RISCV", ("RISCV32", "RISCVC")),
    "s390x": ("SYSZ", ("BIG_ENDIAN",)),
    "ppc64le": ("PPC", ("64",)),
}
"""The name of a machine's architecture in capstone, and its modes."""


def is_installed() -> bool:
    """Return whether the disassembler is here."""
    return importlib.util.find_spec("capstone") is not None


class Disassembler:
    """The disassembler of a machine; on x86 in the syntax of AT&T, as debuggers print it."""

    def __init__(self, machine: str) -> None:
        """Begin with a machine by its name."""
        capstone: Any = importlib.import_module("capstone")
        family, modes = MODES[machine]
        mode = sum(getattr(capstone, f"CS_MODE_{name}") for name in modes)
        self.engine = capstone.Cs(getattr(capstone, f"CS_ARCH_{family}"), mode)
        if family == "X86":
            self.engine.syntax = capstone.CS_OPT_SYNTAX_ATT

    def text(self, code: bytes, address: int) -> str:
        """One instruction, or its bytes where there is no such instruction."""
        found = next(self.engine.disasm_lite(code, address, 1), None)
        if found is None:
            return f".byte {', '.join(f'{byte:#x}' for byte in code)}"
        return f"{found[2]} {found[3]}".strip()
