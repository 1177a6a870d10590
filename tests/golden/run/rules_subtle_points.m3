(* golden: run, with lib/Check, -w *)
(* The subtle points that a program can show, by their numbers (language.md 29);
   check/subtle_points.m3 has those that are errors. *)
INTERFACE Pen; TYPE T <: ROOT; PROCEDURE Get(t: T): INTEGER; PROCEDURE P(n := 1): INTEGER; END Pen.

(* unit: Pen.m3 *)
MODULE Pen; IMPORT PenRep; PROCEDURE Get(t: T): INTEGER = BEGIN RETURN t.ink END Get; PROCEDURE P(n := 2): INTEGER = BEGIN IF n = 0 THEN RETURN P() * 10 + PenRep.Dummy ELSE RETURN n END END P; BEGIN END Pen.

(* unit: PenRep.i3 *)
INTERFACE PenRep; IMPORT Pen; CONST Dummy = 1; REVEAL Pen.T = BRANDED "Pen" OBJECT ink := 9 END; END PenRep.

(* unit: PenUser.i3 *)
INTERFACE PenUser; PROCEDURE Ink(): INTEGER; END PenUser.

(* unit: PenUser.m3 *)
MODULE PenUser; IMPORT Pen, PenRep; FROM PenRep IMPORT Dummy; PROCEDURE Ink(): INTEGER = VAR t := NEW(Pen.T); BEGIN t.ink := t.ink + Dummy; RETURN t.ink END Ink; BEGIN END PenUser.

(* unit: Left.i3 *)
INTERFACE Left; CONST x = 1; END Left.

(* unit: Right.i3 *)
INTERFACE Right; CONST x = 2; END Right.

(* unit: Main.m3 *)
MODULE Main;
IMPORT Check, Fmt, Pen, PenUser, RuntimeError, Text; FROM Left IMPORT x; IMPORT Right AS Left;
TYPE Err = RuntimeError.T; D = {a, b, c, d}; S = [D.c .. D.d]; Pair = RECORD a, b: INTEGER END; R1 = RECORD a := 1 END; Bird = OBJECT name := "bird" METHODS cry(): TEXT := BirdCry END; Duck = Bird OBJECT OVERRIDES cry := Quack END; Crow = Bird OBJECT METHODS cry(): TEXT := Caw END; En1 = {x, y}; En2 = {x, y};
EXCEPTION A; B; E;
VAR g := 4; a1 := F(); b1 := 3; p1, q1 := NEW(REF INTEGER); count := 0; global: PROCEDURE ();
PROCEDURE F(): INTEGER = BEGIN RETURN b1 * 0 + 1 END F;
PROCEDURE BirdCry(b: Bird): TEXT = BEGIN RETURN b.name END BirdCry;
PROCEDURE Quack(<*UNUSED*> b: Bird): TEXT = BEGIN RETURN "quack" END Quack;
PROCEDURE Caw(<*UNUSED*> b: Bird): TEXT = BEGIN RETURN "caw" END Caw;
PROCEDURE Resolve(D: D): INTEGER = BEGIN RETURN ORD(D) END Resolve;
PROCEDURE Copies(READONLY i: INTEGER; VAR n: CARDINAL): INTEGER = BEGIN n := 5; RETURN i END Copies;
PROCEDURE Alias(READONLY i: INTEGER): INTEGER = BEGIN g := 50; RETURN i END Alias;
PROCEDURE Open(VAR x: ARRAY OF INTEGER) = BEGIN x[0] := 99 END Open;
PROCEDURE Fixed(READONLY v: ARRAY [0..2] OF REAL): BOOLEAN = BEGIN shared[0] := 7.0; RETURN v[0] = 7.0 END Fixed;
PROCEDURE Tick(): INTEGER = BEGIN INC(count); RETURN 1 END Tick;
PROCEDURE Array(): ARRAY [0..4] OF INTEGER = VAR a: ARRAY [0..4] OF INTEGER; BEGIN INC(count); RETURN a END Array;
PROCEDURE ReturnI(): INTEGER = VAR i := 5; BEGIN TRY RETURN i FINALLY i := 0 END END ReturnI;
PROCEDURE ElseReturn(): INTEGER = BEGIN TRY RETURN 1 EXCEPT ELSE END; RETURN 2 END ElseReturn;
PROCEDURE NoRaises() = BEGIN RAISE E END NoRaises;
PROCEDURE Local(): PROCEDURE () = PROCEDURE In() = BEGIN END In; BEGIN global := In; RETURN NIL END Local;
PROCEDURE LocalFails() = BEGIN EVAL Local() END LocalFails;
PROCEDURE N1(n := 1): INTEGER = BEGIN RETURN n END N1;
PROCEDURE Closures(p: PROCEDURE (); n: INTEGER): BOOLEAN = PROCEDURE In() = BEGIN END In; BEGIN IF n = 0 THEN RETURN Closures(In, 1) ELSE RETURN p = In END END Closures;
PROCEDURE Shallow(READONLY o: Bird; READONLY p: REF INTEGER) = BEGIN o.name := "shallow"; p^ := 67 END Shallow;
VAR shared := NEW(REF ARRAY OF REAL, 3);

