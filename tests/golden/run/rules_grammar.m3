(* golden: run, with lib/Check, -w *)
(* Every production of the grammar (language.md 2.1, 2.2, 2.3, 2.4, 2.5). *)
INTERFACE Empty; END Empty.

(* unit: Empty.m3 *)
MODULE Empty; BEGIN END Empty.

(* unit: Sections.i3 *)
INTERFACE Sections;
IMPORT Word, Text AS T; FROM Text IMPORT Length, Sub; IMPORT Empty;
CONST TYPE VAR EXCEPTION REVEAL
CONST A = 1; B: INTEGER = 2; CONST
TYPE Opaque <: REFANY; U = T.T;
EXCEPTION E; F(INTEGER); G(TEXT);
VAR v: INTEGER; w, x := 3; y, z: CARDINAL := 4;
PROCEDURE P(); PROCEDURE Q(a: INTEGER; b, c: CHAR := 'x'; VALUE d := 4; VAR e: TEXT; READONLY f: REAL := 1.0;): TEXT RAISES {E, F};
PROCEDURE R() RAISES ANY; PROCEDURE S() RAISES {};
REVEAL Opaque = BRANDED "Sections" REF INTEGER;
END Sections.

(* unit: Sections.m3 *)
MODULE Sections EXPORTS Sections;
FROM Text IMPORT Cat;
VAR t: TEXT;
PROCEDURE P() = BEGIN END P;
PROCEDURE Q(a: INTEGER; b, c: CHAR; VALUE d: INTEGER; VAR e: TEXT; READONLY f: REAL;): TEXT RAISES {E, F} =
  BEGIN
    IF a = 0 THEN RAISE E ELSIF a = 1 THEN RAISE F(d) END;
    e := Cat(e, "!"); IF b = c AND f = 1.0 THEN RETURN e END; RETURN "";
  END Q;
PROCEDURE R() RAISES ANY = BEGIN RAISE G("g") END R;
PROCEDURE S() RAISES {} = CONST TYPE VAR VAR i := 1; BEGIN INC(i); v := i END S;
BEGIN t := ""; END Sections.

(* unit: Pair.ig *)
GENERIC INTERFACE Pair(First, Second);
TYPE T = RECORD a: First.T; b: Second.T END;
PROCEDURE Make(a: First.T; b: Second.T): T;
END Pair.

(* unit: Pair.mg *)
GENERIC MODULE Pair(First, Second);
PROCEDURE Make(a: First.T; b: Second.T): T = BEGIN RETURN T{a, b} END Make;
BEGIN END Pair.

(* unit: None.ig *)
GENERIC INTERFACE None(); CONST X = 42; END None.

(* unit: Nothing.i3 *)
INTERFACE Nothing = None() END Nothing.

(* unit: IntText.i3 *)
INTERFACE IntText = Pair(Integer, Text) END IntText.

(* unit: IntText.m3 *)
MODULE IntText EXPORTS IntText = Pair(Integer, Text) END IntText.

(* unit: Low.i3 *)
UNSAFE INTERFACE Low; PROCEDURE Bits(r: REAL): INTEGER; END Low.

(* unit: Low.m3 *)
UNSAFE MODULE Low; PROCEDURE Bits(r: REAL): INTEGER = BEGIN RETURN LOOPHOLE(r, BITS 32 FOR [0..16_7FFFFFFF]) END Bits; BEGIN END Low.

(* unit: Main.m3 *)
UNSAFE MODULE Main EXPORTS Main;
IMPORT Check, Sections, Text AS T, Text, IntText AS IT, Nothing, Low;
FROM Sections IMPORT A, E, F;
IMPORT Sections AS Again, Empty AS E2;

