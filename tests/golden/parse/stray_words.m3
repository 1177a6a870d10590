(* golden: parse *)
MODULE Main;
VAR x: INTEGER;
BEGIN
  x := 1;
  ELSE x := 2;
  (* expect-error above: ELSE belongs to no statement (2.3) *)
  UNTIL x = 3;
  (* expect-error above: UNTIL belongs to no statement (2.3) *)
  WHILE x = 1 DO x := 2 ELSE x := 3 END;
  (* expect-error above: ELSE belongs to no statement (2.3) *)
  ;
  (* expect-error above: empty statement (2.3) *)
  DO;
  (* expect-error above: expected a statement, found DO (2.3) *)
END Main.
