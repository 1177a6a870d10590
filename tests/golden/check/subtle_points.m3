(* golden: check, -w *)
(* The subtle points that are errors, by their numbers (language.md 29). *)
INTERFACE Pen; TYPE T <: ROOT; VAR x: INTEGER := F(); PROCEDURE F(): INTEGER; END Pen.
(* expect-error above: the initial value of an interface's variable must be constant (19.7) *)
(* expect-error above: Pen.F has no body in the program; interface Pen has no module: write MODULE Pen in Pen.m3 (11.1) *)

(* unit: PenRep.i3 *)
INTERFACE PenRep; IMPORT Pen; REVEAL Pen.T = BRANDED "Pen" OBJECT ink := 9 END; END PenRep.

(* unit: Through.i3 *)
INTERFACE Through; IMPORT PenRep; CONST Imported = PenRep.Wanting; TYPE U <: ROOT; REVEAL U = REF INTEGER; END Through.
(* expect-error above: interface PenRep does not declare Wanting; it has no members at all (20.5) *)
(* expect-error above: the revelation of U must be written as a branded reference or object type; write BRANDED REF (9.2) *)
(* expect-error above: Through.U cannot be revealed as REF INTEGER: it was declared as a subtype of ROOT (9.8) *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT Pen, Through;
TYPE A = ARRAY [0..9] OF INTEGER; Bird = OBJECT METHODS cry() END; Duck = Bird OBJECT OVERRIDES cry := Quack END; R1 = RECORD a := 1 END; R2 = RECORD a := 2 END;
PROCEDURE Quack(d: Duck) = BEGIN EVAL d END Quack;
PROCEDURE Bool(VAR b: BOOLEAN) = BEGIN b := TRUE END Bool;
PROCEDURE Inc1(VAR i: INTEGER) = BEGIN INC(i) END Inc1;
PROCEDURE Ro(READONLY a: ARRAY OF INTEGER) = BEGIN EVAL a[0]; a[0] := 1 END Ro;
(* expect-error above: a[0] is readonly: a is a READONLY formal; VAR lets the procedure change the caller's variable; VALUE gives the procedure a copy (15.2) *)
PROCEDURE P14(x: INTEGER) = VAR x: CHAR; BEGIN EVAL x END P14;
(* expect-error above: x is already a formal of this procedure (3.3) *)
EXCEPTION E;
PROCEDURE Raises() RAISES {E} = BEGIN RAISE E END Raises;
PROCEDURE Pair(): R1 = BEGIN RETURN R1{} END Pair;
VAR i: INTEGER; c: [FALSE .. TRUE]; n: CARDINAL; small: ARRAY [0..3] OF [0..9]; a: A; p: PROCEDURE (); r1: R1; r2: R2; bits: RECORD b: BITS 1 FOR BOOLEAN END; t: Pen.T;
VAR d: LONGREAL := 1.0;
(* expect-error above: REAL is not assignable to LONGREAL, the type of d; write 1.0D0 instead of 1.0 (8.1) *)
VAR s := SUBARRAY(a, 0, 2);
(* expect-error above: a variable cannot be an open array; write REF ARRAY OF T, whose length NEW(type, n) gives, or a fixed one: ARRAY [0..9] OF T (5.4) *)
BEGIN
  IF 0 <= i <= 9 THEN END;
  (* expect-error above: <= does not compare BOOLEAN and INTEGER; two comparisons are joined with AND: 0 <= i AND i <= 9 (16.4) *)
  Bool(c);
  (* expect-error above: formal b of Bool is VAR and needs a variable of exactly type BOOLEAN, not [BOOLEAN.FALSE..BOOLEAN.TRUE]; declare c as BOOLEAN, or give a variable of that type and copy the value back: c := b (11.4) *)
  Inc1(n);
  (* expect-error above: formal i of Inc1 is VAR and needs a variable of exactly type INTEGER, not CARDINAL; declare n as INTEGER, or give a variable of that type and copy the value back: n := i (11.4) *)
  Ro(small);
  (* expect-error above: ARRAY [0..3] OF [0..9] is not assignable to ARRAY OF INTEGER, the type of formal a of Ro; arrays need elements of the same type, and [0..9] and INTEGER are different types; assign each element (8.1) *)
  WITH x = i + 1 DO x := 0 END;
  (* expect-error above: x is readonly: WITH x names a value, not a variable; a copy can be changed: VAR x := ... BEGIN ... END (15.2) *)
  WITH x = Pair() DO x.a := 1 END;
  (* expect-error above: x.a is readonly: WITH x names a value, not a variable; a copy can be changed: VAR x := ... BEGIN ... END (15.2) *)
  p := Raises;
  (* expect-error above: PROCEDURE () RAISES {Main.E} is not assignable to PROCEDURE (), the type of p; it may raise Main.E, which is not expected here: handle it inside (8.1) *)
  r1 := r2;
  (* expect-error above: Main.R2 is not assignable to Main.R1, the type of r1; records need the same defaults and field types (8.1) *)
  Bool(bits.b);
  (* expect-error above: formal b of Bool is VAR and needs a variable of exactly type BOOLEAN, not BITS 1 FOR BOOLEAN; declare bits.b as BOOLEAN, or give a variable of that type and copy the value back: bits.b := b (11.4) *)
  EVAL t.ink;
  (* expect-error above: Pen.T has no field or method ink that is known here; it is revealed in interface PenRep: add IMPORT PenRep (15.3) *)
  EVAL 'a' IN SET OF [0..9]{1};
  (* expect-error above: CHAR is not assignable to [0..9], the element type of SET OF [0..9]; write ORD('a') (8.1) *)
  LOOP
    VAR PROCEDURE Local() = BEGIN EXIT END Local; BEGIN Local() END;
    (* expect-error above: EXIT is not inside a loop of this procedure (14.4) *)
  END;
END Main.
