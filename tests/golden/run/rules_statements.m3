(* golden: run, with lib/Check, -w *)
(* Every statement (language.md 13, 14.1, 14.2, 14.3, 14.4, 14.5, 14.6, 14.7, 14.8, 14.9, 14.10, 14.11, 14.12, 14.13, 14.14, 14.15). *)
MODULE Main;
IMPORT Check, RuntimeError, Text, Thread, Fmt;
TYPE Err = RuntimeError.T; Color = {Red, Green, Blue}; S = [0..9]; Rec = RECORD a: INTEGER := 1; b: TEXT := "b" END; Vec = ARRAY [0..4] OF INTEGER; O = OBJECT n: INTEGER END; P = O OBJECT END; Q = P OBJECT END; Pk = RECORD a: BITS 3 FOR [0..7]; b: BITS 5 FOR [-16..15]; c: BITS 8 FOR CHAR END; Proc = PROCEDURE (): INTEGER; U = UNTRACED ROOT OBJECT END; UV = U OBJECT x: INTEGER END;
EXCEPTION E; F(INTEGER); G(Rec); H(TEXT); I(Vec); J(Proc); K(S); L(REF INTEGER); M(LONGREAL); N(O); B(BOOLEAN); PK(Pk); SE(SET OF Color); F2(INTEGER);
VAR log := ""; calls := 0; mu := NEW(MUTEX);
PROCEDURE Say(t: TEXT) = BEGIN log := log & t END Say;
PROCEDURE Said(t: TEXT; what: TEXT) = BEGIN Check.Text(log, t, what); log := "" END Said;
PROCEDURE Tick(n: INTEGER): INTEGER = BEGIN INC(calls); RETURN n END Tick;
PROCEDURE Seven(): INTEGER = BEGIN RETURN 7 END Seven;

PROCEDURE Assignments() =
  VAR v := Vec{0, 1, 2, 3, 4}; r := Rec{1, "x"}; i := 2; o := NEW(O, n := 1); a := ARRAY [0..1] OF Rec{Rec{1, "1"}, Rec{2, "2"}}; ra := NEW(REF ARRAY OF REF INTEGER, 2);
  BEGIN
    SUBARRAY(v, 1, 4) := SUBARRAY(v, 0, 4); Check.That(v = Vec{0, 0, 1, 2, 3}, "overlap up"); v := Vec{0, 1, 2, 3, 4}; SUBARRAY(v, 0, 4) := SUBARRAY(v, 1, 4); Check.That(v = Vec{1, 2, 3, 4, 4}, "overlap down");
    r := Rec{r.a + 1, r.b & Fmt.Int(r.a)}; Check.Text(r.b, "x1", "the record is read first"); a := ARRAY [0..1] OF Rec{a[1], a[0]}; Check.Int(a[0].a * 10 + a[1].a, 21, "swap"); v[i] := i; i := v[v[i]]; Check.Int(i, 2, "v[v[i]]");
    calls := 0; v[Tick(1)] := Tick(5); Check.Int(calls * 10 + v[1], 25, "each side once"); o.n := o.n; v := v; ra[0] := NEW(REF INTEGER); ra[0]^ := 5; ra[1] := ra[0]; INC(ra[1]^); Check.Int(ra[0]^, 6, "references"); EVAL Tick(1); EVAL v[0]; EVAL o.n + 1; EVAL NEW(O);
    BEGIN VAR i := 3; BEGIN Check.Int(i, 3, "block") END; Check.Int(i, 2, "block") END;
  END Assignments;

PROCEDURE Ifs(n: INTEGER): TEXT = VAR b: [FALSE .. TRUE] := n > 10; pb: RECORD b: BITS 1 FOR BOOLEAN END; BEGIN pb.b := n < 0; IF b THEN RETURN "large" ELSIF pb.b THEN RETURN "negative" ELSIF Tick(n) = 0 THEN RETURN "0" ELSIF n = 1 THEN ELSE RETURN "else" END; RETURN "1" END Ifs;

