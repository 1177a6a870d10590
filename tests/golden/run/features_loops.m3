(* golden: run, with lib/Out, -w *)
(* One feature a unit: FOR, CASE and the other loops at the limits of their types (language.md 14.4, 14.12, 14.13). *)

(* unit: TryForNeg.i3 *)
INTERFACE TryForNeg;
PROCEDURE Run();
END TryForNeg.

(* unit: TryForNeg.m3 *)
MODULE TryForNeg;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;

PROCEDURE Run() =
  BEGIN
    FOR i:=10 TO 1 BY -3 DO P(i) END; FOR i:=1 TO 0 DO P(99) END; FOR i:=1 TO 10 BY 4 DO P(i) END;
    FOR i := 3 TO 3 BY -1 DO P(i) END
  END Run;
BEGIN
END TryForNeg.
(* expect: 10 *)
(* expect: 7 *)
(* expect: 4 *)
(* expect: 1 *)
(* expect: 1 *)
(* expect: 5 *)
(* expect: 9 *)
(* expect: 3 *)

(* unit: TryForLast.i3 *)
INTERFACE TryForLast;
PROCEDURE Run();
END TryForLast.

(* unit: TryForLast.m3 *)
MODULE TryForLast;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;

PROCEDURE Run() =
  BEGIN
    FOR i:=LAST(INTEGER)-2 TO LAST(INTEGER) DO P(i) END;
    FOR i:=FIRST(INTEGER)+1 TO FIRST(INTEGER) BY -1 DO P(i) END;
    FOR i := LAST(INTEGER)-5 TO LAST(INTEGER) BY 4 DO P(i) END
  END Run;
BEGIN
END TryForLast.
(* expect: 9223372036854775805 *)
(* expect: 9223372036854775806 *)
(* expect: 9223372036854775807 *)
(* expect: -9223372036854775807 *)
(* expect: -9223372036854775808 *)
(* expect: 9223372036854775802 *)
(* expect: 9223372036854775806 *)

(* unit: TryForLong.i3 *)
INTERFACE TryForLong;
PROCEDURE Run();
END TryForLong.

(* unit: TryForLong.m3 *)
MODULE TryForLong;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;

PROCEDURE Run() =
  BEGIN
    FOR i:=LAST(LONGINT)-1L TO LAST(LONGINT) DO IO.PutLongInt(i); IO.Put("\n") END;
    FOR i := 5L TO 1L BY -2L DO IO.PutLongInt(i); IO.Put("\n") END
  END Run;
BEGIN
END TryForLong.
(* expect: 9223372036854775806 *)
(* expect: 9223372036854775807 *)
(* expect: 5 *)
(* expect: 3 *)
(* expect: 1 *)

(* unit: TryForEnum.i3 *)
INTERFACE TryForEnum;
PROCEDURE Run();
END TryForEnum.

(* unit: TryForEnum.m3 *)
MODULE TryForEnum;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE E={a,b,c,d};
PROCEDURE Run() =
  BEGIN
    FOR e:=E.a TO LAST(E) BY 2 DO P(ORD(e)) END; FOR e:=LAST(E) TO FIRST(E) BY -1 DO P(ORD(e)) END;
    FOR b:=FALSE TO TRUE DO B(b) END; FOR c := 'y' TO 'z' DO T(Fmt.Char(c)) END; P(0);
    FOR c := VAL(254,CHAR) TO LAST(CHAR) DO P(ORD(c)) END
  END Run;
BEGIN
END TryForEnum.
(* expect: 0 *)
(* expect: 2 *)
(* expect: 3 *)
(* expect: 2 *)
(* expect: 1 *)
(* expect: 0 *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: y *)
(* expect: z *)
(* expect: 0 *)
(* expect: 254 *)
(* expect: 255 *)

(* unit: TryForVarstep.i3 *)
INTERFACE TryForVarstep;
PROCEDURE Run();
END TryForVarstep.

(* unit: TryForVarstep.m3 *)
MODULE TryForVarstep;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR s := -2; n := 6; PROCEDURE Q(st: INTEGER) = BEGIN FOR i := 0 TO 4 BY st DO P(i) END END Q;
PROCEDURE Run() =
  BEGIN
    FOR i := n TO 1 BY -2 DO n := 0; P(i) END; Q(2)
  END Run;
BEGIN
END TryForVarstep.
(* expect: 6 *)
(* expect: 4 *)
(* expect: 2 *)
(* expect: 0 *)
(* expect: 2 *)
(* expect: 4 *)

(* unit: TryForVarstepNeg.i3 *)
INTERFACE TryForVarstepNeg;
PROCEDURE Run();
END TryForVarstepNeg.

