/* Calls of MIPS on which compilers part, or might. `abiprobe check` this for mips64el-n64. */

/* From an even register on, or in the next two: a2 and a3, or a1 and a2 (M1, llvm-project#213541). */
void wide(int a, __int128 b);

/* In one register, or its parts in v0 and v1 (M7, llvm-project#212109). */
int _Complex complex_int_result(void);

/* An empty record takes no place before a real: f12, and a0 for the record of both. */
struct Empty {};
void behind_empty(struct Empty a, float b);
struct Beside { struct Empty a; float b; };
void empty_beside(struct Beside a);

/* The callee of gcc 12 looks for it in a2, where its callers, gcc 16 and clang have it in a1 (M3). */
typedef int Over __attribute__((aligned(16)));
void over_aligned(int a, Over b);
