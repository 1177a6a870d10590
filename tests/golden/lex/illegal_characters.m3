(* golden: lex *)
MODULE Main;
VAR a, b: INTEGER;
BEGIN
  a := b ~ 1;
  (* expect-error above: illegal character '~' (1.1) *)
  a := 1 $$$ 2;
  (* expect-error above: illegal character '$' (1.1) *)
  IF a != b THEN a := 1 END;
  (* expect-error above: '!=' is not Modula-3: inequality is '#' (16.4) *)
END Main.
