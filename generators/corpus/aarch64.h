/* Calls in which AArch64 compilers are known to part, or came close to it. `abiprobe check` this for aarch64 targets. */

/* The half-precision formats are one type to the rules: v0, and v0 and v1. */
struct Brain { __bf16 a; };
struct Brain brain(struct Brain a);
struct Halves { __bf16 a; _Float16 b; };
struct Halves halves(struct Halves a);

/* A zero-width bit-field that moves nothing leaves an HFA one: v0 and v1. */
struct Between { float f; int : 0; float g; };
struct Between between(struct Between a);
union Behind { float f; int : 0; };
union Behind behind(union Behind a);

/* So does an empty record: v0. */
struct Empty { struct {} e; float f; };
struct Empty empty(struct Empty a);

/* An atomic member is one of its type: v0 and v1. */
struct Atomic { _Atomic(float) a, b; };
struct Atomic atomic(struct Atomic a);

/* The alignment of members counts, what is asked of the whole does not: x2 and x3; x1 and x2. */
struct Member { _Alignas(16) long a; long b; };
int member(int a, struct Member b);
struct Whole { long a, b; } __attribute__((aligned(16)));
int whole(int a, struct Whole b);
typedef long over __attribute__((aligned(16)));
int over_aligned(int a, over b);

/* The container of a bit-field counts for alignment: x2 and x3. */
struct Container { __int128 a : 5; };
int container(int a, struct Container b);
struct Beside { long a; __int128 b : 5; };
int beside(int a, struct Beside b);

/* An HFA too large for what is left takes the rest with it: the stack for both. */
struct Pair { double a, b; };
double spent(double a, double b, double c, double d, double e, double f, double g, struct Pair h, double i);

/* A quad-word that found no even pair takes x7 with it. */
int no_pair(int a, int b, int c, int d, int e, int f, int g, __int128 h, int i);

/* Undefined bits above narrow values, in registers and on the stack. */
int narrow(_Bool a, signed char b, unsigned short c, _BitInt(9) d, long e, long f, long g, long h, unsigned char i, float j);

/* The address of a result takes no argument register. */
struct Large { char a[17]; };
struct Large large(int a, struct Large b);

/* Unnamed arguments are passed as named ones are. */
int unnamed(int n, ...);

static void calls(struct Pair a, struct Whole b, struct Member c, struct Large d)
{
    unnamed(1, 2.5, 3, a);
    unnamed(1, b, c);
    unnamed(1, d, 2.5L);
    unnamed(1, 2, (__int128)3);
}
