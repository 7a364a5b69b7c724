/* Calls on which compilers part, as users have reported them to LLVM; on some the text is silent. `abiprobe check` this for
 * x86_64-sysv, also with `-mavx512f`, which has registers for the vectors. */

/* Whether an unnamed bit-field has a class: rdi, or xmm0 (llvm-project#216777). */
struct UnnamedBits { float a; int : 8; int : 24; };
float unnamed_bits(struct UnnamedBits a);

/* A vector of 128 bytes, with `-mavx512f`: by address, or in zmm0 and zmm1 (llvm-project#82151). */
typedef char V128 __attribute__((vector_size(128)));
V128 vector_of_128_bytes(V128 *p);

/* A union of vectors: in memory, or in zmm0 (llvm-project#183723). */
typedef int V64 __attribute__((vector_size(64)));
typedef int V16 __attribute__((vector_size(16)));
union Vectors { V64 v; V16 w[4]; };
union Vectors union_of_vectors(void);

/* A struct of a flexible array alone: nothing is passed, or eight bytes of the stack (llvm-project#195572). */
struct OnlyFlexible { char member[]; };
long only_flexible(struct OnlyFlexible a, long b, long c, long d, long e, long f, long g, long h);