PROCEDURE Loops() =
  VAR n := 0; b: BITS 1 FOR BOOLEAN := TRUE;
  BEGIN
    LOOP INC(n); IF n = 3 THEN EXIT END; LOOP INC(n); EXIT; n := 100 END END; Check.Int(n, 3, "EXIT leaves the innermost"); WHILE n < 10 DO INC(n); IF n = 7 THEN EXIT END END; Check.Int(n, 7, "WHILE"); REPEAT DEC(n) UNTIL n <= 3 OR n = 5; Check.Int(n, 5, "REPEAT"); REPEAT DEC(n); IF n = 2 THEN EXIT END UNTIL FALSE; WHILE b DO b := FALSE; INC(n) END; Check.Int(n, 3, "WHILE packed");
    LOOP TRY IF n > 5 THEN EXIT END; INC(n) FINALLY Say(Fmt.Int(n)) END END; Said("4566", "EXIT through FINALLY"); WHILE TRUE DO VAR k := n; BEGIN WITH z = k DO CASE z OF 6 => EXIT ELSE END END END END; LOOP LOCK mu DO EXIT END END; LOCK mu DO Say("free") END; Said("free", "EXIT through LOCK");
    FOR i := 1 TO 3 DO FOR j := 1 TO 3 DO IF j = 2 THEN EXIT END; Say(Fmt.Int(i * 10 + j)) END; IF i = 2 THEN EXIT END END; Said("1121", "EXIT of FOR");
  END Loops;

PROCEDURE R1(n: INTEGER): INTEGER = BEGIN TRY IF n = 0 THEN RETURN n END; FOR i := 0 TO 10 DO WITH k = i DO IF k = n THEN RETURN k * 2 END END END; LOCK mu DO RETURN -1 END FINALLY n := 99; Say("f") END END R1;
PROCEDURE R2(): INTEGER = VAR n := 1; BEGIN TRY RETURN n FINALLY n := 2 END END R2;
PROCEDURE R3(): INTEGER = BEGIN TRY RETURN 1 FINALLY RETURN 2 END END R3;
PROCEDURE R4(): INTEGER = BEGIN TRY RAISE E FINALLY RETURN 3 END END R4;
PROCEDURE R5(): INTEGER = BEGIN LOOP TRY RETURN 1 FINALLY EXIT END END; RETURN 4 END R5;
PROCEDURE R6(): INTEGER = BEGIN TRY RETURN 1 EXCEPT ELSE END; RETURN 5 END R6;
PROCEDURE R7(): INTEGER = BEGIN LOOP TRY EXIT EXCEPT ELSE RETURN 6 END END; RETURN 7 END R7;
PROCEDURE R8(): INTEGER RAISES {F} = BEGIN TRY TRY RAISE E FINALLY RAISE F(8) END EXCEPT E => RETURN 0 END; RETURN 1 END R8;
PROCEDURE R9(): Rec = VAR r: Rec; BEGIN TRY r.a := 5; RETURN r FINALLY r.a := 6; r.b := "z" END END R9;
PROCEDURE R10(): TEXT = BEGIN TRY TRY Say("1"); RETURN "r" FINALLY Say("2") END FINALLY Say("3"); TRY RAISE E EXCEPT E => Say("4") END END END R10;
PROCEDURE R11(VAR v: INTEGER): INTEGER = BEGIN TRY TRY RETURN v FINALLY INC(v); TRY RETURN v * 10 FINALLY INC(v) END END FINALLY INC(v) END END R11;
PROCEDURE R12() = BEGIN TRY RETURN FINALLY TRY LOOP EXIT END FINALLY Say("x") END END END R12;

