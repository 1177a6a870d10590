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
  x + y z;
  (* expect-error above: a value alone is not a statement; EVAL discards a value (2.3) *)
  DO;
  (* expect-error above: 'DO' is not Modula-3: write REPEAT ... UNTIL c, where c ends the loop (14.4) *)
END Main.
