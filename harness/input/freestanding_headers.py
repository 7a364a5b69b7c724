"""The freestanding headers of C, in memory: libclang comes without any.

They say what the standard says in terms of the compiler's predefined macros, so they are right for every target.
"""

from __future__ import annotations

from typing import Final

from abiprobe.oracles.language.sve import SVE_FIXED_TYPEDEFS, SVE_TYPEDEFS

FOLDER: Final = "/abiprobe/include"
"""A folder that need not exist: the files below are shown to libclang at paths inside it."""

FLOAT128: Final = "abiprobe_float128"
"""The typedef name that stands for `_Float128` where libclang's target has no such keyword."""

FLOAT16: Final = "abiprobe_float16"
"""The typedef name that stands for `_Float16` where libclang's release has no such type for the target and newer ones have."""

DECIMALS: Final = {"_Decimal32": "float", "_Decimal64": "double", "_Decimal128": "long double"}
"""The decimal types, which libclang has none of, with those that stand for them where a file computes with them."""

DECIMAL: Final = "abiprobe_decimal"
"""How the typedef names begin that stand for decimal types."""

PRELUDE: Final = f"{FOLDER}/abiprobe-prelude.h"
"""Included before the first line of every file."""

SPARE: Final = f"{FOLDER}/spare"
"""Headers for machines on which no release of clang brings its own."""

_PRELUDE = (
    f"""
#ifndef __cplusplus
typedef float _Float32;
typedef double _Float64, _Float32x;
typedef long double _Float64x;
#endif
#ifdef __SIZEOF_FLOAT128__
#define _Float128 __float128
#else
typedef long double {FLOAT128};
#define _Float128 {FLOAT128}
#define __float128 {FLOAT128}
#endif
#ifndef __FLT16_MANT_DIG__
typedef __fp16 {FLOAT16};
#define _Float16 {FLOAT16}
#endif
"""
    + "".join(
        f"typedef {other} {name.replace('_Decimal', DECIMAL)};\n#define {name} {name.replace('_Decimal', DECIMAL)}\n"
        for name, other in DECIMALS.items()
    )
    + "\n".join(("#ifdef __aarch64__", *SVE_TYPEDEFS, *SVE_FIXED_TYPEDEFS, "#endif", ""))
)

VERTEX: Final = "abiprobe vertex"
"""The annotation that stands for the attribute of a vertex function, which libclang does not know."""

SYSV_ABI: Final = "abiprobe sysv_abi"
"""The annotation that stands for the attribute sysv_abi, which libclang drops where it is the default."""

KERNEL: Final = "abiprobe kernel"
"""The annotation that stands for what makes a function a kernel."""

KERNEL_NAMES: Final = ("nvptx_kernel", "__nvptx_kernel__", "device_kernel", "__device_kernel__")
CUDA: Final = (
    f'-D__global__=__attribute__((annotate("{KERNEL}")))',
    *(f'-D{name}=annotate("{KERNEL}")' for name in KERNEL_NAMES),
    "-D__device__=",
    "-D__host__=",
)
"""Options under which the words of CUDA, and of clang for kernels, read as C."""

IPU_FOLDER: Final = f"{FOLDER}/ipu"
"""Headers that only compilers for the IPU have."""

_VECTORS = {
    "half": ("__fp16", (2, 4, 8)),
    "float": ("float", (2, 4)),
    "char": ("char", (2, 4)),
    "uchar": ("unsigned char", (2, 4)),
    "short": ("short", (2, 4)),
    "ushort": ("unsigned short", (2, 4)),
    "int": ("int", (2, 4)),
    "uint": ("unsigned", (2, 4)),
    "long": ("long", (2, 4)),
    "longlong": ("long long", (2, 4)),
}
"""The vector types of ipudef.h: the element of each, and how many of them there may be."""


def _ipudef() -> str:
    lines = ["#ifndef ABIPROBE_IPUDEF", "#define ABIPROBE_IPUDEF", "typedef __fp16 half;"]
    for name, (element, lengths) in _VECTORS.items():
        lines += [
            f"typedef {element} {name}{length} __attribute__((vector_size(sizeof({element}) * {length})));"
            for length in lengths
        ]
    return "\n".join([*lines, "#endif", ""])


_SVE = """
/* The types of vectors are in the prelude, and nothing is said of the functions on them. */
#include <stdint.h>
#ifndef ABIPROBE_ARM_SVE
#define ABIPROBE_ARM_SVE
typedef __fp16 float16_t;
typedef __bf16 bfloat16_t;
typedef float float32_t;
typedef double float64_t;
#endif
"""

_MM_MALLOC = """
#ifndef ABIPROBE_MM_MALLOC
#define ABIPROBE_MM_MALLOC
void *_mm_malloc(__SIZE_TYPE__ size, __SIZE_TYPE__ align);
void _mm_free(void *memory);
#endif
"""
"""Beside the intrinsics of x86, whose types need no C library otherwise."""