PROCEDURE Tries() =
  VAR v := 1; n := 0;
  PROCEDURE Raise(k: INTEGER) RAISES ANY =
    BEGIN
      CASE k OF 0 => RAISE E | 1 => RAISE F(11) | 2 => RAISE G(Rec{2, "two"}) | 3 => RAISE H("three") | 4 => RAISE I(Vec{4, ..}) | 5 => RAISE J(Seven) | 6 => RAISE K(6) | 7 => RAISE L(NEW(REF INTEGER)) | 8 => RAISE M(8.0d0) | 9 => RAISE N(NEW(Q, n := 9)) | 10 => RAISE B(TRUE) | 11 => RAISE PK(Pk{7, -16, 'p'}) | 12 => RAISE SE(SET OF Color{Color.Blue}) | 13 => RAISE F2(13) | 14 => EVAL VAL(k, S) ELSE Say("none") END;
    END Raise;
  BEGIN
    FOR k := 0 TO 15 DO
      TRY Raise(k); Say(".")
      EXCEPT
      | E => Say("E") | G (r) => r.a := r.a + 1; Say(r.b & Fmt.Int(r.a)) | H (t) => Say(t) | I (a) => a[0] := 5; Say(Fmt.Int(a[0] + a[4])) | J (p) => Say(Fmt.Int(p())) | K (s) => INC(s); Say(Fmt.Int(s)) | L (r) => r^ := 3; Say(Fmt.Int(r^)) | M (d) => Say(Fmt.LongReal(d)) | N (o) => Say(Fmt.Bool(ISTYPE(o, Q))) | B (b) => Say(Fmt.Bool(NOT b)) | PK (p) => p.a := 1; Say(Fmt.Int(p.a + p.b) & Fmt.Char(p.c)) | SE (s) => Say(Fmt.Bool(s = SET OF Color{Color.Blue})) | F, F2 (f) => Say(Fmt.Int(f))
      | RuntimeError.E (e) => Say("!" & Fmt.Int(ORD(e)));
      END; Say(" ");
    END;
    Said("E 11 two3 three 9 7 7 3 8 TRUE FALSE -15p TRUE 13 !1 none. ", "arguments");
    Check.Int(R1(0) * 100 + R1(4) * 10 + R1(50), 79, "RETURN"); Said("fff", "FINALLY"); Check.Int(R2() + R3() * 10 + R4() * 100 + R5() * 1000 + R6() * 10000 + R7() * 100000, 654321, "RETURN and FINALLY"); TRY EVAL R8(); Say("no") EXCEPT F (x) => Check.Int(x, 8, "FINALLY replaces") END; Check.Int(R9().a, 5, "R9"); Check.Text(R9().b, "b", "R9"); Check.Text(R10(), "r", "R10"); Said("1234", "R10"); Check.Int(R11(v) * 10 + v, 204, "R11"); R12(); Said("x", "R12");
    TRY TRY RAISE E EXCEPT E => RAISE F(1) | F => Say("sibling") END EXCEPT F => Say("outer") END; Said("outer", "handlers do not protect each other"); TRY TRY RAISE E EXCEPT F => Say("F") END EXCEPT E => Say("on") END; Said("on", "no match"); TRY TRY RAISE E EXCEPT E => Say("a"); RAISE E ELSE Say("b") END EXCEPT E => Say("c") END; Said("ac", "re-raise");
    TRY TRY TRY RAISE F(1) FINALLY Say("1") END EXCEPT F (x) => TRY RAISE F(x + 1) FINALLY Say("2") END END EXCEPT F (x) => Say(Fmt.Int(x * 10)) END; Said("1220", "nested"); FOR k := 1 TO 3 DO TRY IF k = 2 THEN RAISE E END; Say("n") EXCEPT E => Say("e") END END; Said("nen", "in a loop"); LOOP TRY RAISE E FINALLY EXIT END END; Say("swallowed"); Said("swallowed", "EXIT in FINALLY"); TRY LOCK mu DO RAISE E END EXCEPT ELSE Say("ELSE") END; LOCK mu DO Say("!") END; Said("ELSE!", "LOCK");
    TRY TRY n := 1 DIV (n - 0) FINALLY Say("fin") END EXCEPT RuntimeError.E (x) => Say(Fmt.Bool(x = Err.IntegerDivideByZero)) END; Said("finTRUE", "a run-time error runs FINALLY");
  END Tries;

