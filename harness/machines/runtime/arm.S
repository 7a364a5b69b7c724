/* Registers and system calls of 32-bit Arm for the driver (driver.c): ARMv7-A with NEON, by either variant of AAPCS32.
 *
 * A state block is r0 to r15, of which r15 is empty, and d0 to d31. No register is free at a call, so that one is kept below
 * the stack pointer until the others are stored. A function is entered through lr, which a call overwrites anyway.
 */

#define ENTER 0
#define LEFT 1
#define CAPTURED 2
#define RETURNS 3
#define R(n) (4 * (n))
#define D(n) (64 + 8 * (n))

    .syntax unified
    .arm
    .fpu neon

    .macro load_address register, at
#ifdef IN_LIBRARY
    movw \register, #:lower16:(\at - (.Lbehind_\@ + 4))
    movt \register, #:upper16:(\at - (.Lbehind_\@ + 4))
    add \register, pc, \register
.Lbehind_\@:
#else
    movw \register, #:lower16:(\at)
    movt \register, #:upper16:(\at)
#endif
    .endm

    .macro address register, state, offset=0
    load_address \register, (abi_states + (\state) * STATE_BYTES + \offset)
    .endm

    .macro store_all state
    str r12, [sp, #-8]
    address r12, \state
    stm r12, {r0-r11}
    ldr r0, [sp, #-8]
    str r0, [r12, #R(12)]
    str sp, [r12, #R(13)]
    str lr, [r12, #R(14)]
    add r0, r12, #D(0)
    vstmia r0!, {d0-d15}
    vstmia r0!, {d16-d31}
    .endm

    /* All but lr. */
    .macro load_all state
    address r0, \state, D(0)
    vldmia r0!, {d0-d15}
    vldmia r0!, {d16-d31}
    address r12, \state
    ldr sp, [r12, #R(13)]
    ldm r12, {r0-r12}
    .endm

    .text
    .globl _start, abi_enter, abi_leave, abi_capture, abi_read, abi_write, abi_exit
    .type _start, %function
    .type abi_enter, %function
    .type abi_leave, %function
    .type abi_capture, %function
    .type abi_read, %function
    .type abi_write, %function
    .type abi_exit, %function
_start:
    load_address r0, driver_stack_top
    mov sp, r0
    bl abi_main

/* void abi_enter(void (*target)(void)): call target with enter_state loaded, store left_state. */
abi_enter:
    push {r4-r11, r12, lr}
    vpush {d8-d15}
    load_address r1, driver_sp
    str sp, [r1]
    mov lr, r0
    load_all ENTER
    blx lr
    store_all LEFT
/* void abi_leave(void): return from abi_enter at once. */
abi_leave:
    load_address r1, driver_sp
    ldr sp, [r1]
    vpop {d8-d15}
    pop {r4-r11, r12, pc}

/* What compiled callers call: store captured_state, let the driver look, load returns_state and return.
 * sp returns as it came; the driver copies it, and the host asks for copies of what a call preserves. */
abi_capture:
    store_all CAPTURED
    load_address r1, driver_sp
    ldr sp, [r1]
    bl abi_captured
    address lr, CAPTURED, R(14)
    ldr lr, [lr]
    load_all RETURNS
    bx lr

abi_read:
    push {r7, lr}
    mov r2, r1
    mov r1, r0
    mov r0, #0
    mov r7, #3
    svc #0
    pop {r7, pc}

abi_write:
    push {r7, lr}
    mov r2, r1
    mov r1, r0
    mov r0, #1
    mov r7, #4
    svc #0
    pop {r7, pc}

abi_exit:
    mov r7, #1
    svc #0

/* What compilers call by the names of the run-time ABI for the Arm architecture. */
    .globl __aeabi_memcpy, __aeabi_memcpy4, __aeabi_memcpy8, __aeabi_memmove, __aeabi_memmove4, __aeabi_memmove8
    .globl __aeabi_memset, __aeabi_memset4, __aeabi_memset8, __aeabi_memclr, __aeabi_memclr4, __aeabi_memclr8
    .globl __aeabi_unwind_cpp_pr0, __aeabi_unwind_cpp_pr1
__aeabi_memcpy:
__aeabi_memcpy4:
__aeabi_memcpy8:
    b memcpy
__aeabi_memmove:
__aeabi_memmove4:
__aeabi_memmove8:
    b memmove
__aeabi_memclr:
__aeabi_memclr4:
__aeabi_memclr8:
    mov r2, #0
__aeabi_memset:
__aeabi_memset4:
__aeabi_memset8:
    mov r3, r1
    mov r1, r2
    mov r2, r3
    b memset
__aeabi_unwind_cpp_pr0:
__aeabi_unwind_cpp_pr1:
    bx lr

    .bss
    .balign 16
driver_stack:
    .zero 65536
driver_stack_top:
driver_sp:
    .zero 4

    .section .note.GNU-stack, "", %progbits
