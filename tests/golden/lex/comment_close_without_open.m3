(* golden: lex *)
MODULE Main;
VAR a: INTEGER;
BEGIN
  (* nested (* comments *) end where they should, don't they? *)
  a := 1 *) ;
  (* expect-error above: closes no comment (1.6) *)
END Main.
