/* Arguments in general registers on i386, of which the GCC manual says little: gcc and clang part on whatever is no integer of one
 * register. Ask the dialects `i386-sysv@gcc` and `i386-sysv@clang`; as written most have no answer. The arguments behind the first one
 * tell which registers it used up. */

#define REGPARM __attribute__((regparm(3)))
#define FASTCALL __attribute__((fastcall))
typedef int M64 __attribute__((vector_size(8)));
typedef float M128 __attribute__((vector_size(16)));
typedef double ALONE __attribute__((vector_size(8)));

/* Reals, alone or all that a record has. */
struct Real { float a; };
struct Double { double a; };
struct Deep { struct { float a[1]; } a; };
struct Square { float a[1][1]; };
struct Reals { float a[2]; };
struct Mixed { int a; float b; };
struct Half { _Float16 a; };
struct Long { long double a[1]; };
struct AtomicReal { _Atomic(float) a; };
struct Before { struct {} z; float a; };
struct Behind { float a; int b[0]; };
struct Closed { float a; int : 0; };
struct Padded { float a __attribute__((aligned(8))); };
union OneReal { float a; };
union Either { float a; int b; };
REGPARM int regparm_double(double a, int b, int c);
REGPARM int regparm_long_double(long double a, int b, int c);
REGPARM int regparm_half(_Float16 a, int b, int c);
REGPARM int regparm_halves(_Float16 a, M128 b, _Float16 c, _Float16 d, int e);
REGPARM int regparm_late_half(M128 a, M128 b, M128 c, _Float16 d, int e);
REGPARM int regparm_atomic(_Atomic(float) a, int b, int c);
REGPARM int regparm_atomic_double(_Atomic(double) a, int b, int c);
REGPARM int regparm_real(struct Real a, int b, int c);
REGPARM int regparm_double_member(struct Double a, int b, int c);
REGPARM int regparm_deep(struct Deep a, int b, int c);
REGPARM int regparm_square(struct Square a, int b, int c);
REGPARM int regparm_reals(struct Reals a, int b, int c);
REGPARM int regparm_mixed(struct Mixed a, int b, int c);
REGPARM int regparm_half_member(struct Half a, int b, int c);
REGPARM int regparm_long(struct Long a, int b, int c);
REGPARM int regparm_atomic_member(struct AtomicReal a, int b, int c);
REGPARM int regparm_before(struct Before a, int b, int c);
REGPARM int regparm_behind(struct Behind a, int b, int c);
REGPARM int regparm_closed(struct Closed a, int b, int c);
REGPARM int regparm_padded(struct Padded a, int b, int c);
REGPARM int regparm_one_real(union OneReal a, int b, int c);
REGPARM int regparm_either(union Either a, int b, int c);
FASTCALL int fastcall_double(double a, int b, int c);
FASTCALL int fastcall_long_double(long double a, int b, int c);
FASTCALL int fastcall_half(_Float16 a, int b, int c);
FASTCALL int fastcall_real(struct Real a, int b, int c);
FASTCALL int fastcall_reals(struct Reals a, int b, int c);
FASTCALL int fastcall_half_member(struct Half a, int b, int c);
FASTCALL int fastcall_long(struct Long a, int b, int c);
FASTCALL int fastcall_atomic_member(struct AtomicReal a, int b, int c);
FASTCALL int fastcall_one_real(union OneReal a, int b, int c);
FASTCALL int fastcall_either(union Either a, int b, int c);
FASTCALL int fastcall_late(int a, union Either b, int c, int d);

