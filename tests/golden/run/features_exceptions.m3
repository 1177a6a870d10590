(* golden: run, with lib/Out, -w *)
(* One feature a unit: arguments of all types, FINALLY and run-time errors (language.md 13, 14.8, 14.9, 23). *)

(* unit: TryExcArgs.i3 *)
INTERFACE TryExcArgs;
PROCEDURE Run();
END TryExcArgs.

(* unit: TryExcArgs.m3 *)
MODULE TryExcArgs;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=RECORD a,b: INTEGER; t: TEXT END; E5={u,v,w}; A=ARRAY [0..3] OF INTEGER; O=OBJECT k:=3 END;
EXCEPTION Ei(INTEGER); Er(R); Et(TEXT); Ee(E5); Ea(A); Eo(O); Es(SET OF [0..99]); Ef(LONGREAL);
Ec(CHAR); Ep(PROCEDURE(): INTEGER); El(LONGINT); En; Eb(BITS 3 FOR [0..7]); Ex(EXTENDED); Eq(REAL);
PROCEDURE Seven(): INTEGER = BEGIN RETURN 7 END Seven;
PROCEDURE Th(k: INTEGER) RAISES {Ei,Er,Et,Ee,Ea,Eo,Es,Ef,Ec,Ep,El,En,Eb,Ex,Eq} = BEGIN CASE k OF 0 => RAISE Ei(5) | 1 => RAISE Er(R{1,2,"r"}) | 2 => RAISE Et("tt") | 3 => RAISE Ee(E5.w) | 4 => RAISE Ea(A{1,2,..}) | 5 => RAISE Eo(NEW(O,k:=9)) | 6 => RAISE Es(SET OF [0..99]{77}) | 7 => RAISE Ef(2.5d0) | 8 => RAISE Ec('c') | 9 => RAISE Ep(Seven) | 10 => RAISE El(11L) | 11 => RAISE Eb(6) | 12 => RAISE Ex(0.5x0) | 13 => RAISE Eq(0.25) ELSE RAISE En END END Th;
VAR fin := 0;
PROCEDURE Deep(n,k: INTEGER) RAISES ANY = BEGIN IF n=0 THEN Th(k) ELSE TRY Deep(n-1,k) FINALLY INC(fin) END END END Deep;
PROCEDURE Run() =
  BEGIN
    FOR k:=0 TO 14 DO TRY Deep(3,k); P(-1) EXCEPT Ei(x) => P(x) | Er(x) => T(x.t);
    P(x.a+x.b) | Et(x) => T(x) | Ee(x) => P(ORD(x)) | Ea(x) => P(x[3]) | Eo(x) => P(x.k) | Es(x) => B(77 IN x) | Ef(x) => B(x=2.5d0) | Ec(x) => T(Fmt.Char(x)) | Ep(x) => P(x()) | El(x) => IO.PutLongInt(x);
    IO.Put("\n") | En => T("En") | Eb(x) => P(x) | Ex(x) => B(x=0.5x0) | Eq(x) => B(x=0.25) END END;
    P(fin)
  END Run;
BEGIN
END TryExcArgs.
(* expect: 5 *)
(* expect: r *)
(* expect: 3 *)
(* expect: tt *)
(* expect: 2 *)
(* expect: 2 *)
(* expect: 9 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: c *)
(* expect: 7 *)
(* expect: 11 *)
(* expect: 6 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: En *)
(* expect: 45 *)

(* unit: TryFinReturn.i3 *)
INTERFACE TryFinReturn;
PROCEDURE Run();
END TryFinReturn.

(* unit: TryFinReturn.m3 *)
MODULE TryFinReturn;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR l := 0; PROCEDURE Q(): INTEGER = VAR i := 1; BEGIN TRY RETURN i FINALLY i := 50;
l := i END END Q; PROCEDURE Z(): INTEGER = BEGIN TRY RETURN 1 FINALLY RETURN 2 END END Z;
PROCEDURE Y(): INTEGER = BEGIN LOOP TRY RETURN 1 FINALLY EXIT END END; RETURN 3 END Y;
PROCEDURE Run() =
  BEGIN
    P(Q()); P(l); P(Z()); P(Y())
  END Run;
BEGIN
END TryFinReturn.
(* expect: 1 *)
(* expect: 50 *)
(* expect: 2 *)
(* expect: 3 *)

