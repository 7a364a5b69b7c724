/* Registers and system calls of AArch64 for the driver (driver.c).
 *
 * A state block is x0 to x30, sp, and v0 to v31 whole; with SVE, z0 to z31, which extend those, and p0 to p15. No
 * instruction stores to an address that is in no register, so x16 holds it; what was in x16 waits in tpidr_el0, which is
 * nobody's in a program without threads; beside a C library, whose it is, below the stack pointer. Of the flags and of
 * fpcr and fpsr nothing is kept: they mean nothing at a call.
 */

#define ENTER 0
#define LEFT 1
#define CAPTURED 2
#define RETURNS 3
#define X(n) (8 * (n))
#define SP X(31)
#define V(n) (256 + 16 * (n))

/* What abi_enter saves: x19-x30, d8-d15. */
#define FRAME (8 * 12 + 8 * 8)

    .macro address state, register
    adrp \register, abi_states + (\state) * STATE_BYTES
    add \register, \register, :lo12:abi_states + (\state) * STATE_BYTES
    .endm

    /* Under ILP32 what is above an address or a size is unspecified. */
    .macro move_word to, from
#ifdef __ILP32__
    mov w\to, w\from
#else
    mov x\to, x\from
#endif
    .endm

    .macro each_vector operation
    .irp n, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
    each_pair \operation, \n
    .endr
    .endm

    .macro each_pair operation, n
    .altmacro
    one_pair \operation, %(\n), %(\n + 1)
    .noaltmacro
    .endm

    .macro one_pair operation, n, next
    \operation q\n, q\next, [x16, #V(\n)]
    .endm

    /* With SVE. x17 is stored before and loaded behind. */
    .macro each_scalable operation
    add x17, x16, #V(0)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \operation z\n, [x17, #\n, mul vl]
    .endr
    addvl x17, x17, #16
    addvl x17, x17, #16
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    \operation p\n, [x17, #\n, mul vl]
    .endr
    .endm

    /* All but x16, x17, x30 and sp. */
    .macro each_general operation
    \operation x0, x1, [x16, #X(0)]
    \operation x2, x3, [x16, #X(2)]
    \operation x4, x5, [x16, #X(4)]
    \operation x6, x7, [x16, #X(6)]
    \operation x8, x9, [x16, #X(8)]
    \operation x10, x11, [x16, #X(10)]
    \operation x12, x13, [x16, #X(12)]
    \operation x14, x15, [x16, #X(14)]
    \operation x18, x19, [x16, #X(18)]
    \operation x20, x21, [x16, #X(20)]
    \operation x22, x23, [x16, #X(22)]
    \operation x24, x25, [x16, #X(24)]
    \operation x26, x27, [x16, #X(26)]
    \operation x28, x29, [x16, #X(28)]
    .endm

#ifdef IN_LIBRARY
    .macro put_aside register
    str \register, [sp, #-16]
    .endm
    .macro take_back register
    ldr \register, [sp, #-16]
    .endm
#else
    .macro put_aside register
    msr tpidr_el0, \register
    .endm
    .macro take_back register
    mrs \register, tpidr_el0
    .endm
#endif

    .macro store_all state
    put_aside x16
    address \state, x16
    each_general stp
    str x17, [x16, #X(17)]
    take_back x17
    str x17, [x16, #X(16)]
    mov x17, sp
    stp x30, x17, [x16, #X(30)]
#ifdef __ARM_FEATURE_SVE
    each_scalable str
#else
    each_vector stp
#endif
    .endm

    /* All but x30. */
    .macro load_all state
    address \state, x16
#ifdef __ARM_FEATURE_SVE
    each_scalable ldr
#else
    each_vector ldp
#endif
    ldr x17, [x16, #SP]
    mov sp, x17
    each_general ldp
    ldp x16, x17, [x16, #X(16)]
    .endm

    .macro each_saved operation
    \operation x19, x20, [sp, #0]
    \operation x21, x22, [sp, #16]
    \operation x23, x24, [sp, #32]
    \operation x25, x26, [sp, #48]
    \operation x27, x28, [sp, #64]
    \operation x29, x30, [sp, #80]
    \operation d8, d9, [sp, #96]
    \operation d10, d11, [sp, #112]
    \operation d12, d13, [sp, #128]
    \operation d14, d15, [sp, #144]
    .endm

    .macro to_driver_stack
    adrp x17, driver_sp
    ldr x17, [x17, #:lo12:driver_sp]
    mov sp, x17
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
_start:
    adrp x16, driver_stack_top
    add x16, x16, #:lo12:driver_stack_top
    mov sp, x16
    b abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * blr takes its target from the one register that a call overwrites anyway. */
abi_enter:
    sub sp, sp, #FRAME
    each_saved stp
    mov x16, sp
    adrp x17, driver_sp
    str x16, [x17, #:lo12:driver_sp]
    move_word 30, 0
    load_all ENTER
    blr x30
    store_all LEFT
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    to_driver_stack
    each_saved ldp
    add sp, sp, #FRAME
    ret

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * sp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED
    to_driver_stack
    bl abi_captured
    address CAPTURED, x16
    ldr x30, [x16, #X(30)]
    load_all RETURNS
    ret

abi_read:
    move_word 2, 1
    move_word 1, 0
    mov x0, #0
    mov x8, #63
    svc #0
    ret

abi_write:
    move_word 2, 1
    move_word 1, 0
    mov x0, #1
    mov x8, #64
    svc #0
    ret

abi_exit:
    mov x8, #93
    svc #0

#ifdef SIGNALS
    .globl abi_system, abi_signal
/* long abi_system(long number, word, word, word, word) */
abi_system:
    mov x8, x0
    mov x0, x1
    mov x1, x2
    mov x2, x3
    mov x3, x4
    svc #0
    ret

/* Where signals are handled, with their number in x0. */
abi_signal:
    bl abi_signalled
    b abi_leave
#endif

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 8

    .section .note.GNU-stack, "", @progbits
