"""The process that emulates one image: `unicorn_child.py MACHINE IMAGE`, script on stdin, records on stdout.

It serves the image's three system calls, lets it ask for signals, which never come, and ends with the image's own
status, with SIGSEGV after an access to memory that is not there, as on Linux, or with the status `STUCK` after anything
else that Unicorn cannot go on from; both with one line on stderr. It imports nothing of abiprobe, so that it starts quickly and from any folder.
"""

from __future__ import annotations

import importlib
import os
import re
import signal
import struct
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

# By name, because the wheel ships half of its types.
unicorn: Any = importlib.import_module("unicorn")
arm_const: Any = importlib.import_module("unicorn.arm_const")
arm64_const: Any = importlib.import_module("unicorn.arm64_const")
m68k_const: Any = importlib.import_module("unicorn.m68k_const")
mips_const: Any = importlib.import_module("unicorn.mips_const")
ppc_const: Any = importlib.import_module("unicorn.ppc_const")
s390x_const: Any = importlib.import_module("unicorn.s390x_const")
riscv_const: Any = importlib.import_module("unicorn.riscv_const")
x86_const: Any = importlib.import_module("unicorn.x86_const")

STUCK = 113

_PAGE = 4096
_PT_LOAD = 1
_ELF64 = 2
_BIG_ENDIAN = 2
_PF_X = 1
_RVE = 8
_ENVIRONMENT_CALLS = (8, 11)
_INT_80 = 0x80
_SVC, _PROGRAM_CHECK = 2, 3
_MIPS_SYSCALL = 17
_PPC_SYSCALL = 8
_TRAP_0 = 32
_PPC_SIGALTSTACK, _PPC_SIGACTION = 185, 173
_SIGALTSTACK, _SIGACTION = 132, 134
_SVC_BYTES = 2
"""The length of the instruction on s390x and m68k, at which Unicorn stays."""
_ADDRESSES_OF_64_BITS = 0x1_8000_0000

_NAN_BOX = 0xFFFF_FFFF_0000_0000
_OPCODE, _OP_FP, _FUSED = 0x7F, 0x53, (0x43, 0x47, 0x4B, 0x4F)
_FLOATING = re.compile(rb"(?=([\x43\xc3\x47\xc7\x4b\xcb\x4f\xcf\x53\xd3].{3}))", re.DOTALL)
"""What may be an instruction with one of these opcodes, wherever it begins."""
_PARCEL = 2
"""The bytes of which instructions are multiples, and their addresses, too."""
_FORMAT = 3 << 25
"""Zero in instructions of single precision."""
_TO_GENERAL = (0x14, 0x18, 0x1C)
"""Comparisons, conversions to integers, and moves: what has a result in a general register."""


@dataclass(frozen=True)
class Core:
    """The emulation of a machine in Unicorn: `prepare` routes system calls to a callback.

    `pc` to `result` are registers; `embedded_number` holds the number of a system call in images that are marked RVE;
    `processor` is the model that is emulated, where the usual one lacks vector registers. `granted` are the system calls
    that mean nothing here: by one an image gives up all others, by some it asks for signals.
    """

    family: str
    arch: int
    mode: int
    pc: int
    number: int
    arguments: tuple[int, int, int]
    result: int
    read: int
    write: int
    exit: int
    prepare: Callable[[Any, Callable[[], None]], None]
    embedded_number: int | None = None
    processor: int | None = None
    granted: tuple[int, ...] = ()
    enable: Callable[[Any], None] | None = None
    """Makes the processor of its family another one."""
    mend: Callable[[Any, int, bytes], None] | None = None
    """Makes Unicorn execute right the instructions of a segment (its address, its bytes) that it executes wrong."""


def _enable_arm64(uc: Any) -> None:
    floating_point_untrapped = 3 << 20
    uc.reg_write(arm64_const.UC_ARM64_REG_CPACR_EL1, floating_point_untrapped)


