(* golden: run, -w *)
(* Exceptions of all argument types, FINALLY with RETURN and EXIT, LOCK left by EXIT (language.md 13, 14.8, 14.9, 14.10). *)
MODULE Main;
(* exceptions in all nestings *)
IMPORT IO, Fmt, Text, RuntimeError;
EXCEPTION E(INTEGER); F; R(Rec); A(Arr); O(REF ARRAY OF INTEGER); P(PROCEDURE(x: INTEGER): INTEGER); S(SET OF [0..99]); L(LONGREAL); W(Wide);
TYPE Rec = RECORD a: INTEGER; t: TEXT; v: ARRAY [0..4] OF CHAR END; Arr = ARRAY [1..20] OF INTEGER; Wide = RECORD b: BITS 3 FOR [0..7]; c: BITS 5 FOR [0..31] END;
VAR log: TEXT := ""; mu := NEW(MUTEX); bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) = BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
PROCEDURE N(t: TEXT) = BEGIN log := log & t END N;
PROCEDURE Is(t: TEXT; n: INTEGER) = BEGIN IF log # t AND Fmt.Pad(log, 0) # t AND NOT Eq(log, t) THEN IO.Put("FAIL " & Fmt.Int(n) & ": " & log & " for " & t & "\n") END; log := "" END Is;
PROCEDURE Eq(a, b: TEXT): BOOLEAN = BEGIN RETURN Cmp(a, b) END Eq;
PROCEDURE Cmp(a, b: TEXT): BOOLEAN = BEGIN RETURN Fmt.F("%s", a) & "" # NIL AND T2(a, b) END Cmp;
PROCEDURE Ret(): INTEGER = VAR i := 1; BEGIN TRY RETURN i FINALLY i := 0; N("f") END END Ret;
PROCEDURE Ret2(): INTEGER = BEGIN TRY TRY RETURN 1 FINALLY N("a") END FINALLY N("b"); RETURN 2 END END Ret2;
<*NOWARN*> PROCEDURE Ret3(): INTEGER = BEGIN TRY RETURN 1 EXCEPT ELSE N("e") END; RETURN 2 END Ret3;
PROCEDURE Ret4(): INTEGER = BEGIN TRY TRY RAISE F FINALLY RETURN 4 END EXCEPT F => N("x") END; RETURN 5 END Ret4;
PROCEDURE Ex1(): INTEGER = VAR n := 0; BEGIN LOOP INC(n); TRY IF n = 3 THEN EXIT END; TRY IF n = 2 THEN RAISE F END FINALLY N(Fmt.Int(n)) END EXCEPT F => N("F") END END; RETURN n END Ex1;
PROCEDURE Ex2() RAISES {F} = BEGIN FOR i := 1 TO 3 DO LOCK mu DO TRY IF i = 2 THEN EXIT END FINALLY N("u") END END END; LOCK mu DO N("L") END; RAISE F END Ex2;
PROCEDURE Ex3() = BEGIN LOOP TRY RAISE F FINALLY EXIT END END END Ex3;
PROCEDURE Sib() RAISES {E} = BEGIN TRY RAISE F EXCEPT F => RAISE E(7) | E => N("no") END END Sib;
PROCEDURE Deep(n: INTEGER) RAISES {E} = BEGIN TRY IF n = 0 THEN RAISE E(42) ELSE Deep(n - 1) END FINALLY N(Fmt.Int(n)) END END Deep;
PROCEDURE Re() RAISES {E} = BEGIN TRY Deep(1) EXCEPT E(x) => x := x + 1; RAISE E(x) END END Re;
PROCEDURE Nest() RAISES {E} = PROCEDURE In(k: INTEGER) RAISES {E, F} = BEGIN IF k > 1 THEN RAISE F END; RAISE E(k) END In;
  BEGIN TRY In(2) EXCEPT F => In(1) | E(v) => N(Fmt.Int(v)) END END Nest;
PROCEDURE Rep(): INTEGER = BEGIN TRY TRY RAISE E(1) FINALLY RAISE E(2) END EXCEPT E(i) => RETURN i END END Rep;
PROCEDURE Handler2(): INTEGER = BEGIN TRY TRY RAISE F EXCEPT F => TRY RAISE E(3) EXCEPT E(j) => N(Fmt.Int(j)); RAISE R(Rec{9, "nine", ARRAY [0..4] OF CHAR{'z', ..}}) END END EXCEPT R(r) => RETURN r.a + ORD(r.v[4]) END END Handler2;
PROCEDURE All(k: INTEGER): TEXT = VAR a: Arr; BEGIN TRY CASE k OF
  | 0 => FOR i := 1 TO 20 DO a[i] := i END; RAISE A(a) | 1 => RAISE O(NEW(REF ARRAY OF INTEGER, 5)) | 2 => RAISE P(Dbl) | 3 => RAISE S(SET OF [0..99]{1, 98}) | 4 => RAISE L(1.5d0) | 5 => RAISE W(Wide{5, 17}) | 6 => RAISE E(FIRST(INTEGER)) | 7 => EVAL VAL(k + 300, CHAR); | 8 => EVAL k DIV (k - 8) ELSE RETURN "none" END
 EXCEPT A(x) => a[1] := 5; RETURN Fmt.Int(x[1] + x[20]) | O(o) => RETURN Fmt.Int(NUMBER(o^)) | P(p) => RETURN Fmt.Int(p(21)) | S(s) => IF 98 IN s AND NOT (2 IN s) THEN RETURN "set" END | L(l) => RETURN Fmt.LongReal(l) | W(w) => RETURN Fmt.Int(w.b * 100 + w.c) | E(e) => RETURN Fmt.Bool(e = FIRST(INTEGER)) | RuntimeError.E(rt) => RETURN RuntimeError.Tag(rt) END; RETURN "fell" END All;
