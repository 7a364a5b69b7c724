/* Registers and system calls of i386 and x86-64, with SSE2, x87 and MMX, for the driver (driver.c).
 *
 * A state block is the general registers, the flags, and an fxsave image; states are addressed relative to rip, on i386
 * absolutely, so that every register can be stored and loaded without spoiling another. Of the flags only DF means
 * anything at a call. From the fxsave image we clear what the written ABI gives no meaning and processors and
 * emulators disagree about: status words, exception flags, the addresses of the last x87 instruction.
 *
 * With VECTOR_BYTES (32: AVX, 64: AVX-512) the vector registers whole follow, 64 bytes for each, and the mask
 * registers; they are loaded over what the fxsave image has of them.
 */

#define STATE(k, offset) DATA(abi_states + (k) * STATE_BYTES + (offset))
#define ENTER 0
#define LEFT 1
#define CAPTURED 2
#define RETURNS 3

#ifdef __x86_64__
#define DATA(address) address(%rip)
#define WORD 8
#define AX %rax
#define RSP %rsp
#define FLAGS 128
#define FX 144
#define VECTORS 704
#define MASKS 1728
#define FOR_VECTORS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#else
#define DATA(address) address
#define WORD 4
#define AX %eax
#define RSP %esp
#define FLAGS 32
#define FX 48
#define ST (FX + 32)
#define MM (FX + 288)
#define VECTORS 576
#define MASKS 1088
#define FOR_VECTORS 0, 1, 2, 3, 4, 5, 6, 7
#endif

#if VECTOR_BYTES == 64
    .macro store_vectors state
    .irp n, FOR_VECTORS
    vmovdqu64 %zmm\n, STATE(\state, VECTORS + 64 * \n)
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kmovq %k\n, STATE(\state, MASKS + 8 * \n)
    .endr
    vzeroupper
    .endm
    .macro load_vectors state
    .irp n, FOR_VECTORS
    vmovdqu64 STATE(\state, VECTORS + 64 * \n), %zmm\n
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kmovq STATE(\state, MASKS + 8 * \n), %k\n
    .endr
    .endm
#elif VECTOR_BYTES == 32
    .macro store_vectors state
    .irp n, FOR_VECTORS
    vmovdqu %ymm\n, STATE(\state, VECTORS + 64 * \n)
    .endr
    vzeroupper
    .endm
    .macro load_vectors state
    .irp n, FOR_VECTORS
    vmovdqu STATE(\state, VECTORS + 64 * \n), %ymm\n
    .endr
    .endm
#else
    .macro store_vectors state
    .endm
    .macro load_vectors state
    .endm
#endif

    /* The general registers, in the order of the state block. */
#ifdef __x86_64__
    .macro general does, state
    \does rax, STATE(\state, 0)
    \does rbx, STATE(\state, 8)
    \does rcx, STATE(\state, 16)
    \does rdx, STATE(\state, 24)
    \does rsi, STATE(\state, 32)
    \does rdi, STATE(\state, 40)
    \does rbp, STATE(\state, 48)
    \does rsp, STATE(\state, 56)
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    \does r\n, STATE(\state, 8 * \n)
    .endr
    .endm
#else
    .macro general does, state
    \does eax, STATE(\state, 0)
    \does ebx, STATE(\state, 4)
    \does ecx, STATE(\state, 8)
    \does edx, STATE(\state, 12)
    \does esi, STATE(\state, 16)
    \does edi, STATE(\state, 20)
    \does ebp, STATE(\state, 24)
    \does esp, STATE(\state, 28)
    .endm
#endif
    .macro store register, address:vararg
    mov %\register, \address
    .endm
    .macro load register, address:vararg
    mov \address, %\register
    .endm

    .macro store_general state
    general store, \state
    .endm

#ifdef __x86_64__
    .macro store_mmx state
    .endm
    .macro load_mmx state
    .endm
