(* golden: run, -w *)
(* Exceptions: arguments of all types, FINALLY with every way out, re-raising, nested procedures, methods, RAISES. *)
MODULE Main;
IMPORT IO, Fmt, Text, RuntimeError, Thread;
VAR bad := 0; log := "";
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
PROCEDURE L(t: TEXT) = BEGIN log := log & t END L;
PROCEDURE Is(t: TEXT; n: INTEGER) = BEGIN IF NOT Text.Equal(log, t) THEN IO.Put("got " & log & "\n"); Ck(FALSE, n) END; log := "" END Is;
TYPE Rec = RECORD a: INTEGER; b: ARRAY [0..9] OF LONGREAL; t: TEXT END; Arr = ARRAY [0..99] OF INTEGER; O = OBJECT v: INTEGER METHODS go(n: INTEGER): INTEGER RAISES {E, I} := Go END; P = PROCEDURE (n: INTEGER) RAISES ANY;
  En = {one, two, three}; St = SET OF CHAR; BigSet = SET OF [0..999]; Pk = RECORD a: BITS 3 FOR [0..7]; b: BITS 5 FOR [-16..15] END;
EXCEPTION E; I(INTEGER); R(Rec); A(Arr); T(TEXT); Ob(O); Pr(P); X(REAL); LR(LONGREAL); EX(EXTENDED); C(CHAR); B(BOOLEAN); En1(En); S(St); BS(BigSet); LI(LONGINT); Rf(REF INTEGER); Sub([1..5]); K(Pk); Ad(ADDRESS); Nil(REFANY); Op(REF ARRAY OF INTEGER); WC(WIDECHAR); Em(RECORD END);
PROCEDURE Go(o: O; n: INTEGER): INTEGER RAISES {E, I} =
  BEGIN IF n = 0 THEN RAISE E ELSIF n = 1 THEN RAISE I(o.v) END; RETURN n END Go;
PROCEDURE Quiet(<*UNUSED*> n: INTEGER) = BEGIN L("q") END Quiet;
PROCEDURE Args() =
  VAR arr: Arr; rec: Rec; bs: BigSet; big := NEW(REF ARRAY OF INTEGER, 3);
  BEGIN
    FOR i := 0 TO 99 DO arr[i] := i * i END; rec.a := 5; rec.b[9] := 2.5d0; rec.t := "tt"; bs := BigSet{3..500}; big[2] := 8;
    TRY RAISE R(rec) EXCEPT R(r) => Ck(r = rec, 1); r.a := 6; Ck(rec.a = 5, 2) END;
    TRY RAISE A(arr) EXCEPT A(a) => Ck(a = arr AND a[99] = 9801, 3) END;
    TRY RAISE T("x" & "y") EXCEPT T(t) => Ck(Text.Equal(t, "xy"), 4) END;
    TRY RAISE Ob(NEW(O, v := 4)) EXCEPT Ob(o) => Ck(o.v = 4, 5) END;
    TRY RAISE Pr(Quiet) EXCEPT Pr(p) => p(1); Is("q", 6) END;
    TRY RAISE X(1.5) EXCEPT X(x) => Ck(x = 1.5, 7) END;
    TRY RAISE LR(1.5d0) EXCEPT LR(x) => Ck(x = 1.5d0, 8) END;
    TRY RAISE EX(1.5x0) EXCEPT EX(x) => Ck(x = 1.5x0, 9) END;
    TRY RAISE C('c') EXCEPT C(c) => Ck(c = 'c', 10) END;
    TRY RAISE B(TRUE) EXCEPT B(b) => Ck(b, 11) END;
    TRY RAISE En1(En.three) EXCEPT En1(e) => Ck(e = En.three, 12) END;
    TRY RAISE S(St{'a'..'f'}) EXCEPT S(s) => Ck('c' IN s, 13) END;
    TRY RAISE BS(bs) EXCEPT BS(s) => Ck(s = bs, 14) END;
    TRY RAISE LI(-5L) EXCEPT LI(l) => Ck(l = -5L, 15) END;
    TRY RAISE Rf(NEW(REF INTEGER)) EXCEPT Rf(r) => r^ := 3; Ck(r^ = 3, 16) END;
    TRY RAISE Sub(3) EXCEPT Sub(s) => Ck(s = 3, 17) END;
    TRY RAISE K(Pk{7, -16}) EXCEPT K(k) => Ck(k.a = 7 AND k.b = -16, 18) END;
    TRY RAISE Ad(NIL) EXCEPT Ad(a) => Ck(a = NIL, 19) END;
    TRY RAISE Nil("text") EXCEPT Nil(r) => Ck(ISTYPE(r, TEXT), 20) END;
    TRY RAISE Op(big) EXCEPT Op(o) => Ck(o[2] = 8, 21) END;
    TRY RAISE WC(W'\x1234') EXCEPT WC(w) => Ck(ORD(w) = 16_1234, 22) END;
    TRY RAISE Em(RECORD END{}) EXCEPT Em => L("em") END; Is("em", 23);
    TRY RAISE R(Rec{1, rec.b, "z"}) EXCEPT R => L("r") END; Is("r", 24);
  END Args;
