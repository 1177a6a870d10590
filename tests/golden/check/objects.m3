(* golden: check *)
MODULE Main;
TYPE
  A = OBJECT x: INTEGER METHODS x(); m(n: INTEGER) := M; k() END;
  (* expect-error above: x occurs twice in this type (5.10) *)
  B = A OBJECT OVERRIDES m := M; m := NIL; none := M; x := M END;
  (* expect-error above: m occurs twice in this type (5.10) *)
  (* expect-error above: Main.A has no method none; it has m and k (5.10) *)
  (* expect-error above: Main.A has no method x; it has m and k (5.10) *)
  C = INTEGER OBJECT END;
  (* expect-error above: INTEGER is not known here to be an object type; only object types have subtypes with fields and methods; a field can hold a INTEGER (5.10) *)
  D = REFANY OBJECT END;
  (* expect-error above: REFANY is not known here to be an object type; only object types have subtypes with fields and methods; a field can hold a REFANY (5.10) *)
  E = A OBJECT OVERRIDES m := 3 END;
  (* expect-error above: a method is a top-level procedure or NIL, not INTEGER (5.10) *)
  F = A OBJECT OVERRIDES m := NoSelf END;
  (* expect-error above: NoSelf cannot be method m: it has no formal for the object; write PROCEDURE NoSelf(self: F) (5.10) *)
  G = A OBJECT OVERRIDES m := OtherSelf END;
  H = A OBJECT OVERRIDES m := VarSelf END;
  (* expect-error above: VarSelf cannot be method m: its first formal must be a VALUE of a supertype of Main.H, and VarSelf has (VAR self: Main.A; n: INTEGER); the first formal is the object: VarSelf(self: H; ...) (5.10) *)
  I = A OBJECT OVERRIDES m := Uncovered END;
  (* expect-error above: Uncovered cannot be method m: the method's signature does not cover that of Uncovered without its first formal; formal 2 differs: expected n: INTEGER, found n: CHAR (5.10) *)
  J = A OBJECT OVERRIDES k := A.m END;
  (* expect-error above: M cannot be method k: the method's signature does not cover that of M without its first formal; expected 0 formals, found 1 behind the one for the object (5.10) *)
PROCEDURE M(self: A; n: INTEGER) = BEGIN self.x := n END M;
PROCEDURE NoSelf() = BEGIN END NoSelf;
PROCEDURE OtherSelf(self: G; n: INTEGER) = BEGIN self.x := n END OtherSelf;
PROCEDURE VarSelf(VAR self: A; n: INTEGER) = BEGIN self.x := n END VarSelf;
PROCEDURE Uncovered(self: A; n: CHAR) = BEGIN self.x := ORD(n) END Uncovered;
PROCEDURE Outer() =
  PROCEDURE Inner(self: A; n: INTEGER) = BEGIN self.x := n END Inner;
  TYPE T = A OBJECT OVERRIDES m := Inner END;
  (* expect-error above: an override must be constant; name a procedure of the top level (19.7) *)
  VAR a: A := NEW(T);
  BEGIN
    a := NEW(A, m := Inner);
    (* expect-error above: a method is a top-level procedure or NIL, not a value of type PROCEDURE (self: Main.A; n: INTEGER) (5.10) *)
  END Outer;
VAR a: A; b: B; p: PROCEDURE (self: A; n: INTEGER);
BEGIN
  Outer();
  a.y := 1;
  (* expect-error above: Main.A has no field or method y that is known here; it has x, m and k (15.3) *)
  p := a.m;
  (* expect-error above: a method of an object can only be called; call it: a.m(n) (12.1) *)
  a.m := p;
  (* expect-error above: a method of an object can only be called; a subtype has another procedure for it: T OBJECT OVERRIDES m := P END (12.1) *)
  b.m("x");
  (* expect-error above: TEXT is not assignable to INTEGER, the type of formal n of b.m; Scan.Int("x") reads a number from a text, and raises Lex.Error if there is none (8.1) *)
  A.x := 3;
  (* expect-error above: x is a field: it belongs to objects, not to the type Main.A (12.2) *)
  A.nothing(a);
  (* expect-error above: Main.A has no method nothing; it has m and k (5.10) *)
  p := A.m;
  A.m(self := a, n := 2);
  (* expect-error above: there is no formal self; the formals are n (11.3) *)
  a^.x := 3;
  (* expect-error above: Main.A cannot be dereferenced; an object needs no ^: its fields are selected with . (15.4) *)
END Main.
