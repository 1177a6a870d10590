(* golden: parse *)
MODULE Main;
VAR x: INTEGER;
BEGIN
  IF x = 1 THEN x := 2 END;
  END;
  (* expect-error above: this END closes nothing; the statements of the module go on (2.3) *)
  x := 3;
END Main.
