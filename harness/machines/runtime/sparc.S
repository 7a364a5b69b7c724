/* Registers and system calls of 32-bit SPARC (V8) for the driver (driver.c).
 *
 * A state block is %g1 to %g7, %o0 to %o7, %l0 to %l7, %i0 to %i7, the floating-point registers, and whether an unimp
 * instruction follows the call. Ins and locals are loaded in the window of abi_enter alone, which gets them back from whatever
 * it calls; %i6 and %i7 lead back to the driver. Those of a caller that calls abi_capture stay its own. %g7, the thread
 * pointer, which no compiled code here has a use for, is the anchor: it holds the address of captured_state from _start on.
 */

#define ENTER_STATE (-2 * STATE_BYTES)
#define LEFT_STATE (-STATE_BYTES)
#define CAPTURED_STATE 0
#define RETURNS_STATE STATE_BYTES
#define G(n) (4 * (n))
#define O(n) (32 + 4 * (n))
#define L(n) (64 + 4 * (n))
#define I(n) (96 + 4 * (n))
#define F(n) (128 + 4 * (n))
#define UNIMP 256
#define FRAME 96
#define FLUSH_WINDOWS 3

    .macro each_real_stored state
    .irp n, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
    std %f\n, [%g7 + \state + F(\n)]
    .endr
    .endm

    .macro each_real_loaded state
    .irp n, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
    ldd [%g7 + \state + F(\n)], %f\n
    .endr
    .endm

    .macro store_all state
    .irp n, 1,2,3,4,5
    st %g\n, [%g7 + \state + G(\n)]
    .endr
    .irp n, 0,1,2,3,4,5,6,7
    st %o\n, [%g7 + \state + O(\n)]
    st %l\n, [%g7 + \state + L(\n)]
    st %i\n, [%g7 + \state + I(\n)]
    .endr
    each_real_stored \state
    .endm

    /* The globals but %g6 and %g7, the outs but %o7, the reals. The condition codes stay as they are. */
    .macro load_all state
    each_real_loaded \state
    .irp n, 0,1,2,3,4,5,6
    ld [%g7 + \state + O(\n)], %o\n
    .endr
    .irp n, 1,2,3,4,5
    ld [%g7 + \state + G(\n)], %g\n
    .endr
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
    .type _start, #function
    .type abi_enter, #function
    .type abi_leave, #function
    .type abi_capture, #function
    .type abi_read, #function
    .type abi_write, #function
    .type abi_exit, #function
#ifdef SIGNALS
    .type abi_system, #function
    .type abi_signal, #function
#endif
_start:
    sethi %hi(abi_states + 2 * STATE_BYTES), %g7
    or %g7, %lo(abi_states + 2 * STATE_BYTES), %g7
    sethi %hi(driver_stack_top), %g1
    or %g1, %lo(driver_stack_top), %g1
    sub %g1, FRAME, %sp
    call abi_main
    nop

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. A function that returns behind
 * an unimp instruction, or does not, where it should not, runs into one. */
abi_enter:
    save %sp, -FRAME, %sp
    sethi %hi(driver_sp), %g1
    st %sp, [%g1 + %lo(driver_sp)]
    .irp n, 0,1,2,3,4,5,6,7
    st %l\n, [%sp + 4 * \n]
    st %i\n, [%sp + 32 + 4 * \n]
    .endr
    mov %i0, %g6
    .irp n, 0,1,2,3,4,5,6,7
    ld [%g7 + ENTER_STATE + L(\n)], %l\n
    .endr
    .irp n, 0,1,2,3,4,5
    ld [%g7 + ENTER_STATE + I(\n)], %i\n
    .endr
    ldub [%g7 + ENTER_STATE + UNIMP], %g1
    orcc %g1, %g0, %g0
    load_all ENTER_STATE
    bne 1f
    nop
    jmpl %g6, %o7
    nop
    ba,a 2f
    unimp 0
1:  jmpl %g6, %o7
    nop
    unimp 0
2:  store_all LEFT_STATE
    sethi %hi(driver_sp), %g1
    ld [%g1 + %lo(driver_sp)], %sp
    ret
    restore
/* void abi_leave(void): return from abi_enter at once, from whichever window. Its own was written to its own frame. */
abi_leave:
    save %sp, -FRAME, %sp
    ta FLUSH_WINDOWS
    sethi %hi(driver_sp), %g1
    ld [%g1 + %lo(driver_sp)], %fp
    restore
    ret
    restore

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return, behind an unimp
 * instruction if there is one. %sp returns as it came; the driver copies it. The driver's frame lies below that of abi_enter,
 * which keeps its window. */
abi_capture:
    store_all CAPTURED_STATE
    ld [%o7 + 8], %g1
    srl %g1, 22, %g1
    subcc %g0, %g1, %g0
    subx %g0, -1, %g1
    stb %g1, [%g7 + CAPTURED_STATE + UNIMP]
    sethi %hi(driver_sp), %g1
    ld [%g1 + %lo(driver_sp)], %g1
    sub %g1, FRAME, %sp
    call abi_captured
    nop
    ld [%g7 + CAPTURED_STATE + O(7)], %o7
    ldub [%g7 + CAPTURED_STATE + UNIMP], %g1
    sll %g1, 2, %g1
    add %o7, %g1, %o7
    load_all RETURNS_STATE
    retl
    nop

abi_read:
    mov %o1, %o2
    mov %o0, %o1
    mov 0, %o0
    mov 3, %g1
    ta 0x10
    bcs,a 1f
    mov -1, %o0
1:  retl
    nop

abi_write:
    mov %o1, %o2
    mov %o0, %o1
    mov 1, %o0
    mov 4, %g1
    ta 0x10
    bcs,a 1f
    mov -1, %o0
1:  retl
    nop

abi_exit:
    mov 1, %g1
    ta 0x10

#ifdef SIGNALS
    .globl abi_system, abi_signal
/* long abi_system(long number, word, word, word, word). The fourth is behind the restorer, which nothing here returns to. */
abi_system:
    mov %o0, %g1
    mov %o1, %o0
    mov %o2, %o1
    mov %o3, %o2
    mov 0, %o3
    ta 0x10
    bcs,a 1f
    sub %g0, %o0, %o0
1:  retl
    nop

/* Where signals are handled, with their number in %o0. The call may have spoiled the anchor. */
abi_signal:
    sethi %hi(abi_states + 2 * STATE_BYTES), %g7
    or %g7, %lo(abi_states + 2 * STATE_BYTES), %g7
    call abi_signalled
    nop
    ba abi_leave
    nop
#endif

    .bss
    .balign 16
driver_stack:
    .skip 65536
driver_stack_top:
driver_sp:
    .skip 8

    .section .note.GNU-stack, "", @progbits
