(* golden: parse *)
MODULE Main;
TYPE
  A = <*TRANSIENT*> REF INTEGER;
  B = <*TRANSIENT*> ROOT OBJECT END;
  C = <*TRANSIENT*> SET OF [0..3];
  (* expect-error above: TRANSIENT does not apply to this type (27.1) *)
  D = <*TRANSIENT*> BRANDED OBJECT END;
  (* expect-error above: a transient object type names its supertype: *)
  E = <*TRANSIENT*> UNTRACED REF INTEGER;
  (* expect-error above: TRANSIENT does not apply to this type (27.1) *)
BEGIN
END Main.