PROCEDURE Dbl(x: INTEGER): INTEGER = BEGIN RETURN 2 * x END Dbl;
PROCEDURE WhileFin(): INTEGER = VAR n := 0; BEGIN WHILE n < 10 DO TRY INC(n); IF n = 5 THEN RETURN n * 100 END; IF n MOD 2 = 0 THEN RAISE F END; N("o") EXCEPT F => N("e") END END; RETURN -1 END WhileFin;
PROCEDURE T2(a, b: TEXT): BOOLEAN = BEGIN RETURN TextEq(a, b) END T2;
PROCEDURE TextEq(a, b: TEXT): BOOLEAN = VAR x := Fmt.Pad(a, 60); y := Fmt.Pad(b, 60); BEGIN RETURN Same(x, y) END TextEq;
PROCEDURE Same(a, b: TEXT): BOOLEAN = BEGIN RETURN IO2(a, b) END Same;
PROCEDURE IO2(a, b: TEXT): BOOLEAN = BEGIN RETURN Tx(a, b) = 0 END IO2;
PROCEDURE Tx(a, b: TEXT): INTEGER = BEGIN RETURN Text.Compare(a, b) END Tx;
PROCEDURE WithLock(): INTEGER = BEGIN TRY LOCK mu DO WITH x = 5 DO RAISE E(x) END END EXCEPT E(e) => LOCK mu DO RETURN e END END END WithLock;
PROCEDURE FinLoop(): INTEGER = VAR s := 0; BEGIN FOR i := 1 TO 5 DO TRY IF i = 4 THEN EXIT END FINALLY FOR j := 1 TO 3 DO IF j = 2 THEN EXIT END; INC(s, 10) END; INC(s) END END; RETURN s END FinLoop;
PROCEDURE BigRet(): Arr = VAR a: Arr; BEGIN FOR i := 1 TO 20 DO a[i] := 1 END; TRY RETURN a FINALLY a[1] := 100 END END BigRet;
PROCEDURE TxRet(): TEXT = VAR t := "x"; BEGIN TRY TRY RETURN t & "y" FINALLY t := "z"; FOR i := 1 TO 10000 DO EVAL NEW(REF INTEGER) END END FINALLY N(t) END END TxRet;
BEGIN
  Ck(Ret() = 1, 1); Is("f", 101); Ck(Ret2() = 2, 2); Is("ab", 102); Ck(Ret3() = 2, 3); Is("e", 103); Ck(Ret4() = 4, 4); Is("", 104);
  Ck(Ex1() = 3, 5); Is("12F", 105); TRY Ex2(); N("no") EXCEPT F => N("F") END; Is("uuLF", 106); Ex3();
  TRY Sib() EXCEPT E(x) => Ck(x = 7, 7) END; Is("", 107);
  TRY Deep(3) EXCEPT E(x) => N("=" & Fmt.Int(x)) END; Is("0123=42", 108); TRY Re() EXCEPT E(x) => Ck(x = 43, 9) END; Is("01", 109);
  TRY Nest() EXCEPT E(x) => Ck(x = 1, 10) END; Is("", 110); Ck(Rep() = 2, 11); Ck(Handler2() = 9 + ORD('z'), 12); Is("3", 112);
  FOR i := 0 TO 9 DO IO.Put(All(i) & "\n") END;
  Ck(WhileFin() = 500, 13); Is("oeoe", 113); Ck(WithLock() = 5, 14); Ck(FinLoop() = 44, 15);
  Ck(BigRet()[1] = 1, 16); Ck(T2(TxRet(), "xy"), 17); Is("z", 117);
  IO.Put("done\n")
END Main.
(* expect: 21 *)
(* expect: 5 *)
(* expect: 42 *)
(* expect: set *)
(* expect: 1.5 *)
(* expect: 517 *)
(* expect: TRUE *)
(* expect: value out of range *)
(* expect: integer division by zero *)
(* expect: none *)
(* expect: done *)
