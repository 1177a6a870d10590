// Switches between the stacks of threads that one kernel thread runs (workers.h).

        .text

// void tn_switch_stacks(void** left, void* entered): saves what calls preserve on the caller's stack, stores
// the stack pointer in *left, and returns on the stack whose pointer is `entered`: from the call that
// has left that stack, or to tn_thread_entry on a new one. The rounding and traps of floating-point
// numbers belong to the thread; their flags do, too.
        .globl  tn_switch_stacks
        .hidden tn_switch_stacks
        .type   tn_switch_stacks, @function
tn_switch_stacks:
        .cfi_startproc
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %r15
        .cfi_adjust_cfa_offset -8
        popq    %r14
        .cfi_adjust_cfa_offset -8
        popq    %r13
        .cfi_adjust_cfa_offset -8
        popq    %r12
        .cfi_adjust_cfa_offset -8
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size   tn_switch_stacks, . - tn_switch_stacks

// Where a new stack begins: rbx has the function, r12 its argument. The function does not return, and to
// an unwinder this frame is the outermost.
        .globl  tn_thread_entry
        .hidden tn_thread_entry
        .type   tn_thread_entry, @function
        .cfi_startproc
        .cfi_undefined rip
        nop                                     // unwinders look up the address before a label, too
tn_thread_entry:
        xorl    %ebp, %ebp
        movq    %r12, %rdi
        call    *%rbx
        ud2
        .cfi_endproc
        .size   tn_thread_entry, . - tn_thread_entry

        .section .note.GNU-stack, "", @progbits
