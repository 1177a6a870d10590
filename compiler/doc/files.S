// The files of this folder that each set of pages needs.

        .section .rodata
        .globl  tn_doc_style, tn_doc_style_end, tn_doc_search, tn_doc_search_end
tn_doc_style:
        .incbin "compiler/doc/style.css"
tn_doc_style_end:
tn_doc_search:
        .incbin "compiler/doc/search.js"
tn_doc_search_end:

        .section .note.GNU-stack, "", @progbits
