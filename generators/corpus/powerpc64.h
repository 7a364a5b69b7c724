/* Calls of 64-bit PowerPC on which compilers part, or might. `abiprobe check` this for both of its ELF ABIs. */

/* A union is no aggregate to ELFv1: the right half of r3, which clang has in f1 (F3). By ELFv2 f1. */
union Real { float a; };
void union_of_float(union Real a);

/* The same of a vector: r3 and r4 by ELFv1, which clang has in v2 (F3). By ELFv2 v2. */
typedef int Vector __attribute__((vector_size(16)));
union Wrapped { Vector a; };
void union_of_vector(union Wrapped a);

/* A structure of a vector is passed as the vector by both, and by ELFv2 one of two as both: v2, and v3. */
struct One { Vector a; };
void struct_of_vector(struct One a);
struct Two { Vector a, b; };
void struct_of_vectors(struct Two a);
