/* Calls in which tcc 0.9.27 and pcc 1.2.0 depart from the x86 texts, a declaration or two each. `abiprobe check` this for
 * x86_64-sysv, and for i386-sysv with tcc. */

/* tcc: every eightbyte of a struct has the class of the whole: rdi and rsi instead of rdi and xmm0. */
struct Mixed { long i; double x; };
void mixed(struct Mixed a);

/* tcc: an array in a struct is INTEGER. */
struct Row { float x[1]; };
void row(struct Row a);

/* tcc: so is what has a zero-width bit-field in front. */
struct Width { char : 0; double x; };
void zero_width(struct Width a);

/* tcc: a caller trusts bits 32 to 63 of the result. */
unsigned narrow_result(void);

/* tcc on i386: the stack is not aligned to 16 bytes. */
void unaligned_stack(int a);

/* pcc: the function loads half the result and then takes it for an address. */
struct Halves { double x; long i; };
struct Halves halves_result(void);

/* pcc: in st0 and st1, without a hidden pointer. */
struct Twice { long double a, b; };
struct Twice twice_result(void *p);

/* pcc: a long double on the stack at a multiple of 8. */
void long_double(long a, long b, long c, long d, long e, long f, long g, long double h);

/* pcc: no struct is in xmm7. */
struct Real { float x; };
void seven_reals(double a, double b, double c, double d, double e, double f, double g, struct Real h);

/* pcc: no struct of one eightbyte is in r9. */
struct Pair { int a, b; };
void five_words(long a, long b, long c, long d, long e, struct Pair f, long g);

/* pcc: a struct on the stack is not padded to 8 bytes. */
struct Char { char c; };
void no_padding(long a, long b, long c, long d, long e, long f, struct Char g, int h);

/* pcc: a second eightbyte of reals is in rsi. */
struct Tail { int a; float b[3]; };
void real_tail(struct Tail a);

/* pcc: internal compiler error. */
struct Large { long double l; };
void large(struct Large a);
