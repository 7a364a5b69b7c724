/* Registers and system calls of i386 with SSE2, x87 and MMX for the driver (driver.c).
 *
 * A state block is the eight general registers, the flags, and an fxsave image; states have absolute addresses,
 * so that every register can be stored and loaded without spoiling another. What is cleared from the fxsave image
 * is the same as in x86_64.S, for the same reason.
 */

#define STATE(k, offset) abi_states + (k) * STATE_BYTES + (offset)
#define ENTER 0
#define LEFT 1
#define CAPTURED 2
#define RETURNS 3
#define ESP 28
#define EFLAGS 32
#define FX 48
#define VECTORS 576
#define MASKS 1088

#if VECTOR_BYTES == 64
#define FOR_VECTORS 0, 1, 2, 3, 4, 5, 6, 7
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
#define FOR_VECTORS 0, 1, 2, 3, 4, 5, 6, 7
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
    mov %eax, STATE(\state, 0)
    mov %ebx, STATE(\state, 4)
    mov %ecx, STATE(\state, 8)
    mov %edx, STATE(\state, 12)
    mov %esi, STATE(\state, 16)
    mov %edi, STATE(\state, 20)
    mov %ebp, STATE(\state, 24)
    mov %esp, STATE(\state, ESP)
    .endm

    /* The rest of the state, on the driver's stack; then the floating-point units as a fresh process has them. */
    .macro store_rest state
    pushf
    cld
    pop %eax
    and $0x400, %eax
    mov %eax, STATE(\state, EFLAGS)
    fxsave STATE(\state, FX)
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
    ldmxcsr default_mxcsr
    .endm

    .macro load_all state
    fxrstor STATE(\state, FX)
    load_vectors \state
    mov STATE(\state, 0), %eax
    mov STATE(\state, 4), %ebx
    mov STATE(\state, 8), %ecx
    mov STATE(\state, 12), %edx
    mov STATE(\state, 16), %esi
    mov STATE(\state, 20), %edi
    mov STATE(\state, 24), %ebp
    mov STATE(\state, ESP), %esp
    .endm

    .text
    .globl _start, abi_enter, abi_capture, abi_read, abi_write, abi_exit
_start:
    mov $driver_stack_top, %esp
    call abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * The target is in memory: a callee may take arguments in any register. It may also take arguments off the stack
 * as it returns, so our own stack is found again by driver_sp only. */
abi_enter:
    push %ebx
    push %ebp
    push %esi
    push %edi
    mov 20(%esp), %eax
    mov %eax, target
    sub $12, %esp
    mov %esp, driver_sp
    load_all ENTER
    cld
    call *target
    store_general LEFT
    mov driver_sp, %esp
    store_rest LEFT
    add $12, %esp
    pop %edi
    pop %esi
    pop %ebp
    pop %ebx
    ret

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * The driver has put the return address where esp returns to; the host asks for copies of what a call preserves. */
abi_capture:
    store_general CAPTURED
    mov driver_sp, %esp
    store_rest CAPTURED
    call abi_captured
    load_all RETURNS
    ret

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
    .zero 4
target:
    .zero 4

    .section .note.GNU-stack, "", @progbits
