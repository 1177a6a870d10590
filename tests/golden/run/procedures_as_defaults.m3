(* golden: run, -w *)
(* Procedure constants as defaults of types that are in their own signatures. *)
MODULE Main;
IMPORT IO;
TYPE
  R = RECORD f: P := A; g: PROCEDURE(VAR r: R): INTEGER := G; last := LAST(Z); first: P := Z[0] END;
  P = PROCEDURE(x: INTEGER; r: REF R): INTEGER;
  O = OBJECT METHODS m(): INTEGER := C END;
CONST
  A: P = F;
  C: PROCEDURE(o: O): INTEGER = M;
  Z = ARRAY OF P{F, A, H};
  Nothing: REFANY = NIL;
PROCEDURE F(x: INTEGER; <*UNUSED*> r: REF R): INTEGER = BEGIN RETURN x + 1 END F;
PROCEDURE H(a: INTEGER; <*UNUSED*> b: REF R): INTEGER = BEGIN RETURN -a END H;
PROCEDURE G(VAR r: R): INTEGER = BEGIN INC(r.last); RETURN r.last END G;
PROCEDURE M(<*UNUSED*> o: O): INTEGER = BEGIN RETURN 7 END M;
PROCEDURE Q(p: P := A): INTEGER = BEGIN RETURN p(10, Nothing) END Q;
VAR r := R{};
BEGIN
  IO.PutInt(r.f(1, NIL)); IO.Put(" "); IO.PutInt(r.g(r)); IO.Put(" "); IO.PutInt(r.first(2, NIL)); IO.Put(" ");
  IO.PutInt(Z[r.last - 1](5, NIL)); IO.Put(" "); IO.PutInt(NEW(O).m()); IO.Put(" "); IO.PutInt(Q()); IO.Put("\n");
END Main.
(* expect: 2 3 3 -5 7 11 *)
