/* Registers and system calls of x86-64 with SSE2 and x87 for the driver (driver.c).
 *
 * A state block is the sixteen general registers, the flags, and an fxsave image; states are addressed relative to
 * rip, so that every register can be stored and loaded without spoiling another. Of the flags only DF means
 * anything at a call. From the fxsave image we clear what the written ABI gives no meaning and processors and
 * emulators disagree about: status words, exception flags, the addresses of the last x87 instruction.
 *
 * With VECTOR_BYTES (32: AVX, 64: AVX-512) the vector registers whole follow, 64 bytes for each of sixteen, and the
 * mask registers; they are loaded over what the fxsave image has of them.
 */

#define STATE(k, offset) abi_states + (k) * STATE_BYTES + (offset)(%rip)
#define ENTER 0
#define LEFT 1
#define CAPTURED 2
#define RETURNS 3
#define RSP 56
#define RFLAGS 128
#define FX 144
#define VECTORS 704
#define MASKS 1728

#if VECTOR_BYTES == 64
#define FOR_VECTORS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
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
#define FOR_VECTORS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
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

    .macro store_general state
    mov %rax, STATE(\state, 0)
    mov %rbx, STATE(\state, 8)
    mov %rcx, STATE(\state, 16)
    mov %rdx, STATE(\state, 24)
    mov %rsi, STATE(\state, 32)
    mov %rdi, STATE(\state, 40)
    mov %rbp, STATE(\state, 48)
    mov %rsp, STATE(\state, RSP)
    mov %r8, STATE(\state, 64)
    mov %r9, STATE(\state, 72)
    mov %r10, STATE(\state, 80)
    mov %r11, STATE(\state, 88)
    mov %r12, STATE(\state, 96)
    mov %r13, STATE(\state, 104)
    mov %r14, STATE(\state, 112)
    mov %r15, STATE(\state, 120)
    .endm

    /* The rest of the state, on the driver's stack; then the floating-point units as a fresh process has them. */
    .macro store_rest state
    pushfq
    cld
    pop %rax
    and $0x400, %eax
    mov %rax, STATE(\state, RFLAGS)
    fxsave STATE(\state, FX)
    store_vectors \state
    xor %eax, %eax
    mov %ax, STATE(\state, FX + 2)
    mov %ax, STATE(\state, FX + 6)
    mov %rax, STATE(\state, FX + 8)
    mov %rax, STATE(\state, FX + 16)
    mov %eax, STATE(\state, FX + 28)
    andl $0xffc0, STATE(\state, FX + 24)
    fninit
    ldmxcsr default_mxcsr(%rip)
    .endm

    .macro load_all state
    fxrstor STATE(\state, FX)
    load_vectors \state
    mov STATE(\state, 0), %rax
    mov STATE(\state, 8), %rbx
    mov STATE(\state, 16), %rcx
    mov STATE(\state, 24), %rdx
    mov STATE(\state, 32), %rsi
    mov STATE(\state, 40), %rdi
    mov STATE(\state, 48), %rbp
    mov STATE(\state, RSP), %rsp
    mov STATE(\state, 64), %r8
    mov STATE(\state, 72), %r9
    mov STATE(\state, 80), %r10
    mov STATE(\state, 88), %r11
    mov STATE(\state, 96), %r12
    mov STATE(\state, 104), %r13
    mov STATE(\state, 112), %r14
    mov STATE(\state, 120), %r15
    .endm

    .text
    .globl _start, abi_enter, abi_capture, abi_read, abi_write, abi_exit
_start:
    lea driver_stack_top(%rip), %rsp
    call abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * The target is in memory: al counts vector registers for a variadic callee, so not even rax is free. */
abi_enter:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    sub $8, %rsp
    mov %rsp, driver_sp(%rip)
    mov %rdi, target(%rip)
    load_all ENTER
    cld
    call *target(%rip)
    store_general LEFT
    mov driver_sp(%rip), %rsp
    store_rest LEFT
    add $8, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * rsp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_general CAPTURED
    mov driver_sp(%rip), %rsp
    store_rest CAPTURED
    call abi_captured
    load_all RETURNS
    ret

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
    mov $60, %eax
    syscall

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
    .zero 8
target:
    .zero 8

    .section .note.GNU-stack, "", @progbits
