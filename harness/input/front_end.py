"""The triple and options with which libclang reads a user's C as the target's own compiler would."""

from __future__ import annotations

import msgspec

from abiprobe.harness.input.freestanding_headers import IPU_FOLDER, SYSV_ABI, VERTEX
from abiprobe.harness.machines.targets import platform_of
from abiprobe.oracles.language.sve import SVE_BITS
from abiprobe.oracles.model import Target


class FrontEnd(msgspec.Struct, frozen=True):
    """A triple that libclang has, and options that bring it closer to a target that it has not."""

    triple: str
    options: tuple[str, ...] = ()


UNSIGNED_WINT = ("-U__WINT_TYPE__", "-D__WINT_TYPE__=unsigned int")
# ARC shares the sizes of the IPU, and its alignments but for that of long long.
_IPU = FrontEnd(
    "arc",
    (
        *("-isystem", IPU_FOLDER),
        *UNSIGNED_WINT,
        "-D__IPU__=1",
        f'-Dcolossus_vertex=annotate("{VERTEX}")',
        f'-D__colossus_vertex__=annotate("{VERTEX}")',
    ),
)
# SPIR-V with 32-bit addresses has the data model of the DPU, but for wchar_t.
_DPU = FrontEnd(
    "spirv32",
    ("-U__WCHAR_TYPE__", "-D__WCHAR_TYPE__=unsigned char", *UNSIGNED_WINT, "-D__DPU__=1"),
)
# The target has System V's types, and all of its functions Microsoft's convention, but for those that ask for the other.
_MS = FrontEnd(
    "x86_64-linux-gnu",
    tuple(f'-D{name}=annotate("{SYSV_ABI}")' for name in ("sysv_abi", "__sysv_abi__")),
)

# Without the length of registers no typedef has one.
_SVE = FrontEnd("aarch64-linux-gnu", ("-march=armv8-a+sve", f"-msve-vector-bits={SVE_BITS}"))
# clang has the types of ILP32 for Apple's watches alone, and those of LP64 for the triple of Linux.
_AARCH64_ILP32 = FrontEnd(
    "arm64_32-apple-watchos",
    (
        *("-Xclang", "-mlong-double-128", "-Xclang", "-fexperimental-max-bitint-width=8388608"),
        *("-funsigned-char", "-U__APPLE__", "-D__linux__=1", "-D__ELF__=1"),
        *("-U__WCHAR_TYPE__", "-D__WCHAR_TYPE__=unsigned int", *UNSIGNED_WINT),
    ),
)
# By its triple alone clang takes the target for one without floating-point registers, and has no __bf16 there.
_ARM = FrontEnd("arm-linux-gnueabi", ("-march=armv7-a", "-mfpu=neon", "-mfloat-abi=softfp"))

# 32-bit Arm without an operating system has the types of Xtensa, but for wchar_t.
_XTENSA = FrontEnd(
    "arm-none-eabi",
    (
        *("-U__arm__", "-U__ARM_EABI__", "-D__xtensa__=1", "-D__XTENSA__=1", "-D__XTENSA_EL__=1"),
        *("-D__XTENSA_CALL0_ABI__=1", "-U__WCHAR_TYPE__", "-D__WCHAR_TYPE__=unsigned short", *UNSIGNED_WINT),
    ),
)

_VFP = FrontEnd("arm-linux-gnueabihf", ("-march=armv7-a", "-mfpu=neon"))

FRONT_ENDS = {
    "aarch64_ilp32-aapcs64": _AARCH64_ILP32,
    "aarch64_sve-aapcs64": _SVE,
    "arm-aapcs": _ARM,
    "arm-aapcs-vfp": _VFP,
    "powerpc-sysv": FrontEnd("powerpc-linux-gnu", ("-maltivec",)),
    "x86_64-ms": _MS,
    "colossus-ipu": _IPU,
    "colossus-ipu-supervisor": msgspec.structs.replace(_IPU, options=(*_IPU.options, "-D__SUPERVISOR__=1")),
    "upmem-dpu": _DPU,
    "xtensa-call0": _XTENSA,
}


def front_end(target: Target) -> FrontEnd:
    """Return the front end that reads C for `target`, dialect or not."""
    return FRONT_ENDS.get(target.name) or FrontEnd(platform_of(target).triple)
