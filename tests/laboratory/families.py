"""The packages of models under trial: their modules with policies, those that place arguments, and who bears witness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from laboratory.golden import (
    Fact,
    device_code,
    dpu_files,
    frames,
    lanes,
    texts,
    vector_functions,
)

RISCV, X86, DPU, IPU, PTX, VECTORS = (
    f"abiprobe.oracles.abis.{name}" for name in ("riscv", "x86", "dpu", "ipu", "ptx", "vfabi")
)
AARCH64, S390X, ARM, POWERPC, SPARC, LOONGARCH, WASM = (
    f"abiprobe.oracles.abis.{name}"
    for name in ("aarch64", "s390x", "arm", "powerpc", "sparc", "loongarch", "wasm")
)
ENGINE = "abiprobe.oracles.engine"


def nothing() -> tuple[Fact, ...]:
    """No golden vectors."""
    return ()


@dataclass(frozen=True)
class Family:
    """A package of models under trial.

    `recorded` are targets (dialect included) and subjects whose programs are kept and run again as wrong models ask;
    `laid_out` are those who are asked about records only; `read` are those whose answers are compared, for targets whose calls are read and not run. Golden vectors may also be about the
    targets of the packages `beside` it.
    """

    package: str
    modules: tuple[str, ...]
    placing: tuple[str, ...]
    recorded: tuple[tuple[str, str], ...] = ()
    laid_out: tuple[tuple[str, str], ...] = ()
    read: tuple[tuple[str, str], ...] = ()
    facts: Callable[[], tuple[Fact, ...]] = nothing
    beside: tuple[str, ...] = ()

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose targets are asked."""
        return (self.package, *self.beside)

    @property
    def subjects(self) -> tuple[tuple[str, str], ...]:
        """All targets with their subjects."""
        return self.recorded + self.laid_out + self.read

    def module(self, name: str) -> str:
        """The full name of a module, which may lie outside of the package."""
        return name if name.startswith("abiprobe.") else f"{self.package}.{name}"


def ipu_facts() -> tuple[Fact, ...]:
    """What is known of the IPU."""
    return frames.facts("colossus-ipu") + texts.facts("colossus-ipu")


def dpu_facts() -> tuple[Fact, ...]:
    """What is known of the DPU."""
    return frames.facts("upmem-dpu") + texts.facts("upmem-dpu") + dpu_files.facts()


def vector_facts() -> tuple[Fact, ...]:
    """What is known of vector functions."""
    return vector_functions.facts() + lanes.facts()