def _prepare_arm64(uc: Any, serve: Callable[[], None]) -> None:
    _hook_exceptions(uc, arm64_const.UC_ARM64_REG_PC, (_SVC,), serve)


def _enable_arm(uc: Any) -> None:
    coprocessors_10_and_11, vfp_on = 0xF << 20, 1 << 30
    uc.reg_write(arm_const.UC_ARM_REG_C1_C0_2, coprocessors_10_and_11)
    uc.reg_write(arm_const.UC_ARM_REG_FPEXC, vfp_on)


def _prepare_arm(uc: Any, serve: Callable[[], None]) -> None:
    _hook_exceptions(uc, arm_const.UC_ARM_REG_PC, (_SVC,), serve)


def _enable_riscv(uc: Any) -> None:
    floating_point_on = 1 << 13
    uc.reg_write(riscv_const.UC_RISCV_REG_MSTATUS, floating_point_on)


def _prepare_riscv(uc: Any, serve: Callable[[], None]) -> None:
    _hook_exceptions(uc, riscv_const.UC_RISCV_REG_PC, _ENVIRONMENT_CALLS, serve)


def _box_singles(uc: Any, address: int, code: bytes) -> None:
    """NaN-box what a single-precision instruction writes, which Unicorn 2.1.4 leaves with zeros above it.

    A hook at the instruction notes the register, and one at the next instruction boxes what is there by then. Data
    or half an instruction may look like one that writes; no hook is called there.
    """
    written: int | None = None

    def on_instruction(_: Any, __: int, ___: int, register: int) -> None:
        nonlocal written
        written = register

    def on_next(*_: Any) -> None:
        nonlocal written
        if written is not None:
            uc.reg_write(written, uc.reg_read(written) | _NAN_BOX)
            written = None

    for found in _FLOATING.finditer(code):
        here, following = address + found.start(), address + found.end(1)
        register = None if here % _PARCEL else _written_single(int.from_bytes(found[1], "little"))
        if register is not None:
            # In the order of addresses, so that the box of one is made before the next is noted.
            uc.hook_add(unicorn.UC_HOOK_CODE, on_instruction, register, here, here)
            uc.hook_add(unicorn.UC_HOOK_CODE, on_next, None, following, following)


def _written_single(word: int) -> int | None:
    """The floating-point register in which an instruction leaves a single-precision result that it makes."""
    single = not word & _FORMAT
    makes = word & _OPCODE in _FUSED or (word & _OPCODE == _OP_FP and word >> 27 not in _TO_GENERAL)
    return riscv_const.UC_RISCV_REG_F0 + (word >> 7 & 31) if single and makes else None


def _enable_s390x(uc: Any) -> None:
    floating_point, vectors = 1 << 18, 1 << 17
    uc.reg_write(s390x_const.UC_S390X_REG_CR0, floating_point | vectors)
    uc.reg_write(s390x_const.UC_S390X_REG_PSWM, _ADDRESSES_OF_64_BITS)


def _prepare_s390x(uc: Any, serve: Callable[[], None]) -> None:
    pc = s390x_const.UC_S390X_REG_PC
    # What memory is not there for is a program check, as is little else that compilers make.
    _hook_exceptions(uc, pc, (_SVC,), _going_on(uc, pc, serve), fault=_PROGRAM_CHECK)


def _going_on(uc: Any, pc: int, serve: Callable[[], None]) -> Callable[[], None]:
    """Serve a system call, and go on behind its instruction."""

    def serve_and_go_on() -> None:
        serve()
        uc.reg_write(pc, uc.reg_read(pc) + _SVC_BYTES)

    return serve_and_go_on


def _enable_mips(uc: Any) -> None:
    coprocessor_1 = 1 << 29
    status = mips_const.UC_MIPS_REG_CP0_STATUS
    uc.reg_write(status, uc.reg_read(status) | coprocessor_1)


