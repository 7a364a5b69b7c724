/* Registers and system calls of s390x for the driver (driver.c).
 *
 * A state block is r0 to r15, and v0 to v31 whole, the left halves of the first sixteen of which are f0 to f15. r1 can be
 * stored to and loaded from an address that is in no register, so it holds the address of the block meanwhile. Of the
 * condition code, the access registers and fpc nothing is kept: they mean nothing at a call.
 */

#define ENTER 0
#define LEFT 1
#define CAPTURED 2
#define RETURNS 3
#define R(n) (8 * (n))
#define V(n) (128 + 16 * (n))

/* What abi_enter saves beside r6-r15, which have their slots in the caller's frame: f8-f15; and a frame of its own. */
#define REALS 160
#define FRAME (REALS + 8 * 8)

    .macro store_all state
    stgrl %r1, abi_states + (\state) * STATE_BYTES + R(1)
    larl %r1, abi_states + (\state) * STATE_BYTES
    stg %r0, R(0)(%r1)
    stmg %r2, %r15, R(2)(%r1)
    vstm %v0, %v15, V(0)(%r1)
    vstm %v16, %v31, V(16)(%r1)
    .endm

    /* All but r14. */
    .macro load_all state
    larl %r1, abi_states + (\state) * STATE_BYTES
    vlm %v0, %v15, V(0)(%r1)
    vlm %v16, %v31, V(16)(%r1)
    lg %r0, R(0)(%r1)
    lmg %r2, %r13, R(2)(%r1)
    lg %r15, R(15)(%r1)
    lgrl %r1, abi_states + (\state) * STATE_BYTES + R(1)
    .endm

    .macro each_real operation
    \operation %f8, REALS(%r15)
    \operation %f9, REALS + 8(%r15)
    \operation %f10, REALS + 16(%r15)
    \operation %f11, REALS + 24(%r15)
    \operation %f12, REALS + 32(%r15)
    \operation %f13, REALS + 40(%r15)
    \operation %f14, REALS + 48(%r15)
    \operation %f15, REALS + 56(%r15)
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
_start:
    larl %r15, driver_stack_top - 160
    jg abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state.
 * basr takes its target from the one register that a call overwrites anyway. */
abi_enter:
    stmg %r6, %r15, 48(%r15)
    aghi %r15, -FRAME
    each_real std
    stgrl %r15, driver_sp
    lgr %r14, %r2
    load_all ENTER
    basr %r14, %r14
    store_all LEFT
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    lgrl %r15, driver_sp
    each_real ld
    aghi %r15, FRAME
    lmg %r6, %r15, 48(%r15)
    br %r14

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * r15 returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED
    lgrl %r15, driver_sp
    aghi %r15, -160
    brasl %r14, abi_captured
    lgrl %r14, abi_states + CAPTURED * STATE_BYTES + R(14)
    load_all RETURNS
    br %r14

abi_read:
    lgr %r4, %r3
    lgr %r3, %r2
    lghi %r2, 0
    lghi %r1, 3
    svc 0
    br %r14

abi_write:
    lgr %r4, %r3
    lgr %r3, %r2
    lghi %r2, 1
    lghi %r1, 4
    svc 0
    br %r14

abi_exit:
    lghi %r1, 1
    svc 0

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 8

    .section .note.GNU-stack, "", @progbits
