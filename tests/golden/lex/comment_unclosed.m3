(* golden: lex *)
MODULE Main;
BEGIN
  (* expect-error below: this comment is not closed before the end of the file (1.6) *)
  (* quotes "mean nothing (* here *) and
END Main.
