(* golden: parse *)
MODULE Main;
VAR x: INTEGER;
BEGIN
  while x > 1 DO x := 1 END;
  (* expect-error above: keywords are written in capitals: WHILE (1.2) *)
  IF x = 1 then x := 2 END;
  (* expect-error above: keywords are written in capitals: THEN (1.2) *)
  FOR i := 1 TO 3 DO
    x := i
  end;
  (* expect-error above: keywords are written in capitals: END (1.2) *)
END Main.
