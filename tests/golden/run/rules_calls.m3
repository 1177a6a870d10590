(* golden: run, with lib/Check, -w *)
(* Variables, parameters, calls and methods (language.md 10, 11.1, 11.2, 11.3, 11.4, 11.5, 12). *)
INTERFACE Lib;
TYPE R = RECORD a := 5; b: ARRAY [0..1] OF RECORD c := 'c'; d: TEXT := "d" END; e: REF INTEGER := NIL END;
VAR v := 3; w: R; x: ARRAY [0..2] OF INTEGER := ARRAY [0..2] OF INTEGER{Three, ..}; y := NIL_; p := P; t := "t"; s := SET OF CHAR{'a'}; CONST Three = 3; NIL_ = 7; C = R{b := B, a := 1}; B = ARRAY [0..1] OF RB{RB{}, RB{'x'}}; TYPE RB = RECORD c := 'c'; d: TEXT := "d" END;
PROCEDURE P(a: INTEGER := 1; b: INTEGER := 2): INTEGER; PROCEDURE Q(n: INTEGER := 10) RAISES {E}; EXCEPTION E; PROCEDURE Unused(u: INTEGER);
END Lib.

(* unit: LibP.m3 *)
MODULE LibP EXPORTS Lib;
IMPORT Lib;
PROCEDURE P(x: INTEGER := 3; y: INTEGER := 4): INTEGER = BEGIN IF x = 99 THEN RETURN P() * 1000 + Lib.P(a := 0) * 100 + P(y := 0) ELSE RETURN x * 10 + y END END P;
BEGIN INC(v); END LibP.

(* unit: LibQ.m3 *)
MODULE LibQ EXPORTS Lib;
PROCEDURE Q(m: INTEGER) = BEGIN INC(v, m) END Q;
BEGIN END LibQ.

(* unit: Main.m3 *)
MODULE Main;
IMPORT Check, Lib, Text;
TYPE Vec = ARRAY [0..3] OF INTEGER; Proc = PROCEDURE (x: INTEGER): INTEGER; S = [0..9]; O = OBJECT n := 1; next: O METHODS m(a: INTEGER; b := 5): INTEGER := M; self(): O := Self; twice(p: Proc): INTEGER := Twice END; P = O OBJECT OVERRIDES m := MP END; Q = P OBJECT METHODS m(t: TEXT): TEXT := MQ END;
VAR log := ""; count := 0; g := 1; gv := Vec{1, 2, 3, 4}; f1 := Next(); f2, f3 := Next(); bad: S; er: REF RECORD a: S := 3 END := NEW(REF RECORD a: S := 3 END); rr: Lib.R; ra: ARRAY [1..2] OF Lib.R; e: [5..9]; pv: PROCEDURE (); col: Color; TYPE Color = {red, green};
PROCEDURE M(o: O; a, b: INTEGER): INTEGER = BEGIN RETURN o.n * 100 + a * 10 + b END M;
PROCEDURE MP(o: O; a, b: INTEGER): INTEGER RAISES {} = BEGIN RETURN -O.m(o, b := a, a := b) END MP;
PROCEDURE MQ(q: Q; t: TEXT): TEXT = BEGIN IF NARROW(q, P).m(1) < 0 THEN RETURN t & "!" ELSE RETURN t END END MQ;
PROCEDURE Self(o: O): O = BEGIN INC(count); RETURN o END Self;
PROCEDURE Twice(<*UNUSED*> r: REFANY; p: Proc): INTEGER = BEGIN RETURN p(p(1)) END Twice;
PROCEDURE Next(): INTEGER = BEGIN INC(count); RETURN count END Next;
PROCEDURE L(t: TEXT; n: INTEGER): INTEGER = BEGIN log := log & t; RETURN n END L;
PROCEDURE Sub(a: INTEGER; b := 1; c: S := 2): INTEGER = BEGIN RETURN a * 100 - b * 10 - c END Sub;
PROCEDURE Modes(VALUE a: INTEGER; VAR b: INTEGER; READONLY c: INTEGER; d: Vec; READONLY e: Vec; VAR f: Vec): INTEGER =
  BEGIN a := 50; b := 60; INC(d[0], 10); INC(f[0], 5); RETURN a + b + c + d[0] + e[0] + f[0] END Modes;
