/* Registers and system calls of 64-bit MIPS for the driver (driver.c), by the n64 or the n32 convention of Linux.
 *
 * A state block is $0 to $31 and $f0 to $f31. k1, which is the kernel's and which no compiled code has a use for, is the
 * anchor: it holds the address of captured_state from _start on. k0, k1 and gp are stored, never loaded; a function is
 * entered through t9, as the convention has it.
 */

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define R(n) (8 * (n))
#define F(n) (256 + 8 * (n))

/* What abi_enter saves: ra, gp, s0-s7 ($16-$23), s8 ($30), $f24-$f31. */
#define FRAME (8 * 20)

/* An address in a register of n32 is 32 bits, extended by their sign: so %hi and %lo give it as they do below 2 GiB. */
#if _MIPS_SIM == _ABIN32
#define READ 6000
#define WRITE 6001
#define EXIT 6058
#else
#define READ 5000
#define WRITE 5001
#define EXIT 5058
#endif

    .set noat
    .set reorder

    /* All but zero, t9, k0, k1, gp and ra. */
    .macro each_general operation, state
    .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,29,30
    \operation $\n, \state + R(\n)($27)
    .endr
    .endm

    .macro each_real operation, state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \operation $f\n, \state + F(\n)($27)
    .endr
    .endm

    .macro each_kept general, real
    .irp n, 16,17,18,19,20,21,22,23
    \general $\n, 8 * (\n - 16)($29)
    .endr
    \general $28, 64($29)
    \general $30, 72($29)
    \general $31, 80($29)
    .irp n, 24,25,26,27,28,29,30,31
    \real $f\n, 88 + 8 * (\n - 24)($29)
    .endr
    .endm

    .macro store_all state
    each_general sd, \state
    sd $25, \state + R(25)($27)
    sd $31, \state + R(31)($27)
    each_real sdc1, \state
    .endm

    .macro load_all state
    each_real ldc1, \state
    each_general ld, \state
    .endm

    .macro own register
    lui \register, %hi(driver_sp)
    daddiu \register, \register, %lo(driver_sp)
    .endm

    .text
    .globl _start, __start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
    .type _start, @function
    .type abi_enter, @function
    .type abi_leave, @function
    .type abi_capture, @function
    .type abi_read, @function
    .type abi_write, @function
    .type abi_exit, @function
_start:
__start:
    lui $27, %hi(abi_states + 2 * STATE_BYTES)
    daddiu $27, $27, %lo(abi_states + 2 * STATE_BYTES)
    lui $29, %hi(driver_stack_top)
    daddiu $29, $29, %lo(driver_stack_top)
    jal abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. */
abi_enter:
    daddiu $29, $29, -FRAME
    each_kept sd, sdc1
    own $8
    sd $29, 0($8)
    move $25, $4
    load_all ENTER_STATE
    jalr $25
    store_all LEFT_STATE
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    own $8
    ld $29, 0($8)
    each_kept ld, ldc1
    daddiu $29, $29, FRAME
    jr $31

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * sp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED_STATE
    own $8
    ld $29, 0($8)
    jal abi_captured
    ld $31, CAPTURED_STATE + R(31)($27)
    load_all RETURNS_STATE
    jr $31

abi_read:
    move $6, $5
    move $5, $4
    li $4, 0
    li $2, READ
    syscall
    bnez $7, 1f
    jr $31
1:  li $2, -1
    jr $31

abi_write:
    move $6, $5
    move $5, $4
    li $4, 1
    li $2, WRITE
    syscall
    bnez $7, 1f
    jr $31
1:  li $2, -1
    jr $31

abi_exit:
    li $2, EXIT
    syscall

    .bss
    .balign 16
driver_stack:
    .space 65536
driver_stack_top:
driver_sp:
    .space 8

    .section .note.GNU-stack, "", @progbits
