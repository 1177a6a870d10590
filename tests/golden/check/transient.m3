(* golden: check *)
MODULE Main;
TYPE
  Cache = <*TRANSIENT*> ROOT OBJECT END;
  Sub = Cache OBJECT x: INTEGER END;
VAR
  any: REFANY; transient: <*TRANSIENT*> REFANY; r: REF INTEGER; t: <*TRANSIENT*> REF INTEGER; sub: Sub;
BEGIN
  any := transient;
  any := t;
  transient := t;
  transient := r;
  (* expect-error above: REF INTEGER is not assignable to <*TRANSIENT*> REFANY, the type of transient; neither type is a subtype of the other (8.1) *)
  transient := sub;
  r := t;
  (* expect-error above: <*TRANSIENT*> REF INTEGER is not assignable to REF INTEGER, the type of r; neither type is a subtype of the other (8.1) *)
  transient := any;
  sub := any;
END Main.
