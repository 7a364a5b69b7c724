/* Calls of s390x on which compilers part. `abiprobe check` this for s390x. */

/* A structure of 4 bytes is in r2, whatever follows its last member; clang has it by reference (Z1). */
struct Flexible { int a; int b[]; };
void flexible_array(struct Flexible a);

/* The text knows no _Atomic: with a union of 16 bytes in it, aligned to 16 or as without it (Z2). */
struct Wide { char a; _Atomic(__int128) b; };
void atomic_wide(struct Wide a);

/* The text knows no _Atomic: one of 3 bytes has 4 to clang and is in r2, and is by reference to gcc. */
struct Bytes { char a[3]; };
struct Odd { _Atomic(struct Bytes) a; };
void atomic_bytes(struct Odd a);
