/* Registers and system calls of 32-bit PowerPC for the driver (driver.c), with AltiVec.
 *
 * A state block is r0 to r31, f0 to f31, v0 to v31, the condition register, and bit 6 of that once more. r2, the thread
 * pointer, which no compiled code here has a use for, is the anchor: it holds the address of captured_state from _start on.
 * It is stored, never loaded. r13 would point to small data, of which there is none.
 */

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define R(n) (4 * (n))
#define F(n) (128 + 8 * (n))
#define V(n) (384 + 16 * (n))
#define LINK 896
#define CONDITION 900
#define CONDITION_BIT 904

/* What abi_enter saves: r13-r31, f14-f31 and v20-v31. */
#define SAVED_V 16
#define SAVED_F (SAVED_V + 16 * 12)
#define SAVED_R (SAVED_F + 8 * 18)
#define FRAME (SAVED_R + 4 * 19 + 4)

    .macro each_saved general, real, vector
    .irp n, 13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \general \n, SAVED_R + 4 * (\n - 13)(1)
    .endr
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \real \n, SAVED_F + 8 * (\n - 14)(1)
    .endr
    .irp n, 20,21,22,23,24,25,26,27,28,29,30,31
    li 11, SAVED_V + 16 * (\n - 20)
    \vector \n, 11, 1
    .endr
    .endm

    .macro each_real operation, state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \operation \n, \state + F(\n)(2)
    .endr
    .endm

    .macro each_vector operation, state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    li 11, \state + V(\n)
    \operation \n, 11, 2
    .endr
    .endm

    .macro store_all state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    stw \n, \state + R(\n)(2)
    .endr
    mflr 11
    stw 11, \state + LINK(2)
    mfcr 11
    stw 11, \state + CONDITION(2)
    rlwinm 11, 11, 7, 31, 31
    stb 11, \state + CONDITION_BIT(2)
    each_real stfd, \state
    each_vector stvx, \state
    .endm

    /* All but r2. */
    .macro load_all state
    each_vector lvx, \state
    each_real lfd, \state
    lwz 11, \state + CONDITION(2)
    lbz 12, \state + CONDITION_BIT(2)
    rlwimi 11, 12, 25, 6, 6
    mtcrf 0xff, 11
    .irp n, 0,1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    lwz \n, \state + R(\n)(2)
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
#ifdef SIGNALS
    .type abi_system, @function
    .type abi_signal, @function
#endif
_start:
    lis 2, (abi_states + 2 * STATE_BYTES)@ha
    addi 2, 2, (abi_states + 2 * STATE_BYTES)@l
    lis 1, driver_stack_top@ha
    addi 1, 1, driver_stack_top@l
    li 0, 0
    stwu 0, -16(1)
    bl abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. */
abi_enter:
    mflr 0
    stw 0, 4(1)
    stwu 1, -FRAME(1)
    mfcr 0
    stw 0, 8(1)
    each_saved stw, stfd, stvx
    lis 11, driver_sp@ha
    stw 1, driver_sp@l(11)
    mtctr 3
    load_all ENTER_STATE
    bctrl
    store_all LEFT_STATE
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    lis 11, driver_sp@ha
    lwz 1, driver_sp@l(11)
    each_saved lwz, lfd, lvx
    lwz 0, 8(1)
    mtcrf 0x38, 0
    addi 1, 1, FRAME
    lwz 0, 4(1)
    mtlr 0
    blr

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * r1 returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED_STATE
    lis 11, driver_sp@ha
    lwz 1, driver_sp@l(11)
    li 0, 0
    stwu 0, -16(1)
    bl abi_captured
    lwz 0, CAPTURED_STATE + LINK(2)
    mtlr 0
    load_all RETURNS_STATE
    blr

abi_read:
    mr 5, 4
    mr 4, 3
    li 3, 0
    li 0, 3
    sc
    bnslr
    neg 3, 3
    blr

abi_write:
    mr 5, 4
    mr 4, 3
    li 3, 1
    li 0, 4
    sc
    bnslr
    neg 3, 3
    blr

abi_exit:
    li 0, 1
    sc

#ifdef SIGNALS
    .globl abi_system, abi_signal
/* long abi_system(long number, word, word, word, word) */
abi_system:
    mr 0, 3
    mr 3, 4
    mr 4, 5
    mr 5, 6
    mr 6, 7
    sc
    bnslr
    neg 3, 3
    blr

/* Where signals are handled, with their number in r3. The call may have spoiled the anchor. */
abi_signal:
    lis 2, (abi_states + 2 * STATE_BYTES)@ha
    addi 2, 2, (abi_states + 2 * STATE_BYTES)@l
    stwu 1, -16(1)
    bl abi_signalled
    b abi_leave
#endif

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 4

    .section .note.GNU-stack, "", @progbits