SCD_CALLS = ("calls", "fields", "parameter_array", "argument_kind")
IPU_CALLS = ("calls", "places", "units", "members", "convention", "vertex")
PTX_CALLS = ("calls", "parameter", "lowering", "families", "sass.places", "sass.kernels", "sass.prototypes")
VECTOR_CALLS = ("calling", "lanes", "length", "roles", "dialect", "libmvec", "model", "name", "variant")
ELFV1_CALLS = (
    "doublewords",
    *(f"elfv1.{name}" for name in ("calls", "scalars", "aggregates", "wrapped", "results", "in_register")),
)
PPC32_CALLS = ("supplement32.calls", "supplement32.arguments", "supplement32.classes", "supplement32.pieces")
ELFV2_CALLS = (
    "doublewords",
    *(f"elfv2.{name}" for name in ("calls", "doublewords", "registers", "homogeneous")),
)
LAPCS_CALLS = ("calls", "floating", "general", "variant")
WASM_CALLS = ("calls", "places", "singleton", "variadic")
BITS = ("sysv_bits", "ms_bits", "gcc_places")
ENGINE_MODULES = ("records", *BITS, "attributes", "types", "cursor", "contested", "data_model", "scalable")
MSVC, MINGW, ELFV1 = "x86_64-windows-msvc", "x86_64-windows-gnu", "powerpc64-elfv1"
SYSV, I386, AAPCS64, AAPCS32 = "x86_64-sysv", "i386-sysv", "aarch64-aapcs64", "arm-aapcs"
LP64D, LP64F, LP64S = "loongarch64-lp64d", "loongarch64-lp64f", "loongarch64-lp64s"
ILP32D, ILP32S = "loongarch32-ilp32d", "loongarch32-ilp32s"
FAMILIES = {
    "aarch64": Family(
        AARCH64,
        ("data", "calls", "general", "simd", "homogeneous", "scalable"),
        ("calls", "general", "simd", "homogeneous", "scalable"),
        (
            (AAPCS64, "gcc-12"),
            (AAPCS64, "clang-22"),
            (f"{AAPCS64}@gcc-reading", "gcc-12"),
            (f"{AAPCS64}@clang-reading", "clang-22"),
            ("aarch64_be-aapcs64", "clang-22"),
            ("aarch64_sve-aapcs64", "gcc-12"),
        ),
        facts=partial(texts.facts, "aarch64"),
    ),
    "darwin": Family(
        AARCH64,
        ("darwin.calls", "darwin", "registers"),
        ("darwin.calls",),
        (("aarch64-darwin", "clang-22"), ("aarch64-darwin@clang-reading", "clang-22")),
        facts=partial(texts.facts, "aarch64-darwin"),
    ),
    "windows_arm64": Family(
        AARCH64,
        ("windows.calls", "windows.variadic", "windows.open", "windows.data", f"{ENGINE}.windows_records"),
        ("windows.calls", "windows.variadic", "windows.open"),
        (("aarch64-windows-msvc", "clang-22"),),
        facts=partial(texts.facts, "aarch64-windows-msvc"),
    ),
    "arm": Family(
        ARM,
        ("data", "calls", "core", "vfp", "candidates"),
        ("calls", "core", "vfp", "candidates"),
        (
            (AAPCS32, "gcc-12"),
            (f"{AAPCS32}-vfp", "gcc-12"),
            (f"{AAPCS32}-vfp", "clang-22"),
            (f"{AAPCS32}-vfp@clang-reading", "clang-22"),
        ),
        facts=partial(texts.facts, "arm"),
    ),
    "elfv1": Family(
        POWERPC,
        ("elfv1.data", *ELFV1_CALLS),
        ELFV1_CALLS,
        (
            (ELFV1, "gcc-12"),
            (ELFV1, "clang-22"),
            (f"{ELFV1}@clang-reading", "clang-22"),
        ),
        facts=partial(texts.facts, ELFV1),
    ),
    "elfv2": Family(
        POWERPC,
        ("elfv2.data", *ELFV2_CALLS),
        ELFV2_CALLS,
        (
            ("powerpc64le-elfv2", "gcc-12"),
            ("powerpc64le-elfv2", "clang-22"),
            ("powerpc64le-elfv2@clang-reading", "clang-22"),
        ),
        facts=partial(texts.facts, "powerpc64le"),
    ),
    "ppc32": Family(
        POWERPC,
        ("supplement32.data", *PPC32_CALLS),
        PPC32_CALLS,
        (
            ("powerpc-sysv", "gcc-12"),
            ("powerpc-sysv", "clang-22"),
            ("powerpc-sysv@clang-reading", "clang-22"),
        ),
        facts=partial(texts.facts, "powerpc-sysv"),
    ),
    "s390x": Family(
        S390X,
        ("data", "calls", "equivalent"),
        ("calls", "equivalent"),
        (("s390x", "gcc-12"), ("s390x", "clang-22"), ("s390x@clang-reading", "clang-22")),
        facts=partial(texts.facts, "s390x"),
    ),
    "loongarch": Family(
        LOONGARCH,
        ("data", *LAPCS_CALLS),
        LAPCS_CALLS,
        tuple(
            (target, "clang-22")
            for target in (
                LP64D,
                LP64F,
                LP64S,
                ILP32D,
                ILP32S,
                f"{LP64D}@clang-reading",
                f"{LP64S}@clang-reading",
            )
        ),
        facts=partial(texts.facts, "loongarch"),
    ),
    "wasm": Family(
        WASM,
        ("data", *WASM_CALLS),
        WASM_CALLS,
        (("wasm32", "clang-22"), ("wasm32@clang-reading", "clang-22")),
        facts=partial(texts.facts, "wasm32"),
    ),
    "scd": Family(
        SPARC,
        ("data", *SCD_CALLS),
        SCD_CALLS,
        (
            ("sparc64", "gcc-12"),
            ("sparc64", "clang-22"),
            ("sparc64@gcc-reading", "gcc-12"),
            ("sparc64@clang-reading", "clang-22"),
        ),
        facts=partial(texts.facts, "sparc64"),
    ),
    "riscv": Family(
        RISCV,
        ("convention", "data", "calls", "integer", "hardware_float", "vectors", f"{ENGINE}.flatten"),
        ("convention", "calls", "integer", "hardware_float", "vectors", f"{ENGINE}.flatten"),
        (
            ("riscv64-lp64d", "clang-22"),
            ("riscv64-lp64d", "gcc-12"),
            ("riscv32-ilp32d", "clang-22"),
            ("riscv32-ilp32e", "clang-22"),
            ("riscv64-lp64f", "clang-22"),
            ("riscv64-lp64e", "clang-22"),
            ("riscv32-ilp32f", "gcc-12"),
            ("riscv32-ilp32", "gcc-12"),
            ("riscv64-lp64", "gcc-12"),
            ("riscv64-lp64d@clang-reading", "clang-22"),
            ("riscv64-lp64d-vector", "clang-22"),
        ),
        facts=partial(texts.facts, "riscv"),
    ),
    "x86_64": Family(
        X86,
        ("data", "calls", "classify", f"{ENGINE}.leaves"),
        ("calls", "classify", f"{ENGINE}.leaves"),
        (
            (SYSV, "gcc-12"),
            (SYSV, "clang-22"),
            (f"{SYSV}@gcc-reading", "gcc-12"),
            (f"{SYSV}@clang-reading", "clang-22"),
            (f"{SYSV}@clang-reading", "gcc-12"),
            (SYSV, "gcc-12 -mavx"),
        ),
        facts=partial(texts.facts, SYSV),
    ),
    "i386": Family(
        X86,
        ("i386.data", "i386.calls", "i386.convention", "i386.general", "i386.results", "i386.stack"),
        ("i386.calls", "i386.convention", "i386.general", "i386.results", "i386.stack"),
        (
            (I386, "gcc-12"),
            (I386, "clang-22"),
            (f"{I386}@gcc-reading", "gcc-12"),
            (f"{I386}@clang-reading", "clang-22"),
            (f"{I386}@gcc-reading", "gcc-12 -malign-double"),
            (f"{I386}@gcc-reading", "gcc-12 -mavx"),
        ),
        laid_out=(
            (f"{I386}@gcc-reading", "gcc-12 -m128bit-long-double"),
            (f"{I386}@clang-reading", "clang-22 -mlong-double-64"),
        ),
        facts=partial(texts.facts, I386),
    ),
    "ms": Family(
        X86,
        ("ms.calls", "ms"),
        ("ms.calls",),
        (
            ("x86_64-ms", "gcc-12"),
            ("x86_64-ms", "clang-22"),
            ("x86_64-ms@gcc-reading", "gcc-12"),
            ("x86_64-ms@clang-reading", "clang-22"),
        ),
        facts=partial(texts.facts, "x86_64-ms"),
    ),
    "windows": Family(
        X86,
        ("windows.data", "windows_types", f"{ENGINE}.windows_records", "ms.calls"),
        ("ms.calls",),
        (
            (MSVC, "gcc-12"),
            (MSVC, "clang-22"),
            (MINGW, "gcc-12"),
            (MINGW, "clang-22"),
            (f"{MINGW}@gcc-reading", "gcc-12"),
        ),
        facts=partial(texts.facts, "x86_64-windows", "x86_64-ms"),
    ),
    "engine": Family(
        X86,
        tuple(f"{ENGINE}.{name}" for name in ENGINE_MODULES),
        (f"{ENGINE}.cursor",),
        ((SYSV, "gcc-12"),),
        laid_out=(
            (SYSV, "clang-22"),
            (f"{SYSV}@gcc-reading", "gcc-12"),
            (f"{SYSV}@clang-reading", "clang-22"),
            (f"{I386}@gcc-reading", "gcc-12"),
            (f"{I386}@clang-reading", "clang-22"),
            (f"{SYSV}@gcc-reading", "gcc-12 -mms-bitfields"),
            (f"{SYSV}@clang-reading", "clang-22 -mms-bitfields"),
            (f"{I386}@gcc-reading", "gcc-12 -mms-bitfields"),
            (f"{I386}@clang-reading", "clang-22 -mms-bitfields"),
            (f"{SYSV}@gcc-reading", "gcc-12 -fpack-struct=2"),
            (f"{SYSV}@clang-reading", "clang-22 -fpack-struct=2"),
            (f"{SYSV}@gcc-reading", "gcc-12 -fpack-struct -fshort-enums"),
            (f"{SYSV}@gcc-reading", "gcc-12 -mlong-double-64"),
            (MSVC, "clang-22"),
            (f"{MINGW}@gcc-reading", "gcc-12"),
            (f"{MINGW}@clang-reading", "clang-22"),
            (ELFV1, "gcc-12"),
            ("aarch64_sve-aapcs64", "gcc-12"),
        ),
        facts=partial(
            texts.facts,
            SYSV,
            I386,
            MSVC,
            MINGW,
            ELFV1,
            "powerpc-sysv",
            "arm-aapcs",
            "riscv",
            "colossus-ipu",
            "aarch64-windows",
            "aarch64_sve",
        ),
        beside=(RISCV, IPU, AARCH64, POWERPC, ARM),
    ),
    "ipu": Family(
        IPU,
        ("data", "frame", *IPU_CALLS),
        IPU_CALLS,
        read=(
            ("colossus-ipu@compiler", "standin-arc"),
            ("colossus-ipu@compiler", "standin-arm"),
            ("colossus-ipu@compiler", "standin-armhf"),
            ("colossus-ipu-supervisor@compiler", "standin-xcore"),
            ("colossus-ipu", "standin-arc"),
        ),
        facts=ipu_facts,
    ),
    "dpu": Family(
        DPU,
        ("data", "frame", "elf", "calls", "places", "words"),
        ("calls", "places", "words"),
        read=(
            ("upmem-dpu@compiler", "standin-spirv32"),
            ("upmem-dpu@compiler", "standin-powerpc"),
            ("upmem-dpu@compiler", "standin-mipsel"),
            ("upmem-dpu", "standin-spirv32"),
            ("upmem-dpu", "standin-powerpc"),
        ),
        facts=dpu_facts,
    ),
    "ptx": Family(
        PTX,
        ("data", "clang_ir", "clang_units", "nvcc_records", "nvcc_members", "nvcc_storage", *PTX_CALLS),
        PTX_CALLS,
        read=(
            ("nvptx64-cuda@clang-22", "clang-22"),
            ("nvptx64-cuda@nvcc", "nvcc"),
            ("nvptx64-cuda", "clang-22"),
            ("nvptx64-cuda@clang-14", "clang-14"),
            ("nvptx64-cuda@clang-16", "clang-16"),
        ),
        facts=device_code.facts,
    ),
    "vfabi": Family(
        VECTORS,
        VECTOR_CALLS,
        VECTOR_CALLS,
        read=(("x86_64-vfabi@gcc-reading", "gcc-12"), ("x86_64-vfabi@clang-reading", "clang-22")),
        facts=vector_facts,
    ),
}
