/* Registers and system calls of Hexagon for the driver (driver.c), and the functions of a compiler's library.
 *
 * A state block is r0 to r31, and the predicates p3:0 as one word. Blocks are addressed absolutely, so that every register can
 * be stored and loaded without spoiling another.
 */

#define ENTER_STATE abi_states
#define LEFT_STATE abi_states + STATE_BYTES
#define CAPTURED_STATE abi_states + 2 * STATE_BYTES
#define RETURNS_STATE abi_states + 3 * STATE_BYTES
#define R(n) (4 * (n))
#define PREDICATES R(32)
#define READ 63
#define WRITE 64
#define EXIT 93

    .macro store_all state
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    memw(##\state + R(\n)) = r\n
    .endr
    r0 = p3:0
    memw(##\state + PREDICATES) = r0
    .endm

    .macro load_all state
    r0 = memw(##\state + PREDICATES)
    p3:0 = r0
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
    r\n = memw(##\state + R(\n))
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
_start:
    r29 = ##driver_stack_top
    r30 = #0
    jump abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. The target is in the one register
 * that a call overwrites anyway. */
abi_enter:
    allocframe(#48)
    memd(r29+#0) = r17:16
    memd(r29+#8) = r19:18
    memd(r29+#16) = r21:20
    memd(r29+#24) = r23:22
    memd(r29+#32) = r25:24
    memd(r29+#40) = r27:26
    memw(##driver_sp) = r29
    r31 = r0
    load_all ENTER_STATE
    callr r31
    store_all LEFT_STATE
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    r29 = memw(##driver_sp)
    r17:16 = memd(r29+#0)
    r19:18 = memd(r29+#8)
    r21:20 = memd(r29+#16)
    r23:22 = memd(r29+#24)
    r25:24 = memd(r29+#32)
    r27:26 = memd(r29+#40)
    r30 = add(r29, #48)
    dealloc_return

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * The host asks for copies of what a call preserves; the return address is where it came. */
abi_capture:
    store_all CAPTURED_STATE
    r29 = memw(##driver_sp)
    call abi_captured
    load_all RETURNS_STATE
    r31 = memw(##CAPTURED_STATE + R(31))
    jumpr r31

abi_read:
    r2 = r1
    r1 = r0
    r0 = #0
    r6 = #READ
    trap0(#1)
    jumpr r31

abi_write:
    r2 = r1
    r1 = r0
    r0 = #1
    r6 = #WRITE
    trap0(#1)
    jumpr r31

abi_exit:
    r6 = #EXIT
    trap0(#1)

/* Clang has these save and restore registers below the frame pointer, and copy words (__hexagon_...). */
#define BELOW(n) r30+#-8*(n)

    .macro function name
    .globl \name
    .type \name, @function
\name:
    .endm

    .macro move_pairs operation, last
    \operation r17:16, 1
    .if \last > 17
    \operation r19:18, 2
    .endif
    .if \last > 19
    \operation r21:20, 3
    .endif
    .if \last > 21
    \operation r23:22, 4
    .endif
    .if \last > 23
    \operation r25:24, 5
    .endif
    .if \last > 25
    \operation r27:26, 6
    .endif
    .endm

    .macro save pair, number
    memd(BELOW(\number)) = \pair
    .endm

    .macro restore pair, number
    \pair = memd(BELOW(\number))
    .endm

    .irp last, 17, 19, 21, 23, 25, 27
    function __save_r16_through_r\last
    move_pairs save, \last
    jumpr r31
    function __restore_r16_through_r\last\()_and_deallocframe
    move_pairs restore, \last
    dealloc_return
    function __restore_r16_through_r\last\()_and_deallocframe_before_tailcall
    move_pairs restore, \last
    deallocframe
    jumpr r31
    .endr

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 4

    .section .note.GNU-stack, "", @progbits
