/* Calls in which RISC-V compilers are known to part, or came close to it. `abiprobe check` this for riscv targets. */

/* A zero-width bit-field between two reals is ignored while flattening: fa0, fa1. */
struct Between { float f; int : 0; float g; };
struct Between between(struct Between a);

/* So is a field that is an empty union: fa0, fa1. */
struct Empty { union {} e; float f, g; };
struct Empty empty(struct Empty a);

/* An unnamed argument aligned to 2 XLEN bits starts at an even register: on RV32 all three. */
struct Aligned { int a, b; } __attribute__((aligned(8)));
struct Wide { int a, b; } __attribute__((aligned(16)));
typedef long long over __attribute__((aligned(16)));
int aligned_pair(int n, ...);
int long_pair(int n, ...);
int over_aligned(int n, ...);

/* NaN-boxed in fa0 with Zfh and without; its upper bits are undefined where it travels in an integer register. */
_Float16 half(_Float16 a, _Float16 b);
struct Half { _Float16 a; };
struct Half half_in_struct(struct Half a);

/* 2 XLEN bits with one register left on RV64: half in a7, half on the stack; by reference on RV32. */
int split(long a, long b, long c, long d, long e, long f, long g, long double h);

/* An integer narrower than XLEN on the stack: extended there too; a 32-bit unsigned one by its sign bit. */
int narrow(long a, long b, long c, long d, long e, long f, long g, long h, unsigned char i, unsigned j);

/* A bit-field wider than XLEN on RV32, in its own storage unit: by reference there. */
struct Long_field { float a; long long b : 33; };
int long_field(struct Long_field a);

/* Not one element, and no byte: clang 23 and 24 die of it. */
struct No_element { int a[0]; int b[]; };
void no_element(struct No_element a);

static void calls(struct Aligned a, struct Wide w, over o)
{
    aligned_pair(1, a);
    aligned_pair(1, w);
    long_pair(1, 2LL);
    long_pair(1, 2LL, 3, 4LL);
    over_aligned(1, o);
    over_aligned(1, 2.5L, 3);
}
