/* void enter_WIDTH(unsigned char *state, const void *stack, unsigned long stack_bytes, void (*target)(void)):
 * call target with the registers of state, laid out as in x86.S, and store what it leaves there. stack_bytes is a
 * multiple of 64. For libraries, which live in a process with a libc; so only what a call may change is touched.
 */

#define VECTORS 704

    .macro entering name, move, prefix
    .globl \name
    .type \name, @function
\name:
    push %rbp
    mov %rsp, %rbp
    push %rbx
    push %r12
    mov %rdi, %rbx
    mov %rcx, %r12
    and $-64, %rsp
    sub %rdx, %rsp
    mov %rsp, %rdi
    mov %rdx, %rcx
    cld
    rep movsb
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    \move VECTORS + 64 * \n(%rbx), %\prefix\n
    .endr
    mov 0(%rbx), %rax
    mov 16(%rbx), %rcx
    mov 24(%rbx), %rdx
    mov 32(%rbx), %rsi
    mov 40(%rbx), %rdi
    mov 64(%rbx), %r8
    mov 72(%rbx), %r9
    mov 80(%rbx), %r10
    mov 88(%rbx), %r11
    call *%r12
    mov %rax, 0(%rbx)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    \move %\prefix\n, VECTORS + 64 * \n(%rbx)
    .endr
    lea -16(%rbp), %rsp
    pop %r12
    pop %rbx
    pop %rbp
    ret
    .size \name, . - \name
    .endm

    .text
    entering enter_16, movups, xmm
    entering enter_32, vmovdqu, ymm
    entering enter_64, vmovdqu64, zmm

    .section .note.GNU-stack, "", @progbits
