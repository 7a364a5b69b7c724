/* Calls of 32-bit PowerPC on which compilers part. `abiprobe check` this for powerpc-sysv. */

/* Complex numbers are in general registers, also as results; clang has them in memory (H1, llvm-project#56023). */
void complex_float(float _Complex a);
float _Complex complex_float_result(void);
void complex_double(double _Complex a);

/* Those of integers are no C: r3, or the address of a copy (H1). */
void complex_short(short _Complex a);
