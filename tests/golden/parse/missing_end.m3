(* golden: parse *)
MODULE Main;
VAR x: INTEGER;
PROCEDURE P(b: BOOLEAN) =
  BEGIN
    IF b THEN
    (* expect-error above: IF is not closed by END (2.3) *)
      WHILE b DO
      (* expect-error above: WHILE is not closed by END (2.3) *)
        x := 1;
  END P;
TYPE T = RECORD a: INTEGER;
(* expect-error above: RECORD is not closed by END (2.3) *)
VAR y: INTEGER;
BEGIN
  P(TRUE);
  REPEAT x := 2 END;
  (* expect-error above: REPEAT is not closed by UNTIL (2.3) *)
  TRY x := 3 END;
  (* expect-error above: TRY needs EXCEPT or FINALLY (2.3) *)
END Main.