def _prepare_mips(uc: Any, serve: Callable[[], None]) -> None:
    def serve_without_error() -> None:
        serve()
        uc.reg_write(mips_const.UC_MIPS_REG_A3, 0)

    _hook_exceptions(uc, mips_const.UC_MIPS_REG_PC, (_MIPS_SYSCALL,), serve_without_error)


def _enable_ppc(uc: Any) -> None:
    floating_point, vectors = 1 << 13, 1 << 25
    msr = ppc_const.UC_PPC_REG_MSR
    uc.reg_write(msr, uc.reg_read(msr) | floating_point | vectors)


def _enable_ppc64le(uc: Any) -> None:
    # The tables by which the processor would translate addresses are not there.
    uc.ctl_set_tlb_mode(unicorn.UC_TLB_VIRTUAL)
    little_endian, vsx = 1 << 0, 1 << 23
    msr = ppc_const.UC_PPC_REG_MSR
    uc.reg_write(msr, uc.reg_read(msr) | little_endian | vsx)


def _prepare_ppc(uc: Any, serve: Callable[[], None]) -> None:
    _hook_exceptions(uc, ppc_const.UC_PPC_REG_PC, (_PPC_SYSCALL,), serve)


def _enable_m68k(_uc: Any) -> None:
    """Leave the processor as it is: floating point needs no leave."""


def _prepare_m68k(uc: Any, serve: Callable[[], None]) -> None:
    pc = m68k_const.UC_M68K_REG_PC
    _hook_exceptions(uc, pc, (_TRAP_0,), _going_on(uc, pc, serve))


def _prepare_x86(uc: Any, serve: Callable[[], None]) -> None:
    def on_syscall(*_: Any) -> None:
        serve()

    uc.hook_add(unicorn.UC_HOOK_INSN, on_syscall, None, 1, 0, x86_const.UC_X86_INS_SYSCALL)
    _hook_exceptions(uc, x86_const.UC_X86_REG_RIP, (), serve)


def _prepare_i386(uc: Any, serve: Callable[[], None]) -> None:
    _hook_exceptions(uc, x86_const.UC_X86_REG_EIP, (_INT_80,), serve)


def _hook_exceptions(
    uc: Any, pc: int, system_calls: Container[int], serve: Callable[[], None], *, fault: int | None = None
) -> None:
    """Serve the exceptions that are system calls; `fault` is memory that is not there, and any other ends the process."""

    def on_exception(_: Any, cause: int, __: Any) -> None:
        if cause in system_calls:
            serve()
        elif cause == fault:
            _fault(uc, pc, "program check")
        else:
            _stuck(uc, pc, f"exception {cause}")

    uc.hook_add(unicorn.UC_HOOK_INTR, on_exception)


def _enable_x86(uc: Any) -> None:
    cr0, cr4 = x86_const.UC_X86_REG_CR0, x86_const.UC_X86_REG_CR4
    monitor, emulate_x87, fxsave, sse_exceptions = 1 << 1, 1 << 2, 1 << 9, 1 << 10
    uc.reg_write(cr0, uc.reg_read(cr0) & ~emulate_x87 | monitor)
    uc.reg_write(cr4, uc.reg_read(cr4) | fxsave | sse_exceptions)


_ENABLE: Mapping[str, Callable[[Any], None]] = {
    "arm": _enable_arm,
    "arm64": _enable_arm64,
    "m68k": _enable_m68k,
    "mips": _enable_mips,
    "ppc": _enable_ppc,
    "riscv": _enable_riscv,
    "s390x": _enable_s390x,
    "x86": _enable_x86,
}
"""What lets programs use floating-point and vector registers, by the family of machines."""


