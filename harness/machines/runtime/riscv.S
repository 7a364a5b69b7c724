/* Registers and system calls of RISC-V for the driver (driver.c): RV32 and RV64, with D, or E without floating point.
 *
 * gp is the anchor: it holds the address of captured_state from _start on, so that every register can be stored
 * and loaded without spoiling another. Compiled code never writes gp, and reads it only after linker relaxation,
 * which the link turns off. tp is nobody's and is left alone. Both are stored, never loaded.
 *
 * A state block has room for 32 registers of each kind whatever the processor has; with V, the vector registers of
 * 16 bytes follow.
 */

#if __riscv_xlen == 64
#define LX ld
#define SX sd
#else
#define LX lw
#define SX sw
#endif
#define XBYTES (__riscv_xlen / 8)

#ifdef __riscv_e
#define GENERAL 5,6,7,8,9,10,11,12,13,14,15
#define SAVED 0,1
/* RVE has no a7; a Linux that serves it looks here. */
#define SYSTEM_CALL t0
#else
#define GENERAL 5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
#define SAVED 0,1,2,3,4,5,6,7,8,9,10,11
#define SYSTEM_CALL a7
#endif

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define X(n) (XBYTES * (n))
#define F(n) (32 * XBYTES + 8 * (n))

/* What abi_enter saves: ra, s0-s11, fs0-fs11. */
#define S(n) (XBYTES * (1 + (n)))
#define FS(n) (16 * XBYTES + 8 * (n))
#define FRAME (16 * XBYTES + 8 * 12)

    .macro each_general operation, state
    .irp n, GENERAL
    \operation x\n, \state + X(\n)(gp)
    .endr
    .endm

    .macro each_float operation, state
#ifdef __riscv_flen
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \operation f\n, \state + F(\n)(gp)
    .endr
#endif
    .endm

    .macro each_saved operation, float_operation
    .irp n, SAVED
    \operation s\n, S(\n)(sp)
#ifdef __riscv_flen
    \float_operation fs\n, FS(\n)(sp)
#endif
    .endr
    .endm

/* t0 is stored before and loaded behind. */
    .macro each_vector operation, state
#ifdef __riscv_v
    addi t0, gp, \state + F(32)
    .irp n, 0,8,16,24
    \operation v\n, (t0)
    addi t0, t0, 128
    .endr
#endif
    .endm

    .macro store_all state
    SX ra, \state + X(1)(gp)
    SX sp, \state + X(2)(gp)
    SX gp, \state + X(3)(gp)
    SX tp, \state + X(4)(gp)
    each_general SX, \state
    each_float fsd, \state
    each_vector vs8r.v, \state
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
_start:
    lla gp, abi_states + 2 * STATE_BYTES
    lla sp, driver_stack_top
    j abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * `jalr ra, 0(ra)` takes its target from the one register that a call overwrites anyway: no temporary is lost. */
abi_enter:
    addi sp, sp, -FRAME
    SX ra, 0(sp)
    each_saved SX, fsd
    lla t0, driver_sp
    SX sp, 0(t0)
    mv ra, a0
    each_float fld, ENTER_STATE
    each_vector vl8re8.v, ENTER_STATE
    LX sp, ENTER_STATE + X(2)(gp)
    each_general LX, ENTER_STATE
    jalr ra, 0(ra)
    store_all LEFT_STATE
abi_leave:
    lla t0, driver_sp
    LX sp, 0(t0)
    each_saved LX, fld
    LX ra, 0(sp)
    addi sp, sp, FRAME
    ret

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * sp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED_STATE
    lla t0, driver_sp
    LX sp, 0(t0)
    call abi_captured
    each_float fld, RETURNS_STATE
    each_vector vl8re8.v, RETURNS_STATE
    LX ra, CAPTURED_STATE + X(1)(gp)
    LX sp, RETURNS_STATE + X(2)(gp)
    each_general LX, RETURNS_STATE
    ret

abi_read:
    mv a2, a1
    mv a1, a0
    li a0, 0
    li SYSTEM_CALL, 63
    ecall
    ret

abi_write:
    mv a2, a1
    mv a1, a0
    li a0, 1
    li SYSTEM_CALL, 64
    ecall
    ret

abi_exit:
    li SYSTEM_CALL, 93
    ecall

#ifdef SIGNALS
    .globl abi_system, abi_signal
/* long abi_system(long number, word, word, word, word) */
abi_system:
    mv SYSTEM_CALL, a0
    mv a0, a1
    mv a1, a2
    mv a2, a3
    mv a3, a4
    ecall
    ret

/* Where signals are handled, with their number in a0. The call may have spoiled the anchor. */
abi_signal:
    lla gp, abi_states + 2 * STATE_BYTES
    call abi_signalled
    j abi_leave
#endif

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 8

    .section .note.GNU-stack, "", @progbits
