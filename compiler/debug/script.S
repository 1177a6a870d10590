// The script that `tenure debug` gives to gdb.

        .section .rodata
        .globl  tn_debug_script, tn_debug_script_end
tn_debug_script:
        .incbin "compiler/debug/tenure_gdb.py"
tn_debug_script_end:

        .section .note.GNU-stack, "", @progbits
