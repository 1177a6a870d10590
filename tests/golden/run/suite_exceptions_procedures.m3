(* golden: run, -w *)
(* Exceptions through FINALLY, RETURN and EXIT; closures; parameter modes, names and defaults. *)
MODULE Main;
IMPORT IO, Fmt, Text;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
EXCEPTION E0; E1(INTEGER); ER(RECORD a: INTEGER; b: LONGREAL; c: TEXT END); EA(ARRAY [0..9] OF INTEGER); EO(REFANY); ET(TEXT);
TYPE Rec = RECORD a: INTEGER; b: LONGREAL; c: TEXT END;
VAR trace := "";
PROCEDURE P(t: TEXT) = BEGIN trace := trace & t END P;
PROCEDURE Is(t: TEXT; n: INTEGER) = BEGIN IF NOT Text.Equal(t, trace) THEN IO.Put("got " & trace & " want " & t & "\n"); Ck(FALSE, n) END; trace := "" END Is;
PROCEDURE F1(): INTEGER = VAR i := 1; BEGIN TRY RETURN i FINALLY i := 2; P("f") END END F1;
PROCEDURE F2(): INTEGER = BEGIN TRY RETURN 1 FINALLY RETURN 2 END END F2;
PROCEDURE F3(): INTEGER = BEGIN LOOP TRY RAISE E0 FINALLY EXIT END END; RETURN 3 END F3;
PROCEDURE F4(): INTEGER = BEGIN TRY RETURN 1 EXCEPT ELSE P("e") END; RETURN 2 END F4;
PROCEDURE F5(n: INTEGER): INTEGER RAISES {E1} =
  BEGIN
    TRY TRY IF n = 0 THEN RAISE E1(10) END; P("a") FINALLY P("b"); IF n = 1 THEN RAISE E1(20) END END; P("c")
    FINALLY P("d") END;
    RETURN n
  END F5;
PROCEDURE F6() RAISES {E1, E0} = BEGIN TRY RAISE E0 EXCEPT E0 => RAISE E1(5) | E1 => P("no") END END F6;
PROCEDURE F7() = BEGIN
    FOR i := 1 TO 5 DO
      TRY TRY IF i = 2 THEN EXIT END; P(Fmt.Int(i)) FINALLY P("x") END FINALLY P("y") END
    END; P("z")
  END F7;
PROCEDURE Deep(n: INTEGER) RAISES {EA, ER, ET, EO} =
  VAR a: ARRAY [0..9] OF INTEGER;
  BEGIN
    IF n = 0 THEN FOR i := 0 TO 9 DO a[i] := i * i END; RAISE EA(a) END;
    IF n = -1 THEN RAISE ER(Rec {1, 2.5d0, "three"}) END;
    IF n = -2 THEN RAISE ET("text") END;
    IF n = -3 THEN RAISE EO(NEW(REF INTEGER)) END;
    TRY Deep(n - 1) FINALLY P("u") END
  END Deep;
PROCEDURE Nest(n: INTEGER): INTEGER =
  VAR k := n;
  PROCEDURE Inner(m: INTEGER): INTEGER = 
    PROCEDURE Inn2() = BEGIN INC(k, m); IF m > 3 THEN EVAL Inner(m - 1) END END Inn2;
    BEGIN Inn2(); RETURN k END Inner;
  BEGIN RETURN Inner(5) END Nest;
