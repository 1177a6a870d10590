(* golden: lex *)
MODULE Main;
CONST
  Bell = "ab";
  (* expect-error above: control character with code 16_07 in a literal; write it as an escape *)
BEGIN
END Main.
