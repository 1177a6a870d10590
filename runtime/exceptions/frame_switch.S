// Reads and loads the registers of a frame: FrameRegisters of runtime/exceptions/frame_rules.h, in its order.

        .text

// void tn_read_frame(FrameRegisters*): those of the caller, as they are when this returns.
        .globl  tn_read_frame
        .hidden tn_read_frame
        .type   tn_read_frame, @function
tn_read_frame:
        .cfi_startproc
        movq    %rbx, (%rdi)
        movq    %rbp, 8(%rdi)
        movq    %r12, 16(%rdi)
        movq    %r13, 24(%rdi)
        movq    %r14, 32(%rdi)
        movq    %r15, 40(%rdi)
        leaq    8(%rsp), %rax
        movq    %rax, 48(%rdi)
        movq    (%rsp), %rax
        movq    %rax, 56(%rdi)
        ret
        .cfi_endproc
        .size   tn_read_frame, . - tn_read_frame

// void tn_enter_frame(const FrameRegisters*, void* exception, int64_t selector): goes on in the
// frame at its rip, a landing pad, which finds the exception in rax and the selector in rdx.
        .globl  tn_enter_frame
        .hidden tn_enter_frame
        .type   tn_enter_frame, @function
tn_enter_frame:
        .cfi_startproc
        movq    %rsi, %rax
        movq    (%rdi), %rbx
        movq    8(%rdi), %rbp
        movq    16(%rdi), %r12
        movq    24(%rdi), %r13
        movq    32(%rdi), %r14
        movq    40(%rdi), %r15
        movq    56(%rdi), %rcx
        movq    48(%rdi), %rsp
        jmpq    *%rcx
        .cfi_endproc
        .size   tn_enter_frame, . - tn_enter_frame

        .section .note.GNU-stack, "", @progbits