(* unit: TryFinExit.i3 *)
INTERFACE TryFinExit;
PROCEDURE Run();
END TryFinExit.

(* unit: TryFinExit.m3 *)
MODULE TryFinExit;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
EXCEPTION E; VAR n := 0;
PROCEDURE Run() =
  BEGIN
    LOOP TRY RAISE E FINALLY EXIT END END; P(1);
    FOR i:=1 TO 5 DO TRY IF i=3 THEN EXIT END FINALLY INC(n,i) END END; P(n);
    LOOP TRY TRY EXIT FINALLY INC(n) END FINALLY INC(n) END END; P(n);
    WHILE TRUE DO TRY EXIT EXCEPT E => P(99) END END; REPEAT TRY EXIT EXCEPT ELSE P(5) END UNTIL TRUE;
    P(6)
  END Run;
BEGIN
END TryFinExit.
(* expect: 1 *)
(* expect: 6 *)
(* expect: 8 *)
(* expect: 5 *)
(* expect: 6 *)

(* unit: TryFinRaise.i3 *)
INTERFACE TryFinRaise;
PROCEDURE Run();
END TryFinRaise.

(* unit: TryFinRaise.m3 *)
MODULE TryFinRaise;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
EXCEPTION E; F; PROCEDURE Q() RAISES {F} = BEGIN TRY RAISE E FINALLY RAISE F END END Q;
PROCEDURE Run() =
  BEGIN
    TRY Q() EXCEPT F => T("F") END;
    TRY TRY RAISE E EXCEPT E => RAISE F | F => T("no") END EXCEPT F => T("outer") END
  END Run;
BEGIN
END TryFinRaise.
(* expect: F *)
(* expect: outer *)

(* unit: TryElseReturn.i3 *)
INTERFACE TryElseReturn;
PROCEDURE Run();
END TryElseReturn.

(* unit: TryElseReturn.m3 *)
MODULE TryElseReturn;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Q(): INTEGER = BEGIN TRY RETURN 1 EXCEPT ELSE END; RETURN 2 END Q;
PROCEDURE Run() =
  BEGIN
    P(Q())
  END Run;
BEGIN
END TryElseReturn.
(* expect: 2 *)

(* unit: TryRaisesViolation.i3 *)
INTERFACE TryRaisesViolation;
PROCEDURE Run();
END TryRaisesViolation.

(* unit: TryRaisesViolation.m3 *)
MODULE TryRaisesViolation;
IMPORT IO, Fmt, RuntimeError;
FROM Out IMPORT P, B, T;
EXCEPTION E; PROCEDURE Q() = BEGIN RAISE E END Q;
PROCEDURE Run() =
  BEGIN
    TRY Q() EXCEPT E => P(0) | RuntimeError.E(x) => B(x = RuntimeError.T.BlockedException) END
  END Run;
BEGIN
END TryRaisesViolation.
(* expect: TRUE *)

(* unit: TryRaisesViaType.i3 *)
INTERFACE TryRaisesViaType;
PROCEDURE Run();
END TryRaisesViaType.

(* unit: TryRaisesViaType.m3 *)
MODULE TryRaisesViaType;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
EXCEPTION E; TYPE Pr=PROCEDURE(i: INTEGER) RAISES {E};
PROCEDURE Q(i: INTEGER) RAISES {E} = BEGIN IF i>0 THEN RAISE E END END Q;
PROCEDURE N(<*UNUSED*>i: INTEGER) RAISES {} = BEGIN END N;
VAR v: ARRAY [0..1] OF Pr := ARRAY [0..1] OF Pr{Q,N};
PROCEDURE Run() =
  BEGIN
    FOR i:=0 TO 1 DO TRY v[i](1); T("ok") EXCEPT E => T("E") END END
  END Run;
BEGIN
END TryRaisesViaType.
(* expect: E *)
(* expect: ok *)

(* unit: TryLockExc.i3 *)
INTERFACE TryLockExc;
PROCEDURE Run();
END TryLockExc.

(* unit: TryLockExc.m3 *)
MODULE TryLockExc;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
EXCEPTION E; VAR mu := NEW(MUTEX); n := 0;
PROCEDURE Q() RAISES {E} = BEGIN LOCK mu DO RAISE E END END Q;
PROCEDURE R(): INTEGER = BEGIN LOCK mu DO RETURN 4 END END R;
PROCEDURE Run() =
  BEGIN
    TRY Q() EXCEPT E => INC(n) END; LOCK mu DO INC(n) END; P(R()); LOOP LOCK mu DO EXIT END END;
    LOCK mu DO P(n) END
  END Run;