PROCEDURE RoS(READONLY s: S; READONLY i: INTEGER): INTEGER = BEGIN g := 7; RETURN s * 10 + i END RoS;
PROCEDURE RoText(READONLY t: TEXT; READONLY r: Lib.R; READONLY a: ARRAY OF Lib.R): TEXT = BEGIN RETURN t & r.b[1].d & a[LAST(a)].b[0].d END RoText;
PROCEDURE Ro2(READONLY o: O; READONLY p: REF INTEGER) = BEGIN o.n := 77; p^ := 78 END Ro2;
PROCEDURE Fix(VAR a: ARRAY [5..8] OF INTEGER; READONLY b: ARRAY [1..4] OF INTEGER): INTEGER = BEGIN a[5] := 9; RETURN b[1] + a[8] END Fix;
PROCEDURE Open(a: ARRAY OF INTEGER; VAR b: ARRAY OF INTEGER): INTEGER = BEGIN FOR i := 0 TO LAST(a) DO a[i] := -1 END; b[0] := NUMBER(a); RETURN a[0] + b[0] END Open;
PROCEDURE Level1(n: INTEGER): INTEGER =
  VAR a := 1; v := Vec{0, ..}; t := "";
  PROCEDURE Level2(m: INTEGER) =
    VAR b := 2;
    PROCEDURE Level3(READONLY k: INTEGER) =
      PROCEDURE Level4(VAR z: INTEGER) =
        VAR d := n;
        PROCEDURE Level5() = BEGIN INC(a, b); INC(z); v[z MOD 4] := a; t := t & "5"; IF d > 0 THEN DEC(d); IF d = 1 THEN Level2(0) ELSE Level5() END END; INC(b, k) END Level5;
        BEGIN Level5(); INC(z, d) END Level4;
      BEGIN Level4(b); INC(a, m) END Level3;
    BEGIN IF m > 0 THEN Level3(m * 2) ELSE INC(a, 1000) END END Level2;
  BEGIN Level2(n); RETURN a + v[0] * 0 + Text.Length(t) * 100000 END Level1;
