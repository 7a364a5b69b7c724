"""32-bit SPARC (V8) as the runtime sees it: globals, outs, the locals and ins of who calls, and floating-point registers.

Whether an unimp instruction follows a call, behind which a function with a structure as its result returns, is a register of its own:
a byte that is 1 if one does.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD = 4
_OUTS, _LOCALS, _REALS = 8 * _WORD, 16 * _WORD, 32 * _WORD
_UNIMP = _REALS + 32 * _WORD
# Behind it is what keeps the next block aligned.
_STATE_BYTES = _UNIMP + 4 * _WORD
_WINDOW = f"{numbered('l', 0, 7)} {numbered('i', 0, 7)}"

SPARC = Machine(
    name="sparc",
    pointer=_WORD,
    return_address=0,
    linkage=92,
    elf_machine=2,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(
        {
            **slots(numbered("g", 1, 5), _WORD, _WORD, _WORD),
            **slots(numbered("o", 0, 5), _OUTS, _WORD, _WORD),
            "sp": Slot(_OUTS + 6 * _WORD, _WORD),
            "o7": Slot(_OUTS + 7 * _WORD, _WORD),
            **slots(_WINDOW, _LOCALS, _WORD, _WORD),
            **slots(numbered("f", 0, 31), _REALS, _WORD, _WORD),
            "unimp": Slot(_UNIMP, 1),
        }
    ),
    files=filed(
        (RegisterFile.GENERAL, f"{numbered('g', 1, 5)} {numbered('o', 0, 5)} sp o7 {_WINDOW}"),
        (RegisterFile.FLOATING, numbered("f", 0, 31)),
        (RegisterFile.CONTROL, "unimp"),
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp", "o7", "i6", "i7", "unimp"}),
    # The words of the parameter array that %o registers have, behind the save area of a register window and a result's address.
    shadow=17 * _WORD,
    order="big",
    assembly="sparc.S",
    hosts=frozenset(),
    triple="sparc-linux-gnu",
    # lld does not know this machine.
    lld=False,
    flags=("-m32", "-mcpu=v8"),
    gcc=("sparc-linux-gnu-gcc", "sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gcc-12"),
    ld=("sparc-linux-gnu-ld", "sparc64-linux-gnu-ld"),
    emulation="elf32_sparc",
    signals=True,
)
MACHINES = (SPARC,)
