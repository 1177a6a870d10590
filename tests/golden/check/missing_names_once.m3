(* golden: check *)
(* A name that a type lacks is one error, however often it is used (language.md 15.3), and a type
   with a wrong declaration need not be revealed as well (9.1, 3.6). *)
MODULE Main;

TYPE
  O = OBJECT f: INTEGER := 0; METHODS m() := M END;
  P = OBJECT f: INTEGER := 0; END;
  R = RECORD x: INTEGER := 0 END;
  E = {a, b};
  Wrong <: INTEGER;  (* expect-error: M0603 *)
  Unknown <: Nowhere;  (* expect-error: M0404 *)

PROCEDURE M (o: O) =
  TYPE Local <: REFANY;  (* expect-error: M0409 *)
  BEGIN
    o.g := 1;  (* expect-error: M0906 *)
    o.g := 2;
    INC(o.g);
    o.h();  (* expect-error: M0906 *)
    o.h();
    EVAL NEW(O, g := 3);
  END M;

PROCEDURE Use (p: P; r: R; VAR e: E) =
  BEGIN
    p.g := 1;  (* expect-error: M0906 *)
    p.g := 2;
    r.y := 1;  (* expect-error: M0905 *)
    r.y := r.y + 1;
    r := R{y := 2};
    e := E.c;  (* expect-error: M0907 *)
    e := E.c;
    O.n(NIL);  (* expect-error: no method n *)
    O.n(NIL);
  END Use;

VAR e := E.a;
BEGIN
  NEW(O).m();
  Use(NEW(P), R{}, e);
END Main.
