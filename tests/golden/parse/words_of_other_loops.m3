(* golden: parse *)
(* The words that other languages use for DO, THEN and TO count as these: one error each (2.3). *)
MODULE Main;
VAR b := TRUE;  n := 0;
BEGIN
  WHILE b LOOP
(* expect-error above: expected DO, found LOOP (2.3) *)
    INC(n);  b := n < 3
  END;
  WHILE b THEN
(* expect-error above: expected DO, found THEN (2.3) *)
    b := FALSE
  END;
  FOR i := 1, 3 DO INC(n, i) END;
(* expect-error above: expected TO, found ',' (2.3) *)
  FOR i := 1 .. 3 LOOP INC(n, i) END;
(* expect-error above: expected TO, found '..' (2.3) *)
(* expect-error above: expected DO, found LOOP (2.3) *)
  IF b DO n := 1 ELSE n := 2 END
(* expect-error above: expected THEN, found DO (2.3) *)
END Main.
