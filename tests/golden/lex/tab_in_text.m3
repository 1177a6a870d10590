(* golden: lex *)
MODULE Main;
CONST
  Tab = "a	b";
  (* expect-warning above: a tab in a literal; write it as \t (1.10) *)
BEGIN
END Main.
