// Where a thread goes on after a trap that becomes an exception. The signal handler has put a TrapRecord
// (runtime/traps/trap_record.h) at rsp: the interrupted rip at offset 0, the interrupted rsp at offset 8.
//
// To the unwinder this is a signal frame: the frame below is the interrupted one at exactly the trapping
// instruction (.cfi_signal_frame: the address is not a return address), its stack pointer is *(rsp + 8), its
// program counter *(rsp + 0), r11 is *(rsp + 48), and the registers that calls preserve still
// have the interrupted value.

        .text
        .globl  tn_trap_trampoline
        .type   tn_trap_trampoline, @function
        .cfi_startproc simple
        .cfi_signal_frame
        .cfi_escape 0x0f, 3, 0x77, 8, 6         // CFA: breg7(rsp) + 8, deref
        .cfi_escape 0x10, 16, 2, 0x77, 0        // return address: at breg7(rsp) + 0
        .cfi_escape 0x10, 11, 2, 0x77, 48       // r11: at breg7(rsp) + 48
        nop                                     // unwinders look up the address before a label, too
tn_trap_trampoline:
        nop
        cld
        movq    %rsp, %rdi
        call    tn_raise_from_trap
        ud2
        .cfi_endproc
        .size   tn_trap_trampoline, . - tn_trap_trampoline

        .section .note.GNU-stack, "", @progbits
