/* Calls of 64-bit SPARC on which compilers part. `abiprobe check` this for sparc64. */

/* A union is in the words, o0; clang has its real in f0 (S1, llvm-project#214840). */
union Real { float a; };
void union_of_float(union Real a);
union Either { double a; long b; };
union Either union_result(void);

/* The text has no vectors: f0, or an element in each of o0 and o1 (S11); in a structure f0 on, or o0 on (S2). */
void vector(int __attribute__((vector_size(8))) a);
struct Wrapped { float __attribute__((vector_size(8))) a; };
void struct_of_vector(struct Wrapped a);
