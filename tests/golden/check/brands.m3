(* golden: check *)
MODULE Main;
TYPE
  A = BRANDED "one" REF INTEGER;
  B = BRANDED "one" REF CHAR;
  (* expect-error above: two different types have the brand "one" (5.8) *)
  C = BRANDED "two" OBJECT END;
  D = BRANDED "two" OBJECT END;  (* of the same structure *)
  (* expect-error above: two different types have the brand "two" (5.8) *)
  E = BRANDED REF INTEGER;
  F = BRANDED REF INTEGER;
VAR a: A; b: B; c: C; d: D;
BEGIN
  a := NIL; b := NIL; c := d; d := c;
END Main.
