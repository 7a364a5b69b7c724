/* Registers and system calls of Xtensa without register windows (CALL0) for the driver (driver.c).
 *
 * A state block is a0 to a15, of which a1 is the stack pointer. No register is an anchor: a0, which a call overwrites and a return
 * leaves as it was, has the address of the blocks when a state is stored behind a call, and at a capture memory below the stack pointer
 * keeps a2 meanwhile.
 */

#define ENTER_STATE 0
#define LEFT_STATE STATE_BYTES
#define CAPTURED_STATE (2 * STATE_BYTES)
#define RETURNS_STATE (3 * STATE_BYTES)
#define FRAME 32

    .macro each operation, base, state, registers:vararg
    .irp n, \registers
    \operation a\n, \base, \state + 4 * \n
    .endr
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
    .literal_position
    .literal states, abi_states
    .literal stack_top, driver_stack_top
    .literal saved_sp, driver_sp
    .literal main, abi_main
    .literal captured, abi_captured

    .align 4
_start:
    l32r a1, stack_top
    l32r a0, main
    callx0 a0

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. `callx0 a0` takes its target from
 * the one register that a call overwrites anyway. */
    .align 4
abi_enter:
    addi a1, a1, -FRAME
    s32i a0, a1, 0
    each s32i, a1, -40, 12,13,14,15
    l32r a3, saved_sp
    s32i a1, a3, 0
    mov a0, a2
    l32r a15, states
    each l32i, a15, ENTER_STATE, 1,2,3,4,5,6,7,8,9,10,11,12,13,14
    l32i a15, a15, ENTER_STATE + 60
    callx0 a0
    l32r a0, states
    each s32i, a0, LEFT_STATE, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
/* void abi_leave(void): return from abi_enter at once. */
    j abi_leave
    .align 4
abi_leave:
    l32r a3, saved_sp
    l32i a1, a3, 0
    each l32i, a1, -40, 12,13,14,15
    l32i a0, a1, 0
    addi a1, a1, FRAME
    ret

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return. The stack pointer may be at
 * no multiple of a word, so that a2 goes through memory byte by byte. */
    .align 4
abi_capture:
    addi a1, a1, -16
    .irp n, 0,1,2,3
    s8i a2, a1, \n
    srli a2, a2, 8
    .endr
    l32r a2, states
    each s32i, a2, CAPTURED_STATE, 0,3,4,5,6,7,8,9,10,11,12,13,14,15
    .irp n, 0,1,2,3
    l8ui a3, a1, \n
    s8i a3, a2, CAPTURED_STATE + 8 + \n
    .endr
    addi a1, a1, 16
    s32i a1, a2, CAPTURED_STATE + 4
    l32r a3, saved_sp
    l32i a1, a3, 0
    l32r a0, captured
    callx0 a0
    l32r a15, states
    l32i a0, a15, CAPTURED_STATE
    each l32i, a15, RETURNS_STATE, 1,2,3,4,5,6,7,8,9,10,11,12,13,14
    l32i a15, a15, RETURNS_STATE + 60
    ret

    .align 4
abi_read:
    mov a6, a2
    mov a4, a3
    mov a3, a6
    movi a6, 0
    movi a2, 12
    syscall
    ret

    .align 4
abi_write:
    mov a6, a2
    mov a4, a3
    mov a3, a6
    movi a6, 1
    movi a2, 13
    syscall
    ret

    .align 4
abi_exit:
    mov a6, a2
    movi a2, 118
    syscall

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 4

    .section .note.GNU-stack, "", @progbits
