/* Registers and system calls of LoongArch for the driver (driver.c): LA64 with double precision.
 *
 * r21, which is reserved and which nobody allocates, is the anchor: it holds the address of captured_state from _start on,
 * so that every register can be stored and loaded without spoiling another. tp is nobody's. Both are stored, never loaded.
 */

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define R(n) (8 * (n))
#define F(n) (256 + 8 * (n))

/* What abi_enter saves: ra, fp and s0-s8 (r22-r31), fs0-fs7 (f24-f31). */
#define FRAME (8 * 20)

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
    \operation $r\n, $sp, 8 * (\n - 22) + 8
    .endr
    .irp n, 24,25,26,27,28,29,30,31
    \floating $f\n, $sp, 8 * (\n - 24) + 88
    .endr
    .endm

    .macro store_all state
    st.d $ra, $r21, \state + R(1)
    st.d $tp, $r21, \state + R(2)
    st.d $sp, $r21, \state + R(3)
    st.d $r21, $r21, \state + R(21)
    each_general st.d, \state
    each_floating fst.d, \state
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
_start:
    la.pcrel $r21, abi_states
    addi.d $r21, $r21, 2 * STATE_BYTES
    la.pcrel $sp, driver_stack_top
    b abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * `jirl $ra, $ra, 0` takes its target from the one register that a call overwrites anyway. */
abi_enter:
    addi.d $sp, $sp, -FRAME
    st.d $ra, $sp, 0
    each_saved st.d, fst.d
    la.pcrel $t0, driver_sp
    st.d $sp, $t0, 0
    move $ra, $a0
    each_floating fld.d, ENTER_STATE
    ld.d $sp, $r21, ENTER_STATE + R(3)
    each_general ld.d, ENTER_STATE
    jirl $ra, $ra, 0
    store_all LEFT_STATE
abi_leave:
    la.pcrel $t0, driver_sp
    ld.d $sp, $t0, 0
    each_saved ld.d, fld.d
    ld.d $ra, $sp, 0
    addi.d $sp, $sp, FRAME
    jr $ra

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * sp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED_STATE
    la.pcrel $t0, driver_sp
    ld.d $sp, $t0, 0
    bl abi_captured
    each_floating fld.d, RETURNS_STATE
    ld.d $ra, $r21, CAPTURED_STATE + R(1)
    ld.d $sp, $r21, RETURNS_STATE + R(3)
    each_general ld.d, RETURNS_STATE
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