BEGIN
END TryLockExc.
(* expect: 4 *)
(* expect: 2 *)

(* unit: TryRtErrors.i3 *)
INTERFACE TryRtErrors;
PROCEDURE Run();
END TryRtErrors.

(* unit: TryRtErrors.m3 *)
MODULE TryRtErrors;
IMPORT IO, Fmt, RuntimeError;
FROM Out IMPORT P, B, T;
TYPE T2 = RuntimeError.T; VAR z := 0; a: ARRAY [0..2] OF INTEGER; k := 3; r: REF INTEGER; s: [0..9];
any: REFANY := NEW(REF CHAR); pr: PROCEDURE();
PROCEDURE Try(n: INTEGER) = BEGIN TRY CASE n OF 0 => P(5 DIV z) | 1 => P(a[k]) | 2 => P(r^) | 3 => s := k*4;
P(s) | 4 => P(NARROW(any,REF INTEGER)^) | 5 => CASE k OF 0 => END | 6 => pr() | 7 => P(ORD(VAL(k*100,CHAR))) | 8 => <*ASSERT k=4*> | 9 => P(5 MOD z) | 10 => TYPECASE any OF REF INTEGER => END ELSE P(99) END EXCEPT RuntimeError.E(e) => P(n);
IF e=T2.ValueOutOfRange THEN T("range") END END END Try;
PROCEDURE Run() =
  BEGIN
    FOR i:=0 TO 11 DO Try(i) END
  END Run;
BEGIN
END TryRtErrors.
(* expect: 0 *)
(* expect: 1 *)
(* expect: 2 *)
(* expect: 3 *)
(* expect: range *)
(* expect: 4 *)
(* expect: 5 *)
(* expect: 6 *)
(* expect: 7 *)
(* expect: range *)
(* expect: 8 *)
(* expect: 9 *)
(* expect: 10 *)
(* expect: 99 *)

(* unit: TryHandlerMulti.i3 *)
INTERFACE TryHandlerMulti;
PROCEDURE Run();
END TryHandlerMulti.

(* unit: TryHandlerMulti.m3 *)
MODULE TryHandlerMulti;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
EXCEPTION A(INTEGER); B1(INTEGER); C;
PROCEDURE Q(i: INTEGER) RAISES ANY = BEGIN CASE i OF 0 => RAISE A(1) | 1 => RAISE B1(2) | 2 => RAISE C ELSE END END Q;
PROCEDURE Run() =
  BEGIN
    FOR i:=0 TO 3 DO TRY Q(i); T("n") EXCEPT A,B1(x) => P(x) | C => T("C") END END
  END Run;
BEGIN
END TryHandlerMulti.
(* expect: 1 *)
(* expect: 2 *)
(* expect: C *)
(* expect: n *)

(* unit: TryExcReraiseNested.i3 *)
INTERFACE TryExcReraiseNested;
PROCEDURE Run();
END TryExcReraiseNested.

(* unit: TryExcReraiseNested.m3 *)
MODULE TryExcReraiseNested;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
EXCEPTION E(INTEGER); VAR l := 0;
PROCEDURE Q(n: INTEGER) RAISES {E} = BEGIN IF n=0 THEN RAISE E(1) END;
TRY Q(n-1) EXCEPT E(x) => INC(l); RAISE E(x*2) END END Q;
PROCEDURE Run() =
  BEGIN
    TRY Q(10) EXCEPT E(x) => P(x) END; P(l)
  END Run;
BEGIN
END TryExcReraiseNested.
(* expect: 1024 *)
(* expect: 10 *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TryExcArgs, TryFinReturn, TryFinExit, TryFinRaise, TryElseReturn, TryRaisesViolation, TryRaisesViaType, TryLockExc, TryRtErrors, TryHandlerMulti, TryExcReraiseNested;
BEGIN
  TryExcArgs.Run();
  TryFinReturn.Run();
  TryFinExit.Run();
  TryFinRaise.Run();
  TryElseReturn.Run();
  TryRaisesViolation.Run();
  TryRaisesViaType.Run();
  TryLockExc.Run();
  TryRtErrors.Run();
  TryHandlerMulti.Run();
  TryExcReraiseNested.Run();
END Main.
