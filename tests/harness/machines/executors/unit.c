/* What a compiler under test builds, written by hand. */

extern unsigned char abi_in[], abi_out[];
extern void *abi_target;

struct pair { long a, b; };
struct big { char c[40]; };
struct huge { char c[3000]; };

/* 0 */ static void call_mixed(void) {
    *(long *)abi_out = ((long (*)(int, double, struct pair, struct big))abi_target)(
        *(int *)abi_in, *(double *)(abi_in + 8), *(struct pair *)(abi_in + 16), *(struct big *)(abi_in + 64));
}

/* 1 */ static void call_memory(void) {
    *(struct big *)abi_out = ((struct big (*)(int))abi_target)(*(int *)abi_in);
}

/* 2 */ static long callee_pointer(struct big *p, long n) {
    *(struct big *)abi_out = *p;
    p->c[39] = 'Z';
    return n + p->c[1];
}

/* 3 */ static long callee_stack(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
    long all[] = {a, b, c, d, e, f, g, h, i, j};
    __builtin_memcpy(abi_out, all, sizeof all);
    return i - j;
}

/* 4 */ static double callee_double(double x, float y) {
    *(float *)abi_out = y;
    return x;
}

/* 5 */ static void write_where_told(void) { **(volatile int **)abi_in = 1; }

/* 6 */ static void never_return(void) {
    for (;;)
        __asm__ volatile("");
}

/* 7 */ static void call_nothing(void) { abi_out[0] = 1; }

/* 8 */ static void call_twice(void) {
    *(long *)abi_out = ((long (*)(long))abi_target)(1) + ((long (*)(long))abi_target)(2);
}

/* 9 */ static void copy_huge(void) { *(struct huge *)abi_out = *(struct huge *)abi_in; }

/* 10 */ static void call_variadic(void) { *(int *)abi_out = ((int (*)(int, ...))abi_target)(1, 2.0, 3.0); }

#if defined __i386__ || defined __x86_64__
/* 11 */ static void call_long_double(void) {
    *(long double *)abi_out = ((long double (*)(long double))abi_target)(*(long double *)abi_in);
}
/* 12 */ static long double callee_long_double(long double x) { return x + 1; }
#endif

#ifdef __x86_64__
/* 13 */ static _Complex long double callee_complex(long double x) {
    _Complex long double z;
    __real__ z = x;
    __imag__ z = x + x;
    return z;
}
/* 14 */ static void call_complex(void) {
    *(_Complex long double *)abi_out = ((_Complex long double (*)(void))abi_target)();
}
/* 15 */ extern void call_shadow(void);
__asm__(
    "call_shadow: sub $24, %rsp; movq $0x11, (%rsp); movq $0x22, 8(%rsp); call *abi_target(%rip);"
    "pop abi_out(%rip); pop abi_out+8(%rip); pop %rax; ret");
#endif

#ifdef __i386__
/* Compilers disagree about __m64. */
extern void call_mmx(void), callee_mmx(void);
/* 13, 14 */ __asm__(
    "call_mmx: movq abi_in, %mm0; jmp *abi_target;"
    "callee_mmx: movq %mm0, abi_out; movq abi_in, %mm0; movq abi_in, %mm1; ret");
/* 15 */ static void call_popping(void) {
    long (*target)(long, long) __attribute__((stdcall)) = (long (__attribute__((stdcall)) *)(long, long))abi_target;
    *(long *)abi_out = target(1, 2) - target(3, 4);
}
/* 16 */ static long __attribute__((stdcall)) callee_popping(long a, long b) { return a - b; }
/* gcc moves a real through x87 after it has filled an MMX register, which leaves the top of the stack elsewhere. */
extern void call_turned_mmx(void), callee_turned_mmx(void);
/* 17, 18 */ __asm__(
    "call_turned_mmx: fldz; movq abi_in, %mm0; fstp %st(0); jmp *abi_target;"
    "callee_turned_mmx: movq %mm0, abi_out; fldz; movq abi_in, %mm0; movq abi_in, %mm1; fstp %st(0); ret");
#endif

#ifdef __riscv_flen
/* 11 */ static float callee_moved(unsigned x) {
    float f;
    __builtin_memcpy(&f, &x, 4);
    return f;
}
/* 12 */ static float callee_converted(int x) { return x; }
/* 13 */ static float callee_computed(int x) { return -((float)x + (float)x); }
#endif

#define FUNCTION(f) ((void (*)(void))(f))
void (*const abi_functions[])(void) = {
    call_mixed, call_memory, FUNCTION(callee_pointer), FUNCTION(callee_stack), FUNCTION(callee_double),
    write_where_told, never_return, call_nothing, call_twice, copy_huge, call_variadic,
#if defined __i386__ || defined __x86_64__
    call_long_double, FUNCTION(callee_long_double),
#endif
#ifdef __riscv_flen
    FUNCTION(callee_moved), FUNCTION(callee_converted), FUNCTION(callee_computed),
#endif
#ifdef __x86_64__
    FUNCTION(callee_complex), call_complex, call_shadow,
#endif
#ifdef __i386__
    call_mmx, callee_mmx, call_popping, FUNCTION(callee_popping), call_turned_mmx, callee_turned_mmx,
#endif
};