PROCEDURE Apply(p: Proc; n: INTEGER): INTEGER = PROCEDURE Inner(x: INTEGER): INTEGER = BEGIN RETURN p(x) + n END Inner; BEGIN IF n = 0 THEN RETURN p(100) ELSE RETURN Apply(Inner, n - 1) END END Apply;
PROCEDURE Compare(p: Proc; n: INTEGER; READONLY q: Proc): BOOLEAN = PROCEDURE Own(x: INTEGER): INTEGER = BEGIN RETURN x + n END Own; BEGIN IF n = 0 THEN RETURN p = q ELSE RETURN Compare(Own, n - 1, Own) AND Own = Own AND NOT Compare2(Own, n, NIL) END END Compare;
PROCEDURE Compare2(p: Proc; n: INTEGER; q: Proc): BOOLEAN = PROCEDURE Own(x: INTEGER): INTEGER = BEGIN RETURN x + n END Own; BEGIN IF q = NIL THEN RETURN Compare2(Own, n + 1, Own) OR p = Own ELSE RETURN p # q OR p = Own END END Compare2;
PROCEDURE Double(x: INTEGER): INTEGER = BEGIN RETURN 2 * x END Double;
PROCEDURE GetO(): O = BEGIN INC(count); RETURN NEW(P, n := count) END GetO;
PROCEDURE Twin(VAR a, b: INTEGER; c, d: INTEGER) = BEGIN a := c; b := d; IF a # c THEN log := log & "alias" END END Twin;
PROCEDURE Defaults(a := 1; b := "b"; c := 'c'; d := 1.5; e := SET OF S{1}; f := Vec{1, ..}; g := Lib.C; h: REFANY := NIL; i: Proc := Double; j := Color.green): TEXT = BEGIN RETURN b & Text.FromChar(c) & g.b[1].d END Defaults;
VAR i := 5; o: O := NEW(P, n := 3); q := NEW(Q); a, b: ARRAY [0..9] OF INTEGER; open := NEW(REF ARRAY OF INTEGER, 4); r := NEW(REF INTEGER); m: ARRAY [0..1] OF Vec; z: Lib.R; p2: PROCEDURE (first: INTEGER := 7): INTEGER := Double;
BEGIN
  Check.Int(f1 * 100 + f2 * 10 + f3, 123, "an initial value for each name"); Check.That(bad >= 0 AND bad <= 9 AND e >= 5 AND e <= 9 AND pv = NIL AND rr.e = NIL AND rr.a = 5 AND ra[2].b[1].c = 'c' AND col <= Color.green, "arbitrary values are values");
  Check.Int(Lib.w.a + Lib.x[2] + Lib.v + Lib.NIL_ + Lib.y, 5 + 3 + 4 + 7 + 7, "variables of an interface"); Check.Int(Lib.p(b := 5), 15, "a procedure constant"); Check.Text(Lib.t & Lib.C.b[1].d & Lib.w.b[0].d, "tdd", "texts"); Check.That(Lib.C.b[1].c = 'x' AND Lib.C.b[0].c = 'c' AND 'a' IN Lib.s, "constants");
  Check.Int(Lib.P(), 12, "the interface's defaults"); Check.Int(Lib.P(99), 34 * 1000 + 2 * 100 + 30, "the module's own"); Lib.Q(); Lib.Q(n := 1); Check.Int(Lib.v, 15, "two modules export Lib"); Check.Int(er.a, 3, "defaults in NEW");
  Check.Int(Sub(5), 488, "defaults"); Check.Int(Sub(c := 3, a := 1), 87, "keywords"); Check.Int(Sub(1, c := 0), 90, "both"); Check.Int(p2() + p2(first := 1), 16, "names and defaults of the type"); Check.Text(Defaults(c := 'x') & Defaults(1, "z"), "bxdzcd", "defaults of all types");
  Check.Int(Modes(1, i, g, gv, gv, m[1]), 50 + 60 + 1 + 11 + 1 + 5, "modes"); Check.That(i = 60 AND gv[0] = 1 AND m[1][0] = 5 AND m[0][0] = 0, "VAR");
  g := 4; Check.Int(RoS(g, g), 47, "READONLY copies a value of another type"); g := 4; Check.Int(RoS(g + 0, g + 0), 44, "and an expression"); Check.Text(RoText("t", z, ARRAY OF Lib.R{z, z}), "tdd", "READONLY"); Ro2(o, r); Check.Int(o.n + r^, 155, "READONLY is shallow");
  a[3] := 4; b[2] := 8; Check.Int(Fix(SUBARRAY(a, 0, 4), SUBARRAY(b, 2, 4)), 12, "fixed formals"); Check.Int(a[0], 9, "alias"); Check.Int(Fix(open^, open^), 9, "an open actual"); Check.Int(Open(gv, m[0]) + gv[0], 4, "VALUE arrays are copies"); Check.Int(Open(gv, gv), 3, "also when aliased"); Check.Int(gv[0], 4, "VAR"); Twin(a[1], a[1], 1, 2); Check.Text(log, "alias", "two names of one variable");
  Check.Int(Level1(3), 201009, "five levels"); Check.Int(Apply(Double, 4), 210, "closures of closures"); Check.That(Compare(Double, 3, NIL), "closures compare by environment"); Check.That(Double # NIL AND (Double = Double), "procedure constants compare");
  o := NEW(P, n := 3); Check.Int(o.m(1), -351, "override"); Check.Int(O.m(o, 1), 315, "O.m"); Check.Int(P.m(o, b := 1, a := 2), -312, "P.m"); Check.Text(q.m("q"), "q!", "a new method of the name"); Check.Int(NARROW(q, O).m(1, 2), -121, "the old one"); count := 0; Check.Int(o.self().self().n + o.twice(Double), 7, "chains"); Check.Int(count, 2, "self");
  count := 4; Check.Int(GetO().m(b := 1, a := 0), -510, "o is evaluated once"); Check.Int(count, 5, "once"); log := ""; EVAL L("a", 1) + L("b", 2) * L("c", 3); Check.Int(Text.Length(log), 3, "operands"); GetO().next := NEW(O); o.next := o; o.next.next.next.n := 12; Check.Int(o.n, 12, "o.f"); EVAL Apply(Double, 0); WITH w = o.next, n = w.n DO INC(n); Check.Int(o.n, 13, "WITH") END;
  Check.Done();
END Main.
(* expect: all checks hold *)