TYPE Proc = PROCEDURE (i: INTEGER): INTEGER;
VAR g: Proc;
PROCEDURE Apply(p: Proc; n: INTEGER): INTEGER = BEGIN RETURN p(n) END Apply;
PROCEDURE Eq(p, q: Proc): BOOLEAN = BEGIN RETURN p = q END Eq;
PROCEDURE Top(i: INTEGER): INTEGER = BEGIN RETURN -i END Top;
PROCEDURE Clos(n: INTEGER; other: Proc := NIL): BOOLEAN =
  PROCEDURE In(i: INTEGER): INTEGER = BEGIN RETURN i + n END In;
  BEGIN
    Ck(Apply(In, 3) = n + 3, 30); Ck(Eq(In, In), 31); Ck(NOT Eq(In, Top), 32);
    IF other = NIL THEN RETURN Clos(n + 1, In) ELSE Ck(other(0) = n - 1, 33); Ck(In # other, 34); RETURN other # NIL END
  END Clos;
PROCEDURE Def(a: INTEGER := 3; b := 'x'; READONLY c: TEXT := "def"; d: REAL := 1.5): TEXT = BEGIN RETURN Fmt.Int(a) & Fmt.Char(b) & c & Fmt.Real(d) END Def;
PROCEDURE RO (READONLY x: INTEGER; READONLY y: CARDINAL): INTEGER = BEGIN glob := 77; RETURN x + y END RO;
PROCEDURE ROA (READONLY x: ARRAY OF CHAR): INTEGER = BEGIN RETURN NUMBER(x) END ROA;
VAR glob := 5;
PROCEDURE Val(r: Rec; VAR s: Rec) = BEGIN r.a := 99; s.a := r.a END Val;
PROCEDURE NoBody () = BEGIN END NoBody;
BEGIN
  Ck(F1() = 1, 1); Is("f", 2); Ck(F2() = 2, 3); Ck(F3() = 3, 4); Ck(F4() = 2, 5); Is("e", 6);
  TRY Ck(F5(2) = 2, 7); EXCEPT E1 => Ck(FALSE, 8) END; Is("abcd", 9);
  TRY EVAL F5(0); EXCEPT E1(x) => Ck(x = 10, 10) END; Is("bd", 11);
  TRY EVAL F5(1); EXCEPT E1(x) => Ck(x = 20, 12); x := 3 END; Is("abd", 13);
  TRY F6() EXCEPT E0 => Ck(FALSE, 14) | E1(i) => Ck(i = 5, 15) END;
  F7(); Is("1xyxyz", 16);
  TRY Deep(3) EXCEPT EA(a) => Ck(a[9] = 81, 17) | ER(r) => Ck(r.a = 3, 18) | ET => | EO => END; Is("uuu", 19);
  TRY Deep(-1) EXCEPT ER(r) => Ck(r.a = 1 AND r.b = 2.5d0 AND Text.Equal(r.c, "three"), 20) ELSE Ck(FALSE, 21) END;
  TRY Deep(-2) EXCEPT ET(t) => Ck(Text.Equal(t, "text"), 22) ELSE Ck(FALSE, 21) END;
  TRY Deep(-3) EXCEPT EO(t) => Ck(ISTYPE(t, REF INTEGER), 23) ELSE Ck(FALSE, 21) END;
  TRY TRY Deep(-3) EXCEPT E0 => Ck(FALSE, 24) END EXCEPT EO, ET => P("got") ELSE END; Is("got", 25);
  Ck(Nest(1) = 1+5+4+3, 26);
  Ck(Apply(Top, 4) = -4, 27); g := Top; Ck(g(1) = -1 AND g = Top, 28); EVAL Clos(1);
  Ck(Text.Equal(Def(b := 'y', a := 4), "4ydef1.5"), 35); Ck(Text.Equal(Def(1, d := 2.0), "1xdef2"), 36);
  Ck(RO(glob, 1) = 78, 37); glob := 5; Ck(RO(glob + 0, 1) = 6, 38); glob := 5; Ck(RO(1, glob) = 6, 39);
  Ck(ROA(ARRAY OF CHAR {'a', 'b'}) = 2 AND ROA(ARRAY OF CHAR {}) = 0, 40);
  VAR a, b := Rec {1, 2.0d0, NIL}; BEGIN Val(a, b); Ck(a.a = 1 AND b.a = 99, 41) END;
  WITH p = Top DO Ck(p(3) = -3, 42) END;
  TRY TRY RAISE E0 FINALLY P("1"); TRY RAISE E1(4) EXCEPT E1 => P("2") END END EXCEPT E0 => P("3") END; Is("123", 43);
  LOOP TRY EXIT EXCEPT E0 => P("no") END END;
  LOOP TRY TRY EXIT FINALLY P("w") END EXCEPT ELSE P("ee"); EXIT END END; Is("wee", 44);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