#else
    /* fxsave counts from the top of the x87 stack, which code that mixes x87 and MMX leaves anywhere. The MMX registers
     * do not move with it; they stand where fxsave has xmm8 to xmm15 in 64-bit mode and nothing here. */
    .macro store_mmx state
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    movq %mm\n, STATE(\state, MM + 8 * \n)
    .endr
    .endm

    /* In the image that is loaded the top is register 0. The two share their bits; registers in use are x87's. */
    .macro load_mmx state
    cmpb $0, STATE(\state, FX + 4)
    jne 1f
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    mov STATE(\state, MM + 8 * \n), %eax
    mov %eax, STATE(\state, ST + 16 * \n)
    mov STATE(\state, MM + 8 * \n + 4), %eax
    mov %eax, STATE(\state, ST + 16 * \n + 4)
    .endr
1:
    .endm
#endif

    /* The rest of the state, on the driver's stack; then the floating-point units as a fresh process has them. */
    .macro store_rest state
    pushf
    cld
    pop AX
    and $0x400, %eax
    mov AX, STATE(\state, FLAGS)
    fxsave STATE(\state, FX)
    store_mmx \state
    store_vectors \state
    xor %eax, %eax
    mov %ax, STATE(\state, FX + 2)
    mov %ax, STATE(\state, FX + 6)
    mov %eax, STATE(\state, FX + 8)
    mov %eax, STATE(\state, FX + 12)
    mov %eax, STATE(\state, FX + 16)
    mov %eax, STATE(\state, FX + 20)
    mov %eax, STATE(\state, FX + 28)
    andl $0xffc0, STATE(\state, FX + 24)
    fninit
    ldmxcsr DATA(default_mxcsr)
    .endm

    .macro load_all state
    load_mmx \state
    fxrstor STATE(\state, FX)
    load_vectors \state
    general load, \state
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
_start:
    lea DATA(driver_stack_top), RSP
/* prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT): compiled code may read, write and exit, and not kill who called it. */
#ifdef __x86_64__
    mov $157, %eax
    mov $22, %edi
    mov $1, %esi
    syscall
#else
    mov $172, %eax
    mov $22, %ebx
    mov $1, %ecx
    int $0x80
#endif
    call abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * The target is in memory: a callee may take arguments in any register (al counts vector registers for a variadic one).
 * It may also take arguments off the stack as it returns, so our own stack is found again by driver_sp only. */
abi_enter:
#ifdef __x86_64__
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rdi, target(%rip)
    sub $8, %rsp
#else
    push %ebx
    push %ebp
    push %esi
    push %edi
    mov 20(%esp), %eax
    mov %eax, target
    sub $12, %esp
#endif
    mov RSP, DATA(driver_sp)
    load_all ENTER
    cld
    call *DATA(target)
    store_general LEFT
    mov DATA(driver_sp), RSP
    store_rest LEFT
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    mov DATA(driver_sp), RSP
#ifdef __x86_64__
    add $8, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
#else
    add $12, %esp
    pop %edi
    pop %esi
    pop %ebp
    pop %ebx
#endif
    ret

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * The driver has put the return address where the stack pointer returns to; the host asks for copies of what a call
 * preserves. */
    .balign 2 /* as a pointer to a member function wants it */
abi_capture:
    store_general CAPTURED
    mov DATA(driver_sp), RSP
    store_rest CAPTURED
    call abi_captured
    load_all RETURNS
    ret

#ifdef __x86_64__
abi_read:
    mov %rsi, %rdx
    mov %rdi, %rsi
    xor %edi, %edi
    xor %eax, %eax
    syscall
    ret

abi_write:
    mov %rsi, %rdx
    mov %rdi, %rsi
    mov $1, %edi
    mov $1, %eax
    syscall
    ret

abi_exit:
#ifdef IN_LIBRARY /* with the threads of the library: exit_group */
    mov $231, %eax
#else
    mov $60, %eax
#endif
    syscall
#else
abi_read:
    push %ebx
    xor %ebx, %ebx
    mov 8(%esp), %ecx
    mov 12(%esp), %edx
    mov $3, %eax
    int $0x80
    pop %ebx
    ret

abi_write:
    push %ebx
    mov $1, %ebx
    mov 8(%esp), %ecx
    mov 12(%esp), %edx
    mov $4, %eax
    int $0x80
    pop %ebx
    ret

abi_exit:
    mov 4(%esp), %ebx
    mov $1, %eax
    int $0x80
#endif

    .section .rodata
    .balign 4
default_mxcsr:
    .long 0x1f80

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero WORD
target:
    .zero WORD

    .section .note.GNU-stack, "", @progbits
