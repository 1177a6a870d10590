(* golden: check *)
(* 26: TRACE names a procedure with a text and the variable's type as
   formals. *)
MODULE Main;

PROCEDURE Show(<*UNUSED*> name: TEXT; <*UNUSED*> value: INTEGER) =
  BEGIN
  END Show;

PROCEDURE Change(<*UNUSED*> name: TEXT; VAR value: INTEGER) =
  BEGIN
    INC(value);
  END Change;

VAR
  (* expect-error below: TEXT *)
  t: TEXT <*TRACE Show*>;
  i: INTEGER <*TRACE Show*>;
  (* expect-error below: Nowhere *)
  j: INTEGER <*TRACE Nowhere*>;
  k: INTEGER <*TRACE Change*>;  (* its own assignments are not traced *)

PROCEDURE P() =
  BEGIN <*TRACE i := unknown *>  (* expect-error: unknown *)
    i := 1;
    i := 2;
  END P;

BEGIN
  t := "";
  t := "once";
  i := 1;
  j := 1;
  j := 2;
  k := 1;
  P();
END Main.