TYPE
  (* Types. *)
  Point = RECORD x, y: INTEGER; END; Nil = RECORD END;
  Open = ARRAY OF INTEGER; Deep = ARRAY OF ARRAY OF INTEGER; M = ARRAY [0..1], BOOLEAN, ['a'..'c'] OF INTEGER;
  Bits = BITS 4 FOR [0..15]; Enum = {a, b, c}; None = {}; Sub = [Enum.a .. Enum.b]; Parens = ((INTEGER));
  Obj = OBJECT END; Obj2 = Obj OBJECT f: INTEGER; g, h: CHAR METHODS m(); n(x: INTEGER): INTEGER := N; OVERRIDES END;
  Obj3 = Obj2 BRANDED OBJECT OVERRIDES m := M3 END; Obj4 = BRANDED "Obj4" OBJECT METHODS END OBJECT x: TEXT; END;
  Obj5 = ROOT OBJECT END; Obj6 = UNTRACED ROOT OBJECT a: INTEGER END; Obj7 = ROOT BRANDED "Obj" & "7" OBJECT END;
  Proc = PROCEDURE (); Proc2 = PROCEDURE (a: INTEGER; b: CHAR := 'x'; VAR c, d: TEXT): INTEGER RAISES {E};
  Proc3 = PROCEDURE (): PROCEDURE () RAISES {E}; Proc4 = PROCEDURE (): (PROCEDURE ()) RAISES {E};
  Ref = REF INTEGER; Ref2 = UNTRACED REF RECORD END; Ref3 = BRANDED REF CHAR; Ref4 = UNTRACED BRANDED "r4" REF ARRAY OF CHAR;
  SetType = SET OF CHAR; Set2 = SET OF [-3 .. 1+2*3]; Q = Sections.U;

VAR count := 0; word: TEXT := "w";

PROCEDURE N(self: Obj2; x: INTEGER): INTEGER = BEGIN RETURN self.f + x END N;
PROCEDURE M3(self: Obj3) = BEGIN self.f := 100; END M3;
PROCEDURE Inc() = BEGIN INC(count) END Inc;
PROCEDURE Get(): INTEGER = BEGIN INC(count); RETURN count; END Get;
PROCEDURE GetProc(): Proc4 = BEGIN RETURN Inner END GetProc;
PROCEDURE Inner(): Proc = BEGIN RETURN Inc END Inner;

PROCEDURE Statements(n: INTEGER): TEXT RAISES {F} =
  VAR any: REFANY := NEW(Ref); mu := NEW(MUTEX); s := "";
  BEGIN
    BEGIN END; BEGIN s := "a" END; BEGIN s := s & "b"; END;
    VAR i := 1; CONST c = 2; TYPE X = INTEGER; VAR j: X := c; BEGIN count := i + j END;
    CASE n OF END_Not => s := "x" | 1 => | 2, 3 => | 4 .. 6, 8 => s := "c"; ELSE END;
    CASE n OF | 1 => s := s & "1" ELSE s := s & "else"; END;
    IF n = 1 THEN ELSIF n = 2 THEN s := s & "2"; ELSIF n = 3 THEN ELSE END;
    FOR i := 1 TO 3 DO END; FOR i := 3 TO 1 BY -1 DO count := count + i; END;
    LOCK mu DO END; LOCK mu DO INC(count); END;
    LOOP EXIT END; LOOP LOOP EXIT; END; EXIT; END;
    REPEAT UNTIL TRUE; REPEAT INC(count); UNTIL count > 5;
    WHILE FALSE DO END; WHILE count < 10 DO INC(count) END;
    TRY EXCEPT END; TRY EXCEPT ELSE END; TRY EXCEPT E => END; TRY EXCEPT | E => | F => ELSE END;
    TRY RAISE F(3) EXCEPT E, F => s := s & "F"; END; TRY RAISE F(4) EXCEPT | E => | F (x) => count := x; END;
    TRY FINALLY END; TRY s := s & "t"; FINALLY s := s & "f" END;
    TYPECASE any OF END_Type => | Ref (r) => r^ := 1; | Obj, Obj4 => ELSE END;
    TYPECASE any OF NULL => | REF INTEGER => END; TYPECASE any OF ELSE END;
    WITH DO_ = count DO END; WITH a = s, b = a & "w", c = NEW(REF INTEGER)^ DO c := 1; s := b; END;
    EVAL n; EVAL Get(); Inc(); Sections.P(); GetProc()()();
    IF n = 9 THEN RETURN "nine" END; IF n = 10 THEN RAISE F(n) END;
    RETURN s;
  END Statements;

TYPE END_Type = BRANDED REF CHAR; CONST END_Not = 77;