/* Vectors, and complex numbers. */
struct Vector { M64 a; };
struct Alone { ALONE a; };
struct Wide { M128 a; };
struct Complex { _Complex float a; };
struct Outer { struct Complex a; };
struct Complexes { _Complex float a[2]; };
REGPARM int regparm_vector(M64 a, int b, int c);
REGPARM int regparm_alone(ALONE a, int b, int c);
REGPARM int regparm_vector_member(struct Vector a, int b, int c);
REGPARM int regparm_alone_member(struct Alone a, int b, int c);
REGPARM int regparm_wide(struct Wide a, int b, int c);
REGPARM int regparm_complex(_Complex float a, int b, int c);
REGPARM int regparm_complex_member(struct Complex a, int b, int c);
REGPARM int regparm_outer(struct Outer a, int b, int c);
REGPARM int regparm_complexes(struct Complexes a, int b, int c);
FASTCALL int fastcall_vector(M128 a, int b, int c);
FASTCALL int fastcall_alone(ALONE a, int b, int c);
FASTCALL int fastcall_alone_member(struct Alone a, int b, int c);
FASTCALL int fastcall_complex(_Complex float a, int b, int c);
FASTCALL int fastcall_complex_half(_Complex _Float16 a, int b, int c);
struct ComplexHalf { _Complex _Float16 a; };
FASTCALL int fastcall_complex_half_member(struct ComplexHalf a, int b, int c);
FASTCALL int fastcall_complex_member(struct Complex a, int b, int c);
ALONE alone(int a);

/* Integers of two registers, and in records; results in memory; and what has no bytes. */
struct One { int a; };
struct Pointer { void *a; };
struct Nested { struct One a; };
struct Row { int a[1]; };
struct Odd { char a[5]; };
struct Three { char a[3]; };
struct Bits { int a : 5; };
struct Word { int a : 32; };
struct Two { long long a; };
struct Pair { short a, b; };
struct AtomicOne { _Atomic(int) a; };
struct Flexible { int a; int z[]; };
struct Zero { int a; int z[0]; };
struct None {};
REGPARM int regparm_one(struct One a, int b, int c);
REGPARM int regparm_odd(struct Odd a, int b, int c);
REGPARM int regparm_three(struct Three a, int b, int c);
REGPARM int regparm_bits(struct Bits a, int b, int c);
REGPARM int regparm_two(struct Two a, int b, int c);
REGPARM int regparm_long_long(long long a, int b, int c);
REGPARM int regparm_too_wide(int a, int b, long long c, int d);
REGPARM int regparm_flexible(struct Flexible a, int b, int c);
REGPARM int regparm_zero(struct Zero a, int b, int c);
REGPARM int regparm_none(struct None a, int b, int c);
REGPARM struct None regparm_result(int a);
FASTCALL int fastcall_one(struct One a, int b, int c);
FASTCALL int fastcall_pointer(struct Pointer a, int b, int c);
FASTCALL int fastcall_nested(struct Nested a, int b, int c);
FASTCALL int fastcall_row(struct Row a, int b, int c);
FASTCALL int fastcall_odd(struct Odd a, int b, int c);
FASTCALL int fastcall_three(struct Three a, int b, int c);
FASTCALL int fastcall_word(struct Word a, int b, int c);
FASTCALL int fastcall_two(struct Two a, int b, int c);
FASTCALL int fastcall_pair(struct Pair a, int b, int c);
FASTCALL int fastcall_long_long(int a, long long b, int c);
FASTCALL int fastcall_atomic_one(struct AtomicOne a, int b, int c);
FASTCALL int fastcall_flexible(struct Flexible a, int b, int c);
FASTCALL int fastcall_zero(struct Zero a, int b, int c);
FASTCALL int fastcall_none(struct None a, int b, int c);
FASTCALL struct One fastcall_result(int a, int b);
FASTCALL struct None fastcall_empty_result(int a, int b);
struct None empty_result(int a);

/* As users have reported them to LLVM: what a long long leaves of the registers (llvm-project#109987), and the alignment that a
 * compiler prefers for a _BitInt(64) (llvm-project#154374). */
FASTCALL int fastcall_char(long long a, signed char b);
struct BitInt64 { char a; _BitInt(64) b; };
