(* golden: parse *)
(* 26: TRACE follows a variable, or BEGIN. *)
MODULE Main;
VAR b: INTEGER;
BEGIN
  b := <*TRACE Show*> 3;
  (* expect-error above: pragma TRACE cannot stand here (26) *)
END Main.
