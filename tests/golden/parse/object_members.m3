(* golden: parse *)
MODULE Main;
TYPE
  T = OBJECT
    METHODS m();
    METHODS n();
    (* expect-error above: an object type has its fields first, then METHODS, then OVERRIDES *)
  END;
  U = OBJECT METHODS m() = P; END;
  (* expect-error above: a method's default is written with ':=', not '=' (2) *)
  V = T OBJECT OVERRIDES m = P; END;
  (* expect-error above: an override is written with ':=', not '=' (2) *)
  W = OBJECT a, b END;
  (* expect-error above: a field needs a type or a default *)
PROCEDURE P(<*UNUSED*> r: ROOT) = BEGIN END P;
BEGIN
END Main.