PROCEDURE Withs() =
  VAR v := Vec{1, 2, 3, 4, 5}; i := 1; p: Pk; o := NEW(O); m := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, 3); r: REF Rec := NIL; pa: ARRAY [0..9] OF BITS 3 FOR [0..7]; nil: REF INTEGER;
  PROCEDURE Entry() = BEGIN WITH x = r.a DO Say("never") END END Entry; PROCEDURE Entry2() = BEGIN WITH x = v[i + 10] DO Say("never") END END Entry2;
  BEGIN
    WITH e = v[i] DO INC(i); e := 20 END; Check.Int(v[1] + v[2], 23, "frozen"); WITH e = i + 1, f = e * 2 DO i := 50; Check.Int(e + f, 9, "a value") END; WITH a = p.b, b = p.a, c = p.c DO a := -16; b := 7; c := 'c'; Check.That(p.b = -16 AND p.a = 7, "packed fields"); INC(a); DEC(b, 3) END; Check.That(p.b = -15 AND p.a = 4 AND p.c = 'c', "packed fields"); FOR k := 0 TO 9 DO WITH e = pa[k] DO e := k MOD 8 END END; Check.Int(pa[9] * 10 + pa[7], 17, "packed elements"); WITH w = p DO w.a := 1; WITH z = w.b DO z := 3 END END; Check.Int(p.a + p.b, 4, "a packed record");
    WITH row = m[1], s = SUBARRAY(row, 1, 2), n = NUMBER(s) DO s[n - 1] := 6; row[0] := 5; m := NIL END; Check.That(m = NIL, "open arrays"); Check.Fails(Entry, Err.BadMemoryReference, "NIL at entry"); i := 1; Check.Fails(Entry2, Err.SubscriptOutOfRange, "subscript at entry"); WITH n = o.n DO o := NEW(O, n := 9); n := 3 END; Check.Int(o.n, 9, "the old object"); WITH c = Color.Blue, t = "text" & "!", f = Seven, nil = NIL, s = SET OF S{3} DO Check.That(c = Color.Blue AND f() = 7 AND nil = NIL AND 3 IN s, "constants"); Check.Text(t, "text!", "text") END; WITH z = NEW(REF INTEGER)^ DO z := 4; Check.Int(z, 4, "NEW()^") END; WITH a = ARRAY OF INTEGER{1, 2} DO Check.Int(NUMBER(a), 2, "open constructor") END; WITH x = Rec{}, y = x.b DO Check.Text(y, "b", "a record") END;
  END Withs;

