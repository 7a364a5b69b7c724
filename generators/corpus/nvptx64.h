/* Calls and records for CUDA devices that tell models of them apart: what clang and NVIDIA's front ends declare otherwise, and what ptxas makes of
 * it. `abiprobe check` this for nvptx64-cuda; what each makes of these is in tests/oracles/ptx. */

/* Narrow values are widened, and their sign with them; a packed enumeration is as signed as its values. */
char narrow(char a, signed char b, unsigned char c, short d, unsigned short e, _Bool f);
enum Sure { SURE = 127 } __attribute__((packed));
void sure(enum Sure a);
enum Large { NONE, LARGE = 200 } __attribute__((packed));
void large(enum Large a);

/* Arrays of bytes: by alignment, and on the stack where no run of registers is left. */
__int128 wide(int a, __int128 b);
float _Complex complex_float(int a, float _Complex b);
long double long_double(int a, long double b);
struct Odd { char a[3]; };
struct Odd odd(struct Odd a, int b);
struct Twelve { int a[12]; };
struct Twelve twelve(struct Twelve a, int b);
struct Thirteen { int a[13]; };
struct Thirteen thirteen(int a, struct Thirteen b);
void holes(int a, long b, int c, struct Odd d, double e, char f);

/* Alignments that the type of LLVM does not have, and that it has alone. */
struct Over { int a; } __attribute__((aligned(32)));
struct Over over(int a, struct Over b, int c);
struct Under { double a; } __attribute__((packed, aligned(4)));
struct Under under(int a, struct Under b);
union Packed { double a; char b; } __attribute__((packed));
union Packed packed_union(int a, union Packed b);
typedef struct { char a[8]; } Eight __attribute__((aligned(8)));
Eight eight(int a, Eight b);

/* Bit-fields: one integer for a run of them, or units that are cheap to access. */
struct Run { int a : 32; char b : 8; };
struct Run run(int a, struct Run b);
struct Bytes { char a : 8; char b : 8; char c : 8; char d; };
struct Bytes bytes(int a, struct Bytes b);
struct Discrete { int a : 9; int b : 9; } __attribute__((ms_struct));
struct Discrete discrete(int a, struct Discrete b);
union Wide { long a : 41; } __attribute__((packed));
union Wide wide_union(int a, union Wide b);
struct Words { long a : 64; long b : 64; };
struct Words words(int a, struct Words b);

/* Kernels: sizes of their own, and alignments that count from the constant bank or from the first parameter. */
__global__ void kernel(char a, signed char b, unsigned short c, _Bool d, long e, float f, void *g);
__global__ void over_kernel(char a, struct Over b, char c);
struct Page { char a[4200]; } __attribute__((aligned(64)));
__global__ void page_kernel(char a, struct Page b);

/* Records as NVIDIA lays them out. */
struct Bitless { int a[0]; int : 0; };
struct Lowered { double a; int b; } __attribute__((aligned(4)));
struct Apart { char a : 3; int b : 1 __attribute__((aligned(2))); };
