/* Registers and system calls of m68k for the driver (driver.c), with the floating-point registers of the 68881.
 *
 * A state block is d0 to d7, a0 to a7, and fp0 to fp7, each as fmovem has it in 12 bytes. Of these two in the middle hold
 * nothing: the exponent is moved over them, so that the 10 bytes which count are in a row. Blocks are addressed absolutely, so
 * that every register can be stored and loaded without spoiling another.
 */

#define ENTER_STATE abi_states
#define LEFT_STATE abi_states + STATE_BYTES
#define CAPTURED_STATE abi_states + 2 * STATE_BYTES
#define RETURNS_STATE abi_states + 3 * STATE_BYTES
#define REALS 64
#define FP(n) (REALS + 12 * (n))

    .macro store_all state
    movem.l %d0-%d7/%a0-%a7, \state
    fmovem.x %fp0-%fp7, \state + REALS
    .irp n, 0,1,2,3,4,5,6,7
    move.w \state + FP(\n), \state + FP(\n) + 2
    .endr
    .endm

    .macro load_all state
    .irp n, 0,1,2,3,4,5,6,7
    move.w \state + FP(\n) + 2, \state + FP(\n)
    .endr
    fmovem.x \state + REALS, %fp0-%fp7
    movem.l \state, %d0-%d7/%a0-%a7
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
    .type _start, @function
    .type abi_enter, @function
    .type abi_leave, @function
    .type abi_capture, @function
    .type abi_read, @function
    .type abi_write, @function
    .type abi_exit, @function
_start:
    move.l #driver_stack_top, %sp
    jsr abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. The target is in memory behind a
 * jump: no register is free. It may take arguments off the stack, so that our own stack is found again by driver_sp only. */
abi_enter:
    move.l 4(%sp), target
    movem.l %d2-%d7/%a2-%a6, -(%sp)
    fmovem.x %fp2-%fp7, -(%sp)
    move.l %sp, driver_sp
    load_all ENTER_STATE
    jsr ([target])
    store_all LEFT_STATE
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    move.l driver_sp, %sp
    fmovem.x (%sp)+, %fp2-%fp7
    movem.l (%sp)+, %d2-%d7/%a2-%a6
    rts

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * The driver has put the return address where the stack pointer returns to; the host asks for copies of what a call
 * preserves. */
abi_capture:
    store_all CAPTURED_STATE
    move.l driver_sp, %sp
    jsr abi_captured
    load_all RETURNS_STATE
    rts

abi_read:
    movem.l %d2-%d3, -(%sp)
    moveq #3, %d0
    moveq #0, %d1
    move.l 12(%sp), %d2
    move.l 16(%sp), %d3
    trap #0
    movem.l (%sp)+, %d2-%d3
    rts

abi_write:
    movem.l %d2-%d3, -(%sp)
    moveq #4, %d0
    moveq #1, %d1
    move.l 12(%sp), %d2
    move.l 16(%sp), %d3
    trap #0
    movem.l (%sp)+, %d2-%d3
    rts

abi_exit:
    moveq #1, %d0
    move.l 4(%sp), %d1
    trap #0

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
