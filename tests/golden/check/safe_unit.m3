(* golden: check *)
MODULE Main;
VAR n: INTEGER; a, b: ADDRESS; u: UNTRACED REF INTEGER;
BEGIN
  a := ADR(n);
  (* expect-error above: ADR is possible only in UNSAFE units; a VAR formal takes the variable itself, without ADR; NEW makes references (22.3) *)
  a := a + 8;
  (* expect-error above: address arithmetic is possible only in UNSAFE units; write UNSAFE in front of MODULE if the unit must do this (22.3) *)
  n := a - b;
  (* expect-error above: address arithmetic is possible only in UNSAFE units; write UNSAFE in front of MODULE if the unit must do this (22.3) *)
  IF a < b THEN INC(a, 8) END;
  (* expect-error above: address comparison is possible only in UNSAFE units; write UNSAFE in front of MODULE if the unit must do this (22.3) *)
  (* expect-error above: address arithmetic is possible only in UNSAFE units; write UNSAFE in front of MODULE if the unit must do this (22.3) *)
  u := a;
  (* expect-error above: ADDRESS is not assignable to UNTRACED REF INTEGER, the type of u; neither type is a subtype of the other (8.1) *)
  a := u;
  DISPOSE(u);
  (* expect-error above: DISPOSE is possible only in UNSAFE units; the collector frees memory that nothing refers to: leave DISPOSE out (22.3) *)
  n := LOOPHOLE(a, INTEGER);
  (* expect-error above: LOOPHOLE is possible only in UNSAFE units; write UNSAFE in front of MODULE if the unit must do this (22.3) *)
END Main.