PROCEDURE Fors() =
  VAR n := 3; k := 0; t := ""; last := LAST(INTEGER); first := FIRST(INTEGER); lo: [5..7] := 5; l: LONGINT := 0L;
  BEGIN
    FOR i := 1 TO n DO n := 0; INC(k, i) END; Check.Int(k, 6, "bounds once"); calls := 0; FOR i := Tick(1) TO Tick(7) BY Tick(3) DO t := t & Fmt.Int(i) END; Check.Text(t & Fmt.Int(calls), "1473", "BY"); FOR i := 5 TO 1 DO t := "no" END; FOR i := 1 TO 5 BY -1 DO t := "no" END; t := ""; FOR i := 5 TO 1 BY -2 DO t := t & Fmt.Int(i) END; FOR i := 3 TO 3 DO t := t & "x" END; Check.Text(t, "531x", "down");
    k := 0; FOR b := FALSE TO TRUE DO INC(k) END; FOR c := Color.Red TO Color.Blue DO INC(k, ORD(c)) END; FOR c := Color.Blue TO Color.Red BY -1 DO INC(k, 10) END; FOR c := FIRST(CHAR) TO LAST(CHAR) DO INC(k, 100) END; FOR c := LAST(CHAR) TO FIRST(CHAR) BY -255 DO INC(k, 100000) END; FOR c := 'a' TO 'e' BY 2 DO INC(k, 1000000) END; Check.Int(k, 3225635, "enumerations");
    k := 0; FOR i := last - 2 TO last DO INC(k) END; FOR i := last - 1 TO last BY 2 DO INC(k, 10) END; FOR i := first + 2 TO first BY -1 DO INC(k, 100) END; FOR i := first + 1 TO first BY -5 DO INC(k, 1000) END; FOR i := first TO last BY LAST(INTEGER) DO INC(k, 10000) END; FOR i := last TO first BY first DO INC(k, 100000) END; FOR i := last - 1 TO last DO FOR j := last TO last DO INC(k, 1000000) END END; Check.Int(k, 2231313, "ends of INTEGER"); k := 0; FOR i := lo TO 7 DO VAR big := i + 100; BEGIN INC(k, big) END END; Check.Int(k, 318, "INTEGER, not the subrange"); FOR i := 1L TO 3L DO l := l + i END; FOR i := LAST(LONGINT) - 1L TO LAST(LONGINT) BY 1L DO l := l + 10L END; FOR i := 9L TO 0L BY -4L DO l := l + 100L END; Check.That(l = 326L, "LONGINT");
    FOR i := 0 TO 10 DO IF i = 4 THEN EXIT END; k := i END; Check.Int(k, 3, "EXIT"); k := 0; FOR i := 1 TO 3 DO FOR i := i TO i + 1 DO INC(k, i) END END; Check.Int(k, 15, "hidden"); FOR i := W'a' TO W'c' DO INC(k) END; Check.Int(k, 18, "WIDECHAR"); FOR i := 0 TO 2 BY 0 DO INC(k); IF k > 30 THEN EXIT END END; Check.Int(k, 31, "step 0");
  END Fors;

PROCEDURE Case1(n: INTEGER): TEXT = BEGIN CASE n OF | FIRST(INTEGER) => RETURN "first" | LAST(INTEGER) - 1 .. LAST(INTEGER) => RETURN "last" | -3 .. -1, 1 .. 3 => RETURN "small" | 0 => RETURN "0" | 9 .. 5 => RETURN "empty" | 100, 200, 300 .. 302 => RETURN "some" | 16_100000000 => RETURN "2^32" ELSE RETURN "else" END END Case1;
PROCEDURE Case2(l: LONGINT): INTEGER = BEGIN CASE l OF 0L => RETURN 0 | 1L .. 5L => RETURN 1 | LAST(LONGINT) => RETURN 2 | FIRST(LONGINT) .. -5L => RETURN 3 ELSE RETURN 4 END END Case2;
PROCEDURE Case3(c: CHAR): INTEGER = BEGIN CASE c OF 'a' .. 'z', 'A' .. 'Z' => RETURN 1 | '\000' .. '\037' => RETURN 2 | '\377' => RETURN 3 ELSE END; CASE c OF '0' .. '9' => ELSE RETURN 5 END; RETURN 4 END Case3;
PROCEDURE Case4(c: Color): INTEGER = VAR w: [Color.Red .. Color.Green]; BEGIN IF c < Color.Blue THEN w := c; CASE w OF Color.Red => RETURN 1 | Color.Green => RETURN 2 END END; CASE c OF Color.Blue => RETURN 3 END END Case4;
PROCEDURE Type1(r: REFANY): TEXT = BEGIN TYPECASE r OF | Q (q) => IF q = NIL THEN RETURN "nil" END; q.n := 1; RETURN "Q" | P => RETURN "P" | O (o) => o := NIL; RETURN "O" | TEXT (t) => RETURN t | REF INTEGER, REF CHAR => RETURN "ref" | MUTEX => RETURN "mutex" ELSE RETURN "else" END END Type1;
PROCEDURE Type2(o: O): TEXT = BEGIN TYPECASE o OF NULL => RETURN "null" | Q => RETURN "Q" | O => RETURN "O" END END Type2;
PROCEDURE Type3(u: U): INTEGER = BEGIN TYPECASE u OF NULL => RETURN 0 | UV (v) => RETURN v.x ELSE RETURN 2 END END Type3;