def _core(
    family: str,
    mode: int,
    registers: str,
    calls: tuple[int, int, int],
    prepare: Callable[[Any, Callable[[], None]], None],
    **more: Any,
) -> Core:
    """The machine of a family of Unicorn's, by the names of its registers and the numbers of its system calls.

    The registers are the program counter, those of a system call's number and result, and those of its arguments; the calls
    read, write and exit.
    """
    constants = importlib.import_module(f"unicorn.{family}_const")
    prefix = family.upper()
    pc, number, result, first, second, third = (
        getattr(constants, f"UC_{prefix}_REG_{one}") for one in registers.split()
    )
    read, write, exit_ = calls
    return Core(
        family=family,
        arch=getattr(unicorn, f"UC_ARCH_{prefix}"),
        mode=mode,
        pc=pc,
        number=number,
        arguments=(first, second, third),
        result=result,
        read=read,
        write=write,
        exit=exit_,
        prepare=prepare,
        **more,
    )


def _arm64(mode: int) -> Core:
    signals = (_SIGALTSTACK, _SIGACTION)
    return _core("arm64", mode, "PC X8 X0 X0 X1 X2", (63, 64, 93), _prepare_arm64, granted=signals)


def _riscv(mode: int) -> Core:
    return _core(
        *("riscv", mode, "PC A7 A0 A0 A1 A2", (63, 64, 93), _prepare_riscv),
        granted=(_SIGALTSTACK, _SIGACTION),
        embedded_number=riscv_const.UC_RISCV_REG_T0,
        mend=_box_singles,
    )


def _mips(order: int) -> Core:
    calls = (4003, 4004, 4001)
    return _core("mips", unicorn.UC_MODE_MIPS32 | order, "PC V0 V0 A0 A1 A2", calls, _prepare_mips)


_USUAL = (3, 4, 1)
CORES = {
    "arm": _core("arm", unicorn.UC_MODE_ARM, "PC R7 R0 R0 R1 R2", _USUAL, _prepare_arm),
    "aarch64": _arm64(unicorn.UC_MODE_LITTLE_ENDIAN),
    "aarch64_ilp32": _arm64(unicorn.UC_MODE_LITTLE_ENDIAN),
    "aarch64_be": _arm64(unicorn.UC_MODE_BIG_ENDIAN),
    "riscv32": _riscv(unicorn.UC_MODE_RISCV32),
    "riscv64": _riscv(unicorn.UC_MODE_RISCV64),
    "s390x": _core("s390x", unicorn.UC_MODE_BIG_ENDIAN, "PC R1 R2 R2 R3 R4", _USUAL, _prepare_s390x),
    "m68k": _core(
        *("m68k", unicorn.UC_MODE_BIG_ENDIAN, "PC D0 D0 D1 D2 D3", _USUAL, _prepare_m68k),
        processor=m68k_const.UC_CPU_M68K_M68020,
    ),
    "mips": _mips(unicorn.UC_MODE_BIG_ENDIAN),
    "mipsel": _mips(unicorn.UC_MODE_LITTLE_ENDIAN),
    "ppc": _core(
        *("ppc", unicorn.UC_MODE_PPC32 | unicorn.UC_MODE_BIG_ENDIAN, "PC 0 3 3 4 5", _USUAL, _prepare_ppc),
        granted=(_PPC_SIGALTSTACK, _PPC_SIGACTION),
        processor=ppc_const.UC_CPU_PPC32_7447A_V1_2,
    ),
    "ppc64le": _core(
        *("ppc", unicorn.UC_MODE_PPC64 | unicorn.UC_MODE_BIG_ENDIAN, "PC 0 3 3 4 5", _USUAL, _prepare_ppc),
        granted=(_PPC_SIGALTSTACK, _PPC_SIGACTION),
        enable=_enable_ppc64le,
    ),
    "i386": _core(
        "x86", unicorn.UC_MODE_32, "EIP EAX EAX EBX ECX EDX", _USUAL, _prepare_i386, granted=(172,)
    ),
    "x86_64": _core(
        "x86", unicorn.UC_MODE_64, "RIP RAX RAX RDI RSI RDX", (0, 1, 60), _prepare_x86, granted=(157,)
    ),
}