PROCEDURE F1(k: INTEGER): INTEGER RAISES {E, I} =
  BEGIN
    TRY
      L("a"); IF k = 1 THEN RETURN 10 ELSIF k = 2 THEN RAISE E ELSIF k = 3 THEN RAISE I(3) END; L("b")
    FINALLY L("f") END;
    L("c"); RETURN 20
  END F1;
PROCEDURE F2(k: INTEGER): INTEGER RAISES {E} =
  BEGIN
    LOOP
      TRY
        TRY
          IF k = 1 THEN EXIT ELSIF k = 2 THEN RETURN 5 ELSIF k = 3 THEN RAISE E END; L("n"); k := 1;
        FINALLY L("1") END;
      FINALLY L("2") END;
      L("3");
    END;
    L("4"); RETURN 6
  END F2;
PROCEDURE F3(): INTEGER = BEGIN TRY RAISE E FINALLY RETURN 7 END END F3;
PROCEDURE F4(): INTEGER = BEGIN LOOP TRY RETURN 1 FINALLY EXIT END END; RETURN 2 END F4;
PROCEDURE F5() RAISES {I} = BEGIN TRY RAISE E FINALLY RAISE I(5) END END F5;
PROCEDURE F6(): INTEGER = VAR i := 1; BEGIN TRY RETURN i FINALLY i := 0 END END F6;
PROCEDURE F7(): INTEGER = BEGIN TRY RETURN 1 EXCEPT ELSE END; RETURN 2 END F7;
PROCEDURE F8(): INTEGER = BEGIN LOOP TRY EXIT EXCEPT ELSE L("e"); RETURN 3 END END; RETURN 4 END F8;
PROCEDURE F9() RAISES {E} =
  BEGIN TRY RAISE I(9) EXCEPT I(i) => IF i = 9 THEN RAISE E END | E => L("wrong") END END F9;
PROCEDURE Deep(n: INTEGER) RAISES {I} =
  BEGIN IF n = 0 THEN RAISE I(0) END; TRY Deep(n - 1) EXCEPT I(i) => RAISE I(i + n) END END Deep;
PROCEDURE Deeper(n: INTEGER) RAISES {I} = BEGIN IF n = 0 THEN RAISE I(77) END; TRY Deeper(n - 1) FINALLY IF n MOD 100 = 0 THEN L(".") END END END Deeper;
PROCEDURE Nest(k: INTEGER): TEXT =
  VAR local := "l";
  PROCEDURE Inner() RAISES {E, T} =
    PROCEDURE Inmost() RAISES {E, T} = BEGIN local := local & "m"; IF k = 0 THEN RAISE E ELSE RAISE T(local & "t") END END Inmost;
    BEGIN TRY Inmost() FINALLY local := local & "f" END END Inner;
  BEGIN
    TRY Inner() EXCEPT E => RETURN local & "E" | T(t) => RETURN t & local END;
    RETURN "no"
  END Nest;
PROCEDURE Call(p: PROCEDURE() RAISES ANY): TEXT =
  <*FATAL ANY*> BEGIN TRY p() EXCEPT E => RETURN "E" | I(i) => RETURN "I" & Fmt.Int(i) | T, C => RETURN "TC" | RuntimeError.E(e) => RETURN "RT:" & RuntimeError.Tag(e) ELSE RETURN "else" END; RETURN "fine" END Call;
PROCEDURE P1() RAISES {E} = BEGIN RAISE E END P1;
PROCEDURE P2() RAISES {C} = BEGIN RAISE C('c') END P2;
PROCEDURE P3() RAISES {X} = BEGIN RAISE X(0.0) END P3;
PROCEDURE P4() = BEGIN END P4;
PROCEDURE P5() = VAR z := 0; a: ARRAY [0..3] OF INTEGER; BEGIN a[0] := 3; z := NUMBER(a) + z; a[z] := 1 END P5;
PROCEDURE P6() = VAR o: O; BEGIN EVAL o.v END P6;
PROCEDURE P7() = VAR r: REFANY := "a"; BEGIN r := NARROW(r, REF INTEGER) END P7;
PROCEDURE P8() = VAR i := 5; BEGIN CASE i OF 1 => END END P8;
PROCEDURE P9() = VAR i := -1; c: CARDINAL; BEGIN c := i; L(Fmt.Int(c)) END P9;
PROCEDURE P10() = BEGIN <*ASSERT FALSE*> END P10;
PROCEDURE P11() = VAR z := 0; BEGIN L(Fmt.Int(5 DIV z)) END P11;
PROCEDURE P12() = VAR p: PROCEDURE(); BEGIN p() END P12;
PROCEDURE P13() = BEGIN RAISE E END P13;
PROCEDURE P14() = VAR r: REFANY := "a"; BEGIN TYPECASE r OF REF INTEGER => | REF CHAR => END END P14;
PROCEDURE P15() = VAR a: REF ARRAY OF CHAR := NEW(REF ARRAY OF CHAR, 3); b: ARRAY [0..1] OF CHAR; BEGIN b := a^ END P15;
PROCEDURE P16() = VAR n := -1; BEGIN EVAL NEW(REF ARRAY OF CHAR, n) END P16;
PROCEDURE P17(): INTEGER = BEGIN END P17;
PROCEDURE P17a() = BEGIN EVAL P17() END P17a;
PROCEDURE P18() = VAR p: PROCEDURE(); PROCEDURE Q() = BEGIN END Q; BEGIN p := Q END P18;
PROCEDURE P19() = VAR a := ARRAY [0..3] OF CHAR{'a',..}; n := 2; BEGIN WITH s = SUBARRAY(a, n, 3) DO L(Fmt.Int(NUMBER(s))) END END P19;
TYPE Base = OBJECT METHODS m() END;
PROCEDURE P20() = BEGIN NEW(Base).m() END P20;
PROCEDURE Loops(): INTEGER =
  VAR n := 0;
  BEGIN
    FOR i := 1 TO 3 DO
      WHILE TRUE DO TRY INC(n); EXIT FINALLY INC(n, 10) END END;
      REPEAT TRY IF i = 2 THEN EXIT END FINALLY INC(n, 100) END UNTIL TRUE;
      TRY TRY RAISE I(i) FINALLY INC(n, 1000) END EXCEPT I(x) => INC(n, x * 10000) END;
    END;
    RETURN n
  END Loops;