PROCEDURE First() =
  VAR w: WIDECHAR; n: CARDINAL := 3; v := Pair{1, 2}; a := ARRAY [0..4] OF INTEGER{0, 1, 2, 3, 4}; i := 1; t: ARRAY [1..2] OF INTEGER; u: ARRAY ['p'..'q'] OF INTEGER; k := 0;
  PROCEDURE Val() = VAR s: S; z := 0; BEGIN s := VAL(z, S) END Val;
  BEGIN
    Check.That(-1 DIV 2 = -1 AND -1 MOD 2 = 1, "1"); Check.Int(-7 MOD 3, 2, "2"); Check.That(NOT 5 IN SET OF [0..9]{1}, "4"); Check.Int(NUMBER([0..9]), 10, "5"); w := 'x'; Check.That(w = W'x', "6"); CONST_(); Check.Int(16_FFFFFFFFFFFFFFFF, -1, "8"); Check.Int(Text.Length("\000"), 1, "9"); (* ' (* " *) *) Check.Int(a1, 1, "11, 12"); Check.That(p1 # q1, "13"); Check.Int(Resolve(D.c), 2, "15"); FOR i := 0 TO i + 1 DO INC(k) END; Check.Int(k, 3, "16"); Check.That(En1.x = En2.x, "17"); INC(n); Check.Int(n, 4, "19"); Check.Int(ORD(FIRST(S)), 2, "20"); Check.Fails(Val, Err.ValueOutOfRange, "21"); t[1] := 8; u := t; Check.Int(u['p'], 8, "22");
    Open(SUBARRAY(a, 2, 3)); Check.Int(a[2], 99, "24"); n := 3; Check.Int(Copies(n, n), 3, "25"); Check.Int(Alias(g), 50, "26"); WITH e = a[i] DO INC(i); e := 0 END; Check.Int(a[1] + a[2], 99, "27"); v := Pair{v.b, v.a}; Check.Int(v.a, 2, "29"); a := ARRAY [0..4] OF INTEGER{0, 1, 2, 3, 4}; SUBARRAY(a, 1, 3) := SUBARRAY(a, 0, 3); Check.Int(a[3] * 10 + a[1], 20, "30"); FOR c := 'a' TO 'c' DO Check.That(c IN SET OF CHAR{'a' .. 'c'}, "31") END; k := 0; n := 3; FOR i := 1 TO n DO n := 0; INC(k) END; Check.Int(k, 3, "32"); k := 0; FOR b := FALSE TO TRUE DO INC(k) END; Check.Int(k, 2, "33");
  END First;
PROCEDURE CONST_() = CONST L: LONGREAL = 1.0d0; BEGIN Check.That(L = 1.0d0, "7") END CONST_;

PROCEDURE Second() =
  VAR r: REFANY; i := 0; q: PROCEDURE (n := 2): INTEGER := N1; d := NEW(Duck); crow: Bird := NEW(Crow); o := NEW(REF ARRAY OF INTEGER, 0); a := ARRAY [0..4] OF INTEGER{0, ..}; t: TEXT; rec: RECORD b: BITS 1 FOR BOOLEAN END; sa := 0;
  PROCEDURE NoCase() = BEGIN CASE i + 5 OF 1 => END END NoCase; PROCEDURE NilArm() = BEGIN TYPECASE r OF REF INTEGER (p) => i := p^ | NULL => END END NilArm; PROCEDURE NilText() = BEGIN t := "a" & t END NilText; PROCEDURE Short() = BEGIN EVAL Fixed(SUBARRAY(shared^, 0, 2)) END Short;
  BEGIN
    Check.Fails(NoCase, Err.UnhandledCase, "34"); Check.Fails(NilArm, Err.BadMemoryReference, "35"); r := NEW(Duck); TYPECASE r OF Bird => i := 1 | Duck => i := 2 ELSE END; Check.Int(i, 1, "36"); Check.Int(ReturnI(), 5, "37"); LOOP TRY RAISE E FINALLY EXIT END END; Check.Int(ElseReturn(), 2, "38, 39"); TRY TRY RAISE A EXCEPT A => RAISE B | B => Check.That(FALSE, "40") END; EXCEPT B => i := 40 ELSE END; Check.Int(i, 40, "40"); Check.Fails(NoRaises, Err.BlockedException, "41"); Check.Int(q(), 2, "43"); Check.Int(Pen.P() * 100 + Pen.P(0), 121, "44"); Check.Fails(LocalFails, Err.NarrowFailed, "45"); Check.That(NOT Closures(NIL, 0), "46"); Check.Text(Bird.cry(d) & d.cry(), "birdquack", "47"); Check.Text(crow.cry() & NARROW(crow, Crow).cry(), "birdcaw", "48"); Check.That(TYPECODE(NEW(Bird, cry := Caw)) # TYPECODE(Bird), "50"); Check.Int(Pen.Get(NEW(Pen.T)), 9, "51"); Check.Int(PenUser.Ink(), 10, "53");
    rec.b := TRUE; Check.That(rec.b AND R1{}.a = 1, "56, 57"); Check.That(NOT -1 IN SET OF [0..9]{1}, "58"); count := 0; Check.Int(NUMBER(Array()) + count, 5, "59"); Check.Int(x * 10 + Left.x, 22, "60"); Check.That("" # NIL, "61"); Check.Fails(NilText, Err.BadMemoryReference, "61"); Check.That(Text.Equal("ab", "a" & "b"), "62"); INC(a[Tick()]); Check.Int(count * 10 + a[1], 11, "63"); Shallow(d, p1); Check.Text(d.name & Fmt.Int(p1^), "shallow67", "67"); FOR k := FIRST(o^) TO LAST(o^) DO INC(sa) END; Check.Int(sa + FIRST(o^) + LAST(o^), -1, "68"); WITH s = SUBARRAY(a, 1, 2) DO s[0] := 5 END; Check.Int(a[1], 5, "69"); Check.That(Fixed(shared^), "70"); Check.Fails(Short, Err.IncompatibleArrayShape, "70");
  END Second;
BEGIN First(); Second(); Check.Done() END Main.
(* expect: all checks hold *)