PROCEDURE Incs() =
  VAR v := Vec{1, ..}; i := 0; c := Color.Red; ch := 'a'; l := 5L; p: Pk; b := FALSE; s: S := 5; cd: CARDINAL := 3; w := W'a'; z: [-5 .. 5] := 0;
  BEGIN
    calls := 0; INC(v[Tick(2)], Tick(4)); Check.Int(calls * 10 + v[2], 25, "v once"); DEC(v[Tick(2)]); INC(v[2], -2); Check.Int(calls * 10 + v[2], 32, "DEC"); INC(c); INC(c); DEC(c, 2); INC(ch, 25); INC(l); DEC(l, 10L); INC(b); DEC(s, 5); INC(s, 9); INC(cd, -3); INC(w, 2); DEC(z, 5); INC(z, 10); Check.That(c = Color.Red AND ch = 'z' AND l = -4L AND b AND s = 9 AND cd = 0 AND w = W'c' AND z = 5, "all types"); p.a := 3; INC(p.a, 4); p.b := -16; INC(p.b, 31); p.c := 'a'; INC(p.c); Check.That(p.a = 7 AND p.b = 15 AND p.c = 'b', "packed"); WITH x = i DO INC(x, 5); DEC(x) END; Check.Int(i, 4, "WITH");
  END Incs;

PROCEDURE Apply(<*UNUSED*> c: Thread.Closure): REFANY = BEGIN TRY RAISE E EXCEPT E => RETURN NIL END END Apply;

BEGIN
  Assignments(); Check.Text(Ifs(11) & Ifs(-1) & Ifs(0) & Ifs(1) & Ifs(2), "largenegative01else", "IF"); Loops(); Tries(); Withs(); Fors();
  Check.Text(Case1(FIRST(INTEGER)) & Case1(LAST(INTEGER)) & Case1(-2) & Case1(0) & Case1(7) & Case1(301) & Case1(16_100000000) & Case1(LAST(INTEGER) - 2), "firstlastsmall0elsesome2^32else", "CASE"); Check.Int(Case2(0L) + Case2(3L) * 10 + Case2(LAST(LONGINT)) * 100 + Case2(-100L) * 1000 + Case2(-4L) * 10000, 43210, "CASE LONGINT"); Check.Int(Case3('q') + Case3('\n') * 10 + Case3('\377') * 100 + Case3('5') * 1000 + Case3('-') * 10000, 54321, "CASE CHAR"); Check.Int(Case4(Color.Red) + Case4(Color.Green) * 10 + Case4(Color.Blue) * 100, 321, "CASE enumeration");
  Check.Text(Type1(NIL) & Type1(NEW(Q)) & Type1(NEW(P)) & Type1(NEW(O)) & Type1("t") & Type1(NEW(REF CHAR)) & Type1(mu) & Type1(NEW(REF BOOLEAN)), "nilQPOtrefmutexelse", "TYPECASE"); Check.Text(Type2(NIL) & Type2(NEW(Q)) & Type2(NEW(P)), "nullQO", "NULL first"); Check.Int(Type3(NIL) + Type3(NEW(UV, x := 10)) + Type3(NEW(U)) * 100, 210, "untraced objects"); Incs();
  TRY EVAL Thread.Join(Thread.Fork(NEW(Thread.Closure, apply := Apply))) EXCEPT ELSE Say("crossed") END; Said("", "threads"); Check.Done();
END Main.
(* expect: all checks hold *)
