; For Neovim's nvim-treesitter.

[
  (const_section)
  (type_section)
  (exception_section)
  (var_section)
  (reveal_section)
  (procedure)
  (block)
  (object_type)
  (record_type)
  (enumeration_type)
  (methods)
  (overrides)
  (case_statement)
  (typecase_statement)
  (for_statement)
  (if_statement)
  (lock_statement)
  (loop_statement)
  (repeat_statement)
  (try_statement)
  (while_statement)
  (with_statement)
] @indent.begin

; Statements of a procedure are one step behind its BEGIN.
(procedure
  "BEGIN" @indent.begin)

[
  "END"
  "ELSE"
  "ELSIF"
  "EXCEPT"
  "FINALLY"
  "UNTIL"
  "|"
] @indent.branch

(procedure
  "END" @indent.end)

(formals
  "(" @indent.align
  (#set! indent.open_delimiter "(")
  (#set! indent.close_delimiter ")"))

(actuals
  "(" @indent.align
  (#set! indent.open_delimiter "(")
  (#set! indent.close_delimiter ")"))

[
  (comment)
  (pragma)
] @indent.auto

(ERROR) @indent.auto
