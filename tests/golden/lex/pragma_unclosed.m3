(* golden: lex *)
MODULE Main;
BEGIN
  (* expect-error below: this pragma is not closed by '*>' (1.7) *)
  <*LL.sup = mu <*nested*>
END Main.