TYPE Cl = Thread.Closure OBJECT OVERRIDES apply := Apply END;
PROCEDURE Apply(<*UNUSED*> c: Cl): REFANY = BEGIN TRY Deep(5) EXCEPT I(i) => VAR r := NEW(REF INTEGER); BEGIN r^ := i; RETURN r END END; RETURN NIL END Apply;
<*FATAL ANY*>
BEGIN
  Args();
  Ck(F1(0) = 20, 30); Is("abfc", 31); Ck(F1(1) = 10, 32); Is("af", 33);
  TRY EVAL F1(2); L("no") EXCEPT E => L("E") | I => L("I") END; Is("afE", 34);
  TRY EVAL F1(3); L("no") EXCEPT E => L("E") | I(i) => L("I" & Fmt.Int(i)) END; Is("afI3", 35);
  Ck(F2(0) = 6, 36); Is("n123124", 37); Ck(F2(2) = 5, 38); Is("12", 39); Ck(F2(1) = 6, 40); Is("124", 41);
  TRY EVAL F2(3) EXCEPT E => L("E") END; Is("12E", 42);
  Ck(F3() = 7 AND F4() = 2 AND F6() = 1 AND F7() = 2, 43);
  TRY F5() EXCEPT I(i) => L(Fmt.Int(i)) END; Is("5", 44);
  Ck(F8() = 3, 45); Is("e", 46);
  TRY F9() EXCEPT E => L("E9") END; Is("E9", 47);
  TRY Deep(10) EXCEPT I(i) => Ck(i = 55, 48) END;
  TRY Deeper(500) EXCEPT I(i) => Ck(i = 77, 49) END; Is(".....", 50);
  Ck(Text.Equal(Nest(0), "lmfE") AND Text.Equal(Nest(1), "lmtlmf"), 51);
  L(Call(P1) & Call(P2) & Call(P3) & Call(P4)); Is("ETCelsefine", 52);
  L(Call(P5)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.SubscriptOutOfRange), 53);
  L(Call(P6)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.BadMemoryReference), 54);
  L(Call(P7)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.NarrowFailed), 55);
  L(Call(P8)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.UnhandledCase), 56);
  L(Call(P9)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.ValueOutOfRange), 57);
  L(Call(P10)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.AssertFailed), 58);
  L(Call(P11)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.IntegerDivideByZero), 59);
  L(Call(P12)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.BadMemoryReference), 60);
  L(Call(P13)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.BlockedException), 61);
  L(Call(P14)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.UnhandledTypecase), 62);
  L(Call(P15)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.IncompatibleArrayShape), 63);
  L(Call(P16)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.ValueOutOfRange), 64);
  L(Call(P17a)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.NoReturnValue), 65);
  L(Call(P18)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.NarrowFailed), 66);
  L(Call(P19)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.ValueOutOfRange), 67);
  L(Call(P20)); Is("RT:" & RuntimeError.Tag(RuntimeError.T.UndefinedMethod), 68);
  Ck(Loops() = 63333, 69);
  Ck(NARROW(Thread.Join(Thread.Fork(NEW(Cl))), REF INTEGER)^ = 15, 70);
  Ck(NEW(O, v := 3).go(5) = 5, 71);
  TRY EVAL NEW(O, v := 3).go(1) EXCEPT E => L("E") | I(i) => L(Fmt.Int(i)) END; Is("3", 72);
  TRY TRY EVAL NEW(O, v := 3).go(0) EXCEPT I => L("no") END EXCEPT E, X => L("yes") END; Is("yes", 73);
  TRY TRY RAISE E EXCEPT ELSE L("1"); RAISE I(4) END EXCEPT I(i) => L(Fmt.Int(i)) END; Is("14", 74);
  TRY TRY RAISE E FINALLY TRY RAISE X(1.0) EXCEPT X => L("x") END END EXCEPT E => L("E") END; Is("xE", 75);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
