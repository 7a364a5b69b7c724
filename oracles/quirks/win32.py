"""Quirks of Microsoft's conventions on x86, and of i386 in general."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLER, NAMED, UNNAMED, Quirk, Status

WINDOWS = ("i386-windows-*",)
MINGW = ("i386-windows-gnu",)
FOUND = date(2026, 11, 30)
SIX_REALS = "double a, double b, double c, double d, double e, double z"

QUIRKS = (
    Quirk(
        name="gcc returns a record on 32-bit Windows as what it holds it as",
        subjects=("gcc",),
        policies={"records_as_held": True},
        status=Status.BUG,
        reason="records of 4 and 8 bytes are in eax and edx, whatever is in them, and larger ones in memory; gcc has one of a real in st0, and one with an array of three bytes in memory",
        link="unreported",
        since=FOUND,
        example="""
            struct S { float a; }; struct S f(void);
            struct T { char a[3]; char b; }; struct T g(void);
        """,
        targets=WINDOWS,
    ),
    Quirk(
        name="clang returns a record on 32-bit Windows in memory if a part of it is atomic or has 3, 5, 6 or 7 bytes",
        subjects=("clang",),
        policies={"records_by_parts": True},
        status=Status.BUG,
        reason="records of 4 and 8 bytes are in eax and edx, whatever is in them",
        link="unreported",
        since=FOUND,
        example="struct S { char a[3]; char b; }; struct S f(void); struct T { _Atomic(int) a; }; struct T g(void);",
        targets=WINDOWS,
    ),
    Quirk(
        name="gcc loses reals on 32-bit Windows beside a vector in an MMX register",
        subjects=("gcc",),
        policies={"loses_reals_beside_mmx": True},
        status=Status.BUG,
        reason="it copies a real by way of x87, whose registers are the same, so that a NaN arrives; no text has a place for the vector",
        link="unreported",
        since=FOUND,
        example="""
            typedef int V __attribute__((vector_size(8)));
            float f(V a);
            void g(float _Complex a, V b);
            struct S { float a; }; void h(V a, struct S b);
        """,
        targets=WINDOWS,
    ),
    Quirk(
        name="gcc's callers lose a vector in an MMX register of 32-bit Windows beside reals",
        subjects=("gcc",),
        policies={"loses_mmx_beside_reals": True},
        status=Status.BUG,
        reason="reals on their way to the stack are exchanged with it, or loaded over it",
        link="unreported",
        since=FOUND,
        example="""
            typedef int V __attribute__((vector_size(8)));
            void f(float a, float b, float c, float d, float e, float g, float _Complex h, V i);
        """,
        targets=WINDOWS,
        sides=CALLER,
    ),
    Quirk(
        name="clang for MinGW returns a record of one real in st0 or xmm0",
        subjects=("clang",),
        policies={"records_of_reals": True},
        status=Status.WONTFIX,
        reason="records of 4 and 8 bytes are in eax and edx; it does as MinGW's gcc does, of one _Float16, too",
        link="unreported",
        since=FOUND,
        example="struct S { double a; }; struct S f(void);",
        targets=MINGW,
    ),
    Quirk(
        name="fastcall of 32-bit Windows counts what is on the stack",
        subjects=("gcc",),
        policies={"stacked_use_registers": True},
        status=Status.BUG,
        reason="the first two arguments of 32 bits or less that are in the list are in registers, whatever stands between them, and no record is",
        link="https://github.com/llvm/llvm-project/issues/109987",
        since=FOUND,
        example="struct S { void *a; }; void (__attribute__((fastcall)) f)(struct S a, int b);",
        targets=WINDOWS,
    ),
    Quirk(
        name="clang's fastcall of MinGW counts what is on the stack",
        subjects=("clang",),
        policies={"stacked_use_registers": True},
        status=Status.BUG,
        reason="as gcc has it; with Microsoft's environment it does what the page says",
        link="https://github.com/llvm/llvm-project/issues/109987",
        since=FOUND,
        example="struct S { void *a; }; void (__attribute__((fastcall)) f)(struct S a, int b);",
        targets=("i386-windows-gnu",),
    ),
    Quirk(
        name="clang before 16 counts an integer of two words by fastcall of 32-bit Windows",
        subjects=("clang<16",),
        policies={"stacked_use_registers": True, "two_words_use_registers": True},
        status=Status.BUG,
        reason="it is on the stack, and the first two arguments of 32 bits or less that are in the list are in registers",
        link="unreported",
        since=FOUND,
        example="void (__attribute__((fastcall)) f)(long long a, int b);",
        targets=WINDOWS,
    ),
    Quirk(
        name="clang passes a record by vectorcall of i386 as by fastcall",
        subjects=("clang",),
        policies={"vectorcall_as_fastcall": True},
        status=Status.AMBIGUOUS,
        reason="the page follows __fastcall for integers, which has records on the stack, and counts records of up to 4 bytes among integers",
        link="unreported",
        since=FOUND,
        example="struct S { short a, b; }; void (__attribute__((vectorcall)) f)(struct S a);",
        targets=WINDOWS,
    ),
    Quirk(
        name="clang has the reals of a small record in vector registers by vectorcall of i386",
        subjects=("clang",),
        policies={"vectorcall_divides_records": True},
        status=Status.BUG,
        reason="it takes the record apart for the stack, where LLVM has each real in the next register, which its front end gives to another argument",
        link="unreported",
        since=date(2026, 11, 30),
        example=f"struct S {{ int a; float b; }}; void (__attribute__((vectorcall)) f)(struct S s, double b); void (__attribute__((vectorcall)) g)(struct S s, {SIX_REALS});",
        targets=WINDOWS,
    ),
    Quirk(
        name="clang has the address of a vector in a general register by vectorcall of i386",
        subjects=("clang",),
        policies={"addresses_in_registers": True},
        status=Status.BUG,
        reason="the seventh and later vectors are passed on the stack by reference",
        link="unreported",
        since=FOUND,
        example=f"typedef float V __attribute__((vector_size(16))); void (__attribute__((vectorcall)) f)({SIX_REALS}, V g);",
        targets=WINDOWS,
    ),
    Quirk(
        name="clang has a real on the stack itself by vectorcall of i386",
        subjects=("clang>=19",),
        policies={"stacked_reals_themselves": True},
        status=Status.AMBIGUOUS,
        reason="the page has the seventh and later vectors on the stack by reference, and calls float and double vector types",
        link="https://github.com/llvm/llvm-project/pull/91846",
        since=FOUND,
        example=f"void (__attribute__((vectorcall)) f)({SIX_REALS}, double g);",
        targets=WINDOWS,
    ),
    Quirk(
        name="clang has a word on the stack of i386 for a record of no bytes with a flexible array",
        subjects=("clang",),
        policies={"words_for_flexible_nothing": NAMED},
        status=Status.BUG,
        reason="it takes the record for one of no known size",
        link="unreported",
        since=FOUND,
        example="struct S { int a[0]; int b[]; }; void f(struct S a, int b);",
        targets=("i386-sysv", *MINGW),
    ),
    Quirk(
        name="clang's callers of i386 have a word for an unnamed record of no bytes with a flexible array",
        subjects=("clang",),
        policies={"words_for_flexible_nothing": UNNAMED},
        status=Status.BUG,
        reason="va_arg takes nothing for it, as the text has it, so that nothing is right behind it",
        link="unreported",
        since=FOUND,
        example="""
            struct S { int a[0]; int b[]; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }
        """,
        targets=("i386-sysv", *MINGW),
        sides=CALLER,
    ),
)