(* unit: TryForVarstepNeg.m3 *)
MODULE TryForVarstepNeg;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Q(a,b,st: INTEGER) = BEGIN FOR i := a TO b BY st DO P(i) END END Q;
PROCEDURE Run() =
  BEGIN
    Q(5,1,-2); Q(1,5,3); Q(1,5,-1)
  END Run;
BEGIN
END TryForVarstepNeg.
(* expect: 5 *)
(* expect: 3 *)
(* expect: 1 *)
(* expect: 1 *)
(* expect: 4 *)

(* unit: TryForHide.i3 *)
INTERFACE TryForHide;
PROCEDURE Run();
END TryForHide.

(* unit: TryForHide.m3 *)
MODULE TryForHide;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR i := 2;
PROCEDURE Run() =
  BEGIN
    FOR i := i TO i+1 DO FOR i := i*10 TO i*10 DO P(i) END END; P(i)
  END Run;
BEGIN
END TryForHide.
(* expect: 20 *)
(* expect: 30 *)
(* expect: 2 *)

(* unit: TryCaseChar.i3 *)
INTERFACE TryCaseChar;
PROCEDURE Run();
END TryCaseChar.

(* unit: TryCaseChar.m3 *)
MODULE TryCaseChar;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Q(c: CHAR): INTEGER = BEGIN CASE c OF 'a'..'f','A'..'F' => RETURN 1 | '0'..'9' => RETURN 2 | VAL(255,CHAR) => RETURN 3 | '\000' => RETURN 4 ELSE RETURN 0 END END Q;
PROCEDURE Run() =
  BEGIN
    P(Q('c'));P(Q('F'));P(Q('5'));P(Q(LAST(CHAR)));P(Q('\000'));P(Q('z'))
  END Run;
BEGIN
END TryCaseChar.
(* expect: 1 *)
(* expect: 1 *)
(* expect: 2 *)
(* expect: 3 *)
(* expect: 4 *)
(* expect: 0 *)

(* unit: TryCaseEnum.i3 *)
INTERFACE TryCaseEnum;
PROCEDURE Run();
END TryCaseEnum.

(* unit: TryCaseEnum.m3 *)
MODULE TryCaseEnum;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE E={a,b,c,d,e};
PROCEDURE Q(x: E): INTEGER = BEGIN CASE x OF E.a..E.b => RETURN 1 | E.d => RETURN 2 | E.c, E.e => RETURN 3 END END Q;
PROCEDURE Run() =
  BEGIN
    FOR x:=FIRST(E) TO LAST(E) DO P(Q(x)) END
  END Run;
BEGIN
END TryCaseEnum.
(* expect: 1 *)
(* expect: 1 *)
(* expect: 3 *)
(* expect: 2 *)
(* expect: 3 *)

(* unit: TryCaseBig.i3 *)
INTERFACE TryCaseBig;
PROCEDURE Run();
END TryCaseBig.

(* unit: TryCaseBig.m3 *)
MODULE TryCaseBig;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Q(x: INTEGER): INTEGER = BEGIN CASE x OF FIRST(INTEGER)..-1 => RETURN -1 | 0 => RETURN 0 | 1..LAST(INTEGER)-1 => RETURN 1 | LAST(INTEGER) => RETURN 2 END END Q;
PROCEDURE Run() =
  BEGIN
    P(Q(FIRST(INTEGER)));P(Q(-1));P(Q(0));P(Q(5));P(Q(LAST(INTEGER)-1));P(Q(LAST(INTEGER)))
  END Run;
BEGIN
END TryCaseBig.
(* expect: -1 *)
(* expect: -1 *)
(* expect: 0 *)
(* expect: 1 *)
(* expect: 1 *)
(* expect: 2 *)

(* unit: TryCaseLong.i3 *)
INTERFACE TryCaseLong;
PROCEDURE Run();
END TryCaseLong.

(* unit: TryCaseLong.m3 *)
MODULE TryCaseLong;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Q(x: LONGINT): INTEGER = BEGIN CASE x OF 0L..9L => RETURN 1 | -5L => RETURN 2 ELSE RETURN 3 END END Q;
PROCEDURE Run() =
  BEGIN
    P(Q(3L));P(Q(-5L));P(Q(10L))
  END Run;
BEGIN
END TryCaseLong.
(* expect: 1 *)
(* expect: 2 *)
(* expect: 3 *)

(* unit: TryCaseElseEmpty.i3 *)
INTERFACE TryCaseElseEmpty;
PROCEDURE Run();
END TryCaseElseEmpty.

(* unit: TryCaseElseEmpty.m3 *)
MODULE TryCaseElseEmpty;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR x := 3;
PROCEDURE Run() =
  BEGIN
    CASE x OF 1 => P(1) ELSE END; CASE x OF | 3 => P(3) END; CASE x OF ELSE P(9) END
  END Run;
