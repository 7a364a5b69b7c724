/* Registers and system calls of LoongArch for the driver (driver.c): LA64 and LA32, with double or single precision.
 *
 * r21, which is reserved and which nobody allocates, is the anchor: it holds the address of captured_state from _start on,
 * so that every register can be stored and loaded without spoiling another. tp is nobody's. Both are stored, never loaded.
 */

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define R(n) (WORD * (n))
#define F(n) (32 * WORD + 8 * (n))

#if __loongarch_grlen == 32
#define WORD 4
#define STORE st.w
#define LOAD ld.w
#define ADD addi.w
#define ADDRESS la.abs
#else
#define WORD 8
#define STORE st.d
#define LOAD ld.d
#define ADD addi.d
#define ADDRESS la.pcrel
#endif

#if __loongarch_frlen == 32
#define STORE_FLOATING fst.s
#define LOAD_FLOATING fld.s
#else
#define STORE_FLOATING fst.d
#define LOAD_FLOATING fld.d
#endif

/* What abi_enter saves: ra, fp and s0-s8 (r22-r31), fs0-fs7 (f24-f31). */
#define FRAME (8 * 20)
#define SAVED(n) (WORD * ((n) - 22) + 8)
#define SAVED_FLOATING(n) (8 * ((n) - 24) + 88)

    /* All but zero, ra, tp, sp and r21. */
    .macro each_general operation, state
    .irp n, 4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,22,23,24,25,26,27,28,29,30,31
    \operation $r\n, $r21, \state + R(\n)
    .endr
    .endm

    .macro each_floating operation, state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \operation $f\n, $r21, \state + F(\n)
    .endr
    .endm

    .macro each_saved operation, floating
    .irp n, 22,23,24,25,26,27,28,29,30,31
    \operation $r\n, $sp, SAVED(\n)
    .endr
    .irp n, 24,25,26,27,28,29,30,31
    \floating $f\n, $sp, SAVED_FLOATING(\n)
    .endr
    .endm

    .macro store_all state
    STORE $ra, $r21, \state + R(1)
    STORE $tp, $r21, \state + R(2)
    STORE $sp, $r21, \state + R(3)
    STORE $r21, $r21, \state + R(21)
    each_general STORE, \state
    each_floating STORE_FLOATING, \state
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
_start:
    ADDRESS $r21, abi_states
    ADD $r21, $r21, 2 * STATE_BYTES
    ADDRESS $sp, driver_stack_top
    b abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * `jirl $ra, $ra, 0` takes its target from the one register that a call overwrites anyway. */
abi_enter:
    ADD $sp, $sp, -FRAME
    STORE $ra, $sp, 0
    each_saved STORE, STORE_FLOATING
    ADDRESS $t0, driver_sp
    STORE $sp, $t0, 0
    move $ra, $a0
    each_floating LOAD_FLOATING, ENTER_STATE
    LOAD $sp, $r21, ENTER_STATE + R(3)
    each_general LOAD, ENTER_STATE
    jirl $ra, $ra, 0
    store_all LEFT_STATE
abi_leave:
    ADDRESS $t0, driver_sp
    LOAD $sp, $t0, 0
    each_saved LOAD, LOAD_FLOATING
    LOAD $ra, $sp, 0
    ADD $sp, $sp, FRAME
    jr $ra

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * sp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED_STATE
    ADDRESS $t0, driver_sp
    LOAD $sp, $t0, 0
    bl abi_captured
    each_floating LOAD_FLOATING, RETURNS_STATE
    LOAD $ra, $r21, CAPTURED_STATE + R(1)
    LOAD $sp, $r21, RETURNS_STATE + R(3)
    each_general LOAD, RETURNS_STATE
    jr $ra

abi_read:
    move $a2, $a1
    move $a1, $a0
    li.w $a0, 0
    li.w $a7, 63
    syscall 0
    jr $ra

abi_write:
    move $a2, $a1
    move $a1, $a0
    li.w $a0, 1
    li.w $a7, 64
    syscall 0
    jr $ra

abi_exit:
    li.w $a7, 93
    syscall 0

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 8

    .section .note.GNU-stack, "", @progbits
