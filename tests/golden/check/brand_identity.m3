(* golden: check *)
MODULE Main;
TYPE E = BRANDED REF INTEGER; F = BRANDED REF INTEGER;
VAR e: E; f: F;
BEGIN
  e := f;
  (* expect-error above: Main.F is not assignable to Main.E, the type of e; neither type is a subtype of the other (8.1) *)
END Main.
