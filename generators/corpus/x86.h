/* Calls in which x86 compilers are known to part, or came close to it. `abiprobe check` this for x86 targets; the last
 * functions want `-mavx512f` or go without an answer. */

/* One register left for two eightbytes: all of it on the stack, at a multiple of 16, and r9 goes to the next. */
void straddling(long a, long b, long c, long d, long e, __int128 f, long g);

/* An array of length zero has no field: xmm0. A flexible one neither: rdi. */
struct Zero { float f; short z[0]; };
struct Zero zero_length(void);
struct Flexible { long n; long flex[]; };
int flexible(struct Flexible a);

/* One eightbyte of two reals, atomic or not: xmm0. */
struct Atomic { _Atomic(float) a, b; };
struct Atomic atomic_members(struct Atomic a);

/* st0 and st1. */
_Complex long double complex_x87(void);

/* A field off its alignment: in memory. */
struct Packed { char c; double d; } __attribute__((packed));
struct Packed misaligned(struct Packed a, int b);

/* Two eightbytes, with 63 bits of anything; three: in memory. */
_BitInt(65) bit_int_65(_BitInt(65) a, int b);
_BitInt(129) bit_int_129(_BitInt(129) a, int b);

/* What shares an eightbyte of a long double with no integer alone is in memory, an integer of the same bytes beside it or not. */
union Extended { long double a; double b[2]; };
union Extended extended(union Extended a, int b);
union Quadruple { long double a; __float128 b; };
union Quadruple quadruple(union Quadruple a, int b);
union Thrice { long double a; double b[2]; long long c[2]; };
union Thrice thrice(union Thrice a, int b);

/* A zero-width bit-field has no class: xmm0. */
union Width { float a; int : 0; };
int zero_width(union Width a);

/* Half a value, where another member of the union has padding. */
union Padded { double a; struct { float b; double c; } d; };
int padding(union Padded a);

/* Bits above a narrow value are anything. */
int narrow(signed char a, unsigned short b, _Bool c);

/* On the stack at a multiple of 16; al says that no vector register is used, or that one is. */
int long_double(int n, ...);

/* Without AVX no vector register holds the first; with AVX-512 the second is one vector, the third in memory. */
typedef float V16 __attribute__((vector_size(16)));
typedef float V32 __attribute__((vector_size(32)));
typedef float V64 __attribute__((vector_size(64)));
V32 wide(V32 a, int b);
union Halves { V64 whole; V32 half; };
union Halves halves(union Halves a);
union Quarters { V64 whole; V16 quarter[4]; };
union Quarters quarters(union Quarters a);

union Pair { V32 whole; double pair[2]; };
union Pair pair(union Pair a);

static void calls(long double a)
{
    long_double(1, a);
    long_double(1, 2, a, 3.0);
}

/* The classes of eightbytes: bit-fields at both ends of one, nested members, and members off their alignment. */
struct real_then_bits { double a; int b : 5; };
struct real_then_bit { double a; int b : 1; };
struct bits_at_the_end { double a; long long : 62; long long b : 2; };
struct whole_then_real { long long a : 64; double b; };
struct real_then_mixed { double d; struct { float f; int b : 5; } s; };
struct real_then_array { double d; struct { int x[2]; } s; };
struct unaligned_second { struct { int a; char b; } __attribute__((packed)) e[2]; };
struct aligned_by_chance { char c; struct { char a[3]; int i; } __attribute__((packed)) p; };
void classes_real_then_bits(struct real_then_bits v, int last);
void classes_real_then_bit(struct real_then_bit v, int last);
void classes_bits_at_the_end(struct bits_at_the_end v, int last);
void classes_whole_then_real(struct whole_then_real v, int last);
void classes_real_then_mixed(struct real_then_mixed v, int last);
void classes_real_then_array(struct real_then_array v, int last);
void classes_unaligned_second(struct unaligned_second v, int last);
void classes_aligned_by_chance(struct aligned_by_chance v, int last);

/* Bit-fields with attributes, where gcc and clang part: ask the dialects. A 16-bit field that fills no integer before it; one that a
 * place on an odd bit would leave; one aligned past its type; an atomic array. */
typedef int Lowered __attribute__((aligned(1)));
struct filled { Lowered a : 8; Lowered b : 8; Lowered c : 16; };
struct odd_bit { char a : 1; int b : 32; } __attribute__((packed));
struct past_type { int a : 20; int b : 20 __attribute__((aligned(8))); };
struct packed_field { short a : 16 __attribute__((packed)); char b; };
struct own_alignment { _BitInt(37) a : 5; };
struct Four { char a[4]; };
struct atomic_array { char a; _Atomic(struct Four) b[2]; };

/* An attribute on a member is an alignment that _Alignof tells, however wide; the alignment of a vector is not. */
struct on_member { int a __attribute__((aligned(32))); };
struct on_field { char a; int b : 3 __attribute__((aligned(32))); };
struct inside { struct on_member a; };
struct on_nameless { char : 1 __attribute__((aligned(64))); char a; } __attribute__((ms_struct));
union on_member_of_union { int a : 32 __attribute__((aligned(32))); _Bool b; } __attribute__((ms_struct));

/* An attribute on a zero-width bit-field of ms_struct counts behind any member; #pragma pack limits it with gcc. */
struct zero_behind { char a; int : 0 __attribute__((aligned(8))); char b; } __attribute__((ms_struct));
struct zero_before_bits { char a; int : 0 __attribute__((aligned(8))); int b : 3; } __attribute__((ms_struct));
struct zero_last { char a; int : 0 __attribute__((aligned(8))); } __attribute__((ms_struct));
struct zero_behind_bits { char a : 3; int : 0 __attribute__((aligned(8))); char b; } __attribute__((ms_struct));
struct zero_packed { char a; int : 0 __attribute__((aligned(8))); char b; } __attribute__((ms_struct, packed));
struct zero_plain { char a; int : 0; char b; } __attribute__((ms_struct));
#pragma pack(push, 2)
struct zero_limited { char a; int : 0 __attribute__((aligned(8))); char b; } __attribute__((ms_struct));
#pragma pack(pop)
