(* golden: check *)
MODULE Main;
BEGIN
  LOOP
    PROCEDURE Inner() =
      BEGIN
        EXIT;
        (* expect-error above: EXIT is not inside a loop of this procedure (14.4) *)
      END Inner;
    BEGIN
      Inner();
      EXIT;
    END;
  END;
END Main.