BEGIN
END TryCaseElseEmpty.
(* expect: 3 *)
(* expect: 9 *)

(* unit: TryCaseWide.i3 *)
INTERFACE TryCaseWide;
PROCEDURE Run();
END TryCaseWide.

(* unit: TryCaseWide.m3 *)
MODULE TryCaseWide;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Q(c: WIDECHAR): INTEGER = BEGIN CASE c OF W'a'..W'c' => RETURN 1 | W'\x1234' => RETURN 2 ELSE RETURN 0 END END Q;
PROCEDURE Run() =
  BEGIN
    P(Q(W'b'));P(Q(W'\x1234'));P(Q('z'))
  END Run;
BEGIN
END TryCaseWide.
(* expect: 1 *)
(* expect: 2 *)
(* expect: 0 *)

(* unit: TryWhileRepeat.i3 *)
INTERFACE TryWhileRepeat;
PROCEDURE Run();
END TryWhileRepeat.

(* unit: TryWhileRepeat.m3 *)
MODULE TryWhileRepeat;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR i := 0; n := 0;
PROCEDURE Run() =
  BEGIN
    WHILE i < 5 DO INC(i); IF i=3 THEN EXIT END END; P(i); REPEAT DEC(i); INC(n) UNTIL i <= 0; P(n);
    LOOP INC(n); IF n > 9 THEN EXIT END; LOOP EXIT END END; P(n)
  END Run;
BEGIN
END TryWhileRepeat.
(* expect: 3 *)
(* expect: 3 *)
(* expect: 10 *)

(* unit: TryBoolOps.i3 *)
INTERFACE TryBoolOps;
PROCEDURE Run();
END TryBoolOps.

(* unit: TryBoolOps.m3 *)
MODULE TryBoolOps;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR t := TRUE; f := FALSE;
PROCEDURE Run() =
  BEGIN
    B(t AND NOT f OR f); B(t = (NOT f)); B(f < t); B((t AND f) = (f OR f)); B(MAX(t,f)); P(ORD(t));
    B(VAL(1,BOOLEAN)); B(t # f); B(NOT t = f)
  END Run;
BEGIN
END TryBoolOps.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 1 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: TryCharOps.i3 *)
INTERFACE TryCharOps;
PROCEDURE Run();
END TryCharOps.

(* unit: TryCharOps.m3 *)
MODULE TryCharOps;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR c := 'm';
PROCEDURE Run() =
  BEGIN
    P(ORD(c)-ORD('a')); B(c>'a'); T(Fmt.Char(VAL(ORD(c)+1,CHAR))); B(c IN SET OF CHAR{'a'..'z'});
    P(NUMBER(CHAR)); P(ORD(LAST(CHAR))); B(MAX(c,'z')='z'); P(NUMBER(['a'..'z'])); B('\377'>'a')
  END Run;
BEGIN
END TryCharOps.
(* expect: 12 *)
(* expect: TRUE *)
(* expect: n *)
(* expect: TRUE *)
(* expect: 256 *)
(* expect: 255 *)
(* expect: TRUE *)
(* expect: 26 *)
(* expect: TRUE *)

(* unit: TryEnumOps.i3 *)
INTERFACE TryEnumOps;
PROCEDURE Run();
END TryEnumOps.

(* unit: TryEnumOps.m3 *)
MODULE TryEnumOps;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE E={red,green,blue}; S=[E.green..E.blue]; VAR s: S := E.green; a: ARRAY S OF INTEGER;
PROCEDURE Run() =
  BEGIN
    P(ORD(FIRST(S))); P(NUMBER(S)); a[E.blue] := 4; P(a[VAL(2,S)]); B(s < E.blue); INC(s);
    B(s = E.blue); P(ORD(VAL(0,E)))
  END Run;
BEGIN
END TryEnumOps.
(* expect: 1 *)
(* expect: 2 *)
(* expect: 4 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 0 *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TryForNeg, TryForLast, TryForLong, TryForEnum, TryForVarstep, TryForVarstepNeg, TryForHide, TryCaseChar, TryCaseEnum, TryCaseBig, TryCaseLong, TryCaseElseEmpty, TryCaseWide, TryWhileRepeat, TryBoolOps, TryCharOps, TryEnumOps;
BEGIN
  TryForNeg.Run();
  TryForLast.Run();
  TryForLong.Run();
  TryForEnum.Run();
  TryForVarstep.Run();
  TryForVarstepNeg.Run();
  TryForHide.Run();
  TryCaseChar.Run();
  TryCaseEnum.Run();
  TryCaseBig.Run();
  TryCaseLong.Run();
  TryCaseElseEmpty.Run();
  TryCaseWide.Run();
  TryWhileRepeat.Run();
  TryBoolOps.Run();
  TryCharOps.Run();
  TryEnumOps.Run();
END Main.
