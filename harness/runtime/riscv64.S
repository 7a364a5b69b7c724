/* Registers and system calls of RV64GC for the driver (driver.c).
 *
 * gp is the anchor: it holds the address of captured_state from _start on, so that every register can be stored
 * and loaded without spoiling another. Compiled code never writes gp, and reads it only after linker relaxation,
 * which the link turns off. tp is nobody's and is left alone. Both are stored, never loaded.
 */

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define X(n) (8 * (n))
#define F(n) (256 + 8 * (n))

    .macro each_general operation, state
    .irp n, 5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \operation x\n, \state + X(\n)(gp)
    .endr
    .endm

    .macro each_float operation, state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \operation f\n, \state + F(\n)(gp)
    .endr
    .endm

    .macro store_all state
    sd ra, \state + X(1)(gp)
    sd sp, \state + X(2)(gp)
    sd gp, \state + X(3)(gp)
    sd tp, \state + X(4)(gp)
    each_general sd, \state
    each_float fsd, \state
    .endm

    .text
    .globl _start, abi_enter, abi_capture, abi_read, abi_write, abi_exit
_start:
    lla gp, abi_states + 2 * STATE_BYTES
    lla sp, driver_stack_top
    j abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * `jalr ra, 0(ra)` takes its target from the one register that a call overwrites anyway: no temporary is lost. */
abi_enter:
    addi sp, sp, -208
    sd ra, 0(sp)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    sd s\n, 8 + 8 * \n(sp)
    fsd fs\n, 104 + 8 * \n(sp)
    .endr
    lla t0, driver_sp
    sd sp, 0(t0)
    mv ra, a0
    each_float fld, ENTER_STATE
    ld sp, ENTER_STATE + X(2)(gp)
    each_general ld, ENTER_STATE
    jalr ra, 0(ra)
    store_all LEFT_STATE
    lla t0, driver_sp
    ld sp, 0(t0)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    ld s\n, 8 + 8 * \n(sp)
    fld fs\n, 104 + 8 * \n(sp)
    .endr
    ld ra, 0(sp)
    addi sp, sp, 208
    ret

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * sp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED_STATE
    lla t0, driver_sp
    ld sp, 0(t0)
    call abi_captured
    each_float fld, RETURNS_STATE
    ld ra, CAPTURED_STATE + X(1)(gp)
    ld sp, RETURNS_STATE + X(2)(gp)
    each_general ld, RETURNS_STATE
    ret

abi_read:
    mv a2, a1
    mv a1, a0
    li a0, 0
    li a7, 63
    ecall
    ret

abi_write:
    mv a2, a1
    mv a1, a0
    li a0, 1
    li a7, 64
    ecall
    ret

abi_exit:
    li a7, 93
    ecall

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 8

    .section .note.GNU-stack, "", @progbits
