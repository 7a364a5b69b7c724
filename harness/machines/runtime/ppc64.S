/* Registers and system calls of 64-bit PowerPC for the driver (driver.c), from POWER8 on, by either ELF ABI.
 *
 * A state block is r0 to r31, f0 to f31 and v0 to v31; the right halves of the vector registers that f0 to f31 are the left
 * halves of hold no argument. r13, the thread pointer, which no compiled code here has a use for, is the anchor: it holds
 * the address of captured_state from _start on. r2 is the address of the one table of contents, and r12, by ELFv2, that
 * of the function entered. The three are stored, never loaded.
 */

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define R(n) (8 * (n))
#define F(n) (256 + 8 * (n))
#define V(n) (512 + 16 * (n))
#define LINK 1024

/* What abi_enter saves above the header of its frame: r14-r31, f14-f31, v20-v31. */
#define SAVED_R 48
#define SAVED_F (SAVED_R + 8 * 18)
#define SAVED_V (SAVED_F + 8 * 18)
#define FRAME (SAVED_V + 16 * 12)

#if _CALL_ELF == 2
#define ENTRY(name) .globl name; .type name, @function; name:
#else
/* A function is known by the address of a descriptor. */
#define ENTRY(name) .section .opd, "aw"; .balign 8; .globl name; .type name, @function; \
    name: .quad .L##name, .TOC.@tocbase, 0; .previous; .L##name:
#endif

    .macro each_saved general, real, vector
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \general \n, SAVED_R + 8 * (\n - 14)(1)
    \real \n, SAVED_F + 8 * (\n - 14)(1)
    .endr
    .irp n, 20,21,22,23,24,25,26,27,28,29,30,31
    li 11, SAVED_V + 16 * (\n - 20)
    \vector \n, 11, 1
    .endr
    .endm

    .macro each_real operation, state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \operation \n, \state + F(\n)(13)
    .endr
    .endm

    .macro each_vector operation, state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    li 11, \state + V(\n)
    \operation \n, 11, 13
    .endr
    .endm

    .macro store_all state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    std \n, \state + R(\n)(13)
    .endr
    mflr 11
    std 11, \state + LINK(13)
    each_real stfd, \state
    each_vector stvx, \state
    .endm

    /* All but r2, r12 and r13. */
    .macro load_all state
    each_vector lvx, \state
    each_real lfd, \state
    .irp n, 0,1,3,4,5,6,7,8,9,10,11,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    ld \n, \state + R(\n)(13)
    .endr
    .endm

    .macro contents
    lis 2, .TOC.@ha
    addi 2, 2, .TOC.@l
    .endm

    .text
ENTRY(_start)
    contents
    lis 13, (abi_states + 2 * STATE_BYTES)@ha
    addi 13, 13, (abi_states + 2 * STATE_BYTES)@l
    lis 1, driver_stack_top@ha
    addi 1, 1, driver_stack_top@l
    li 0, 0
    stdu 0, -64(1)
    bl abi_main
    nop

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. */
ENTRY(abi_enter)
    mflr 0
    std 0, 16(1)
    mfcr 0
    stw 0, 8(1)
    stdu 1, -FRAME(1)
    each_saved std, stfd, stvx
    lis 11, driver_sp@ha
    std 1, driver_sp@l(11)
#if _CALL_ELF == 2
    mr 12, 3
#else
    ld 12, 0(3)
    ld 2, 8(3)
#endif
    mtctr 12
    load_all ENTER_STATE
    bctrl
    store_all LEFT_STATE
    b .Lleave
/* void abi_leave(void): return from abi_enter at once. */
ENTRY(abi_leave)
.Lleave:
    contents
    lis 11, driver_sp@ha
    ld 1, driver_sp@l(11)
    each_saved ld, lfd, lvx
    addi 1, 1, FRAME
    lwz 0, 8(1)
    mtcrf 0x38, 0
    ld 0, 16(1)
    mtlr 0
    blr

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * r1 returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
ENTRY(abi_capture)
    store_all CAPTURED_STATE
    contents
    lis 11, driver_sp@ha
    ld 1, driver_sp@l(11)
    li 0, 0
    stdu 0, -64(1)
    bl abi_captured
    nop
    ld 0, CAPTURED_STATE + LINK(13)
    mtlr 0
    load_all RETURNS_STATE
    blr

ENTRY(abi_read)
    mr 5, 4
    mr 4, 3
    li 3, 0
    li 0, 3
    sc
    bnslr
    neg 3, 3
    blr

ENTRY(abi_write)
    mr 5, 4
    mr 4, 3
    li 3, 1
    li 0, 4
    sc
    bnslr
    neg 3, 3
    blr

ENTRY(abi_exit)
    li 0, 1
    sc

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 8

    .section .note.GNU-stack, "", @progbits