_STDDEF = """
#ifndef ABIPROBE_STDDEF
#define ABIPROBE_STDDEF
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#endif
typedef __WINT_TYPE__ wint_t;
typedef struct { long long ll __attribute__((aligned(_Alignof(long long))));
                 long double ld __attribute__((aligned(_Alignof(long double)))); } max_align_t;
#undef NULL
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
"""

_LIMITS = """
#ifndef ABIPROBE_LIMITS
#define ABIPROBE_LIMITS
#define CHAR_BIT __CHAR_BIT__
#define SCHAR_MAX __SCHAR_MAX__
#define SCHAR_MIN (-__SCHAR_MAX__ - 1)
#define UCHAR_MAX (__SCHAR_MAX__ * 2 + 1)
#ifdef __CHAR_UNSIGNED__
#define CHAR_MIN 0
#define CHAR_MAX UCHAR_MAX
#else
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#endif
#define MB_LEN_MAX 16
#define SHRT_MAX __SHRT_MAX__
#define SHRT_MIN (-__SHRT_MAX__ - 1)
#define USHRT_MAX (__SHRT_MAX__ * 2 + 1)
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1L)
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)
#endif
"""

_FLOATING = ("MANT_DIG", "DIG", "MIN_EXP", "MIN_10_EXP", "MAX_EXP", "MAX_10_EXP", "MAX", "EPSILON", "MIN")


def _float() -> str:
    lines = ["#ifndef ABIPROBE_FLOAT", "#define ABIPROBE_FLOAT"]
    lines += ["#define FLT_RADIX __FLT_RADIX__", "#define FLT_EVAL_METHOD __FLT_EVAL_METHOD__"]
    lines += ["#define DECIMAL_DIG __DECIMAL_DIG__"]
    lines += [
        f"#define {kind}_{what} __{kind}_{what}__" for kind in ("FLT", "DBL", "LDBL") for what in _FLOATING
    ]
    return "\n".join([*lines, "#endif", ""])


_STDARG = """
#ifndef ABIPROBE_STDARG
#define ABIPROBE_STDARG
typedef __builtin_va_list va_list;
typedef __builtin_va_list __gnuc_va_list;
#define va_start(list, ...) __builtin_va_start(list, __VA_ARGS__ + 0)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#endif
"""

_STDBOOL = """
#if !defined __cplusplus && (!defined __STDC_VERSION__ || __STDC_VERSION__ <= 201710L)
#undef bool
#define bool _Bool
#define true 1
#define false 0
#endif
#define __bool_true_false_are_defined 1
"""

_STDALIGN = """
#if !defined __cplusplus && (!defined __STDC_VERSION__ || __STDC_VERSION__ <= 201710L)
#undef alignas
#undef alignof
#define alignas _Alignas
#define alignof _Alignof
#endif
"""


def _stdint() -> str:
    lines = ["#ifndef ABIPROBE_STDINT", "#define ABIPROBE_STDINT"]
    for width in (8, 16, 32, 64):
        for family in ("INT", "INT_LEAST", "INT_FAST"):
            name = f"{family.lower()}{width}_t"
            lines.append(f"typedef __{family}{width}_TYPE__ {name};")
            lines.append(f"typedef __U{family}{width}_TYPE__ u{name};")
        lines += [
            f"#define INT{width}_MAX __INT{width}_MAX__",
            f"#define INT{width}_MIN (-__INT{width}_MAX__ - 1)",
            f"#define UINT{width}_MAX __UINT{width}_MAX__",
        ]
    for name in ("intptr", "uintptr", "intmax", "uintmax"):
        lines.append(f"typedef __{name.upper()}_TYPE__ {name}_t;")
        lines.append(f"#define {name.upper()}_MAX __{name.upper()}_MAX__")
    lines += ["#define SIZE_MAX __SIZE_MAX__", "#endif", ""]
    return "\n".join(lines)


HEADERS: Final = {
    PRELUDE: _PRELUDE,
    f"{FOLDER}/stddef.h": _STDDEF,
    f"{FOLDER}/stdarg.h": _STDARG,
    f"{FOLDER}/stdbool.h": _STDBOOL,
    f"{FOLDER}/stdalign.h": _STDALIGN,
    f"{FOLDER}/stdint.h": _stdint(),
    f"{FOLDER}/arm_sve.h": _SVE,
    f"{FOLDER}/mm_malloc.h": _MM_MALLOC,
    f"{SPARE}/limits.h": _LIMITS,
    f"{SPARE}/float.h": _float(),
    f"{IPU_FOLDER}/ipudef.h": _ipudef(),
}
"""Path and text of every header."""