PROCEDURE Expressions() =
  VAR a := ARRAY [0..2] OF Point{Point{1, 2}, Point{y := 3, x := 4}, ..}; r := NEW(REF ARRAY OF Point, 2); o := NEW(Obj3, f := 7, g := 'g');
      i := 5; b := TRUE; m: M; e: T.T := "e";
  BEGIN
    Check.Int(- i + + i * - 2, -15, "signs"); Check.Int(-7 MOD 3, 2, "- and MOD"); Check.Int(- - - i, -5, "- - -");
    Check.Int(2 + 3 * 4 - 10 DIV 3, 11, "levels"); Check.Int(100 DIV 10 DIV 5 * 2, 4, "left to right"); Check.Int(10 - 4 - 3, 3, "left to right");
    Check.That(NOT i = 4 AND NOT NOT b, "NOT"); Check.That(NOT b OR b AND b, "OR AND"); Check.That(i = 5 = b, "= ="); Check.That(1 < 2 = TRUE # FALSE > FALSE, "< = <");
    Check.That((i < 4 OR b) AND NOT (b AND FALSE), "parentheses"); Check.That(NOT i IN SET OF [0..9]{1}, "NOT IN");
    Check.Int(a[0].x + a[1].y * 10 + a[2].x * 100, 431, "selectors"); r[1].x := 6; r^[0].y := 7; Check.Int(r^[1].x + r[0].y, 13, "implicit ^");
    Check.Int(Point{1, 2}.y, 2, "T{}.f"); Check.Int(ARRAY [0..2] OF INTEGER{4, 5, 6}[i - 3], 6, "T{}[i]"); Check.Int(ARRAY OF INTEGER{1, 2}[1], 2, "open constructor");
    m[1, TRUE]['b'] := 8; m[1][TRUE, 'c'] := 9; Check.Int(m[1][TRUE]['b'] + m[1, TRUE, 'c'], 17, "a[i, j]");
    Check.Int(o.n(3), 10, "o.m()"); o.m(); Check.Int(o.f, 100, "o.f"); Check.Int(Obj2.n(o, 1), 101, "T.m()"); Check.Int((o).n(x := 1), 101, "(o).m");
    Check.Int(BITSIZE(INTEGER) + BITSIZE(BITS 4 FOR [0..15]) * 0 + NUMBER([1..3]) + NUMBER(ARRAY [0..1] OF INTEGER), 69, "types as actuals");
    Check.Int(NUMBER(SET_), 3, "subrange"); Check.That(ISTYPE(NEW(Obj2 OBJECT OVERRIDES m := M3x END), Obj2), "NEW of a constructor");
    Check.That('a' IN SET OF CHAR{'a' .. 'c', 'x'} AND SetType{} <= SetType{'a'}, "sets");
    Check.Text(Sections.Q(2, e := e, d := 3) & e, "e!e!", "keywords"); Check.Text(T.Cat("a", "b") & "c" & "d", "abcd", "&");
    Check.Int(IT.Make(3, "x").a + Nothing.X + A + Again.B, 48, "qualified"); Check.Int(Low.Bits(1.0), 16_3F800000, "unsafe");
    Check.That(Enum.b > Enum.a AND FIRST(Sub) = Enum.a, "E.a");
    Check.Int(NEW(REF INTEGER)^, 0, "NEW()^"); Check.Int(NARROW(o, Obj2).f, 100, "NARROW().f"); Check.Int(NUMBER(SUBARRAY(a, 1, 2)), 2, "SUBARRAY");
  END Expressions;
PROCEDURE M3x(<*UNUSED*> self: Obj2) = BEGIN END M3x;
TYPE SET_ = [4..6];
BEGIN
  Expressions();
  TRY
    Check.Text(Statements(1), "ab1Ftfw", "1"); Check.Text(Statements(5), "celseFtfw", "5"); Check.Text(Statements(9), "nine", "9");
    EVAL Statements(10); Check.That(FALSE, "F");
  EXCEPT F (x) => Check.Int(x, 10, "F(x)");
  END;
  Sections.S(); Check.Int(Sections.v, 2, "Sections.v"); Check.Int(Sections.w + Sections.x + Sections.y + Sections.z, 14, "VAR a, b");
  TRY Sections.R() EXCEPT Sections.G (t) => Check.Text(t, "g", "G") ELSE END;
  TRY EVAL Sections.Q(0, e := word) EXCEPT Sections.E => INC(count) | Sections.F (x) => count := x END;
  Check.Done();
END Main.
(* expect: all checks hold *)