def emulator(core: Core) -> Any:
    """Return an emulator of a machine, with no memory yet, on which floating point is enabled."""
    uc = unicorn.Uc(core.arch, core.mode)
    if core.processor is not None:
        uc.ctl_set_cpu_model(core.processor)
    _ENABLE[core.family](uc)
    if core.enable is not None:
        core.enable(uc)
    return uc


def main(machine: str, image: str) -> None:
    """Emulate `image`; ends the process."""
    core = CORES[machine]
    uc = emulator(core)
    entry, flags, executable = load(uc, Path(image).read_bytes())
    if core.mend:
        for address, code in executable:
            core.mend(uc, address, code)
    if flags & _RVE and core.embedded_number is not None:
        core = replace(core, number=core.embedded_number)
    fault = ""

    def on_invalid(_: Any, __: int, address: int, size: int, ___: int, ____: Any) -> bool:
        nonlocal fault
        fault = f"no memory for {size} bytes at {address:#x}"
        return False

    uc.hook_add(unicorn.UC_HOOK_MEM_INVALID, on_invalid)
    core.prepare(uc, lambda: _serve(uc, core))
    try:
        uc.emu_start(entry, 0)
    except unicorn.UcError as error:
        if fault:
            _fault(uc, core.pc, fault)
        _stuck(uc, core.pc, str(error))
    _stuck(uc, core.pc, "stopped")


def load(uc: Any, elf: bytes) -> tuple[int, int, list[tuple[int, bytes]]]:
    """Map what an ELF image asks for; the answer is its entry point, the processor's flags and the segments of code."""
    wide = elf[4] == _ELF64
    order = ">" if elf[5] == _BIG_ENDIAN else "<"
    entry, headers, _, flags = struct.unpack_from(order + ("QQQI" if wide else "IIII"), elf, 24)
    size, count = struct.unpack_from(f"{order}HH", elf, 54 if wide else 42)
    executable = []
    for at in range(headers, headers + size * count, size):
        (kind,) = struct.unpack_from(f"{order}I", elf, at)
        (rights,) = struct.unpack_from(f"{order}I", elf, at + (4 if wide else 24))
        if kind == _PT_LOAD:
            form, first = ("5Q", 8) if wide else ("5I", 4)
            words = struct.unpack_from(order + form, elf, at + first)
            offset, address, _, in_file, in_memory = words
            start, end = address // _PAGE * _PAGE, -(-(address + in_memory) // _PAGE) * _PAGE
            uc.mem_map(start, end - start)
            contents = elf[offset : offset + in_file]
            uc.mem_write(address, contents)
            if rights & _PF_X:
                executable.append((address, contents))
    return entry, flags, executable


def _serve(uc: Any, core: Core) -> None:
    number = uc.reg_read(core.number)
    first, address, length = (uc.reg_read(argument) for argument in core.arguments)
    if number == core.read:
        data = os.read(0, length)
        uc.mem_write(address, data)
        uc.reg_write(core.result, len(data))
    elif number == core.write:
        uc.reg_write(core.result, os.write(1, uc.mem_read(address, length)))
    elif number == core.exit:
        os._exit(first & 0xFF)
    elif number in core.granted:
        uc.reg_write(core.result, 0)
    else:
        _stuck(uc, core.pc, f"system call {number}")


# Both end the process at once: an exception would have to pass through Unicorn's callbacks, which swallow it.


def _fault(uc: Any, pc: int, why: str) -> None:
    _tell(uc, pc, why)
    os.kill(os.getpid(), signal.SIGSEGV)


def _stuck(uc: Any, pc: int, why: str) -> None:
    _tell(uc, pc, why)
    os._exit(STUCK)


def _tell(uc: Any, pc: int, why: str) -> None:
    os.write(2, f"at {uc.reg_read(pc):#x}: {why}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
