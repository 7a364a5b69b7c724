/* Registers and system calls of 32-bit MIPS for the driver (driver.c), by the o32 convention of Linux.
 *
 * A state block is $0 to $31 and $f0 to $f31, of which two are a double. k1, which is the kernel's and which no compiled code has a use for, is the
 * anchor: it holds the address of captured_state from _start on. k0, k1 and gp are stored, never loaded; a function is
 * entered through t9, as the convention has it.
 */

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define R(n) (4 * (n))
#define F(n) (128 + 4 * (n))

/* What abi_enter saves: ra, gp, s0-s7 ($16-$23), s8 ($30), $f20-$f31. */
#define FRAME (4 * 24)

/* The words behind it that a called function may write into. */
#define HOME 16

    .set noat
    .set reorder

    /* All but zero, t9, k0, k1, gp and ra. */
    .macro each_general operation, state
    .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,29,30
    \operation $\n, \state + R(\n)($27)
    .endr
    .endm

    .macro each_real operation, state
    .irp n, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
    \operation $f\n, \state + F(\n)($27)
    .endr
    .endm

    .macro each_kept general, real
    .irp n, 16,17,18,19,20,21,22,23
    \general $\n, 4 * (\n - 16)($29)
    .endr
    \general $28, 32($29)
    \general $30, 36($29)
    \general $31, 40($29)
    .irp n, 20,22,24,26,28,30
    \real $f\n, 48 + 4 * (\n - 20)($29)
    .endr
    .endm

    .macro store_all state
    each_general sw, \state
    sw $25, \state + R(25)($27)
    sw $31, \state + R(31)($27)
    each_real sdc1, \state
    .endm

    .macro load_all state
    each_real ldc1, \state
    each_general lw, \state
    .endm

    .macro own register
    lui \register, %hi(driver_sp)
    addiu \register, \register, %lo(driver_sp)
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
    addiu $27, $27, %lo(abi_states + 2 * STATE_BYTES)
    lui $29, %hi(driver_stack_top)
    addiu $29, $29, %lo(driver_stack_top)
    addiu $29, $29, -HOME
    jal abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. */
abi_enter:
    addiu $29, $29, -FRAME
    each_kept sw, sdc1
    own $8
    sw $29, 0($8)
    move $25, $4
    load_all ENTER_STATE
    jalr $25
    store_all LEFT_STATE
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    own $8
    lw $29, 0($8)
    each_kept lw, ldc1
    addiu $29, $29, FRAME
    jr $31

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * sp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED_STATE
    own $8
    lw $29, 0($8)
    addiu $29, $29, -HOME
    jal abi_captured
    lw $31, CAPTURED_STATE + R(31)($27)
    load_all RETURNS_STATE
    jr $31

abi_read:
    move $6, $5
    move $5, $4
    li $4, 0
    li $2, 4003
    syscall
    bnez $7, 1f
    jr $31
1:  li $2, -1
    jr $31

abi_write:
    move $6, $5
    move $5, $4
    li $4, 1
    li $2, 4004
    syscall
    bnez $7, 1f
    jr $31
1:  li $2, -1
    jr $31

abi_exit:
    li $2, 4001
    syscall

    .bss
    .balign 16
driver_stack:
    .space 65536
driver_stack_top:
driver_sp:
    .space 4

    .section .note.GNU-stack, "", @progbits
