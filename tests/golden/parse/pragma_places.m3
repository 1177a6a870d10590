(* golden: parse *)
<*LIBRARY "z", "zlib1g-dev"*>
(* expect-error above: pragma LIBRARY does not apply to MODULE (26) *)
MODULE Main;
<*INLINE*> VAR x: INTEGER;
(* expect-error above: pragma INLINE does not apply to VAR (26) *)
TYPE
  O = OBJECT
    <*UNUSED*> a: INTEGER;
    <*INLINE*> b: INTEGER;  (* expect-error: pragma INLINE cannot stand here *)
  METHODS
    <*OBSOLETE*> m (): INTEGER;  (* expect-error: pragma OBSOLETE cannot stand here *)
    n ();
  OVERRIDES
    <*UNUSED*> p := NIL;  (* expect-error: pragma UNUSED cannot stand here *)
  END;
<*ASSERT TRUE*>
(* expect-error above: pragma ASSERT cannot stand here (26) *)
<*UNUSED*>
(* expect-error above: pragma UNUSED is not followed by a declaration (26) *)
BEGIN
  <*ASSERT x = 0*>
  x := <*UNUSED*> 1;
  (* expect-error above: pragma UNUSED cannot stand here (26) *)
  <*ASSERT x = 1;
  (* expect-error above: expected '*>' to close '<*ASSERT', found ';' (2) *)
END Main.
