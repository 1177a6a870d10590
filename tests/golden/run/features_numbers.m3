(* golden: run, with lib/Out, -w *)
(* One feature a unit: DIV, MOD, rounding, conversions and constants at their limits (language.md 1.8, 16, 17, 19). *)

(* unit: TryDivmod.i3 *)
INTERFACE TryDivmod;
PROCEDURE Run();
END TryDivmod.

(* unit: TryDivmod.m3 *)
MODULE TryDivmod;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a: ARRAY [0..3] OF INTEGER; b: ARRAY [0..1] OF INTEGER;
PROCEDURE Run() =
  BEGIN
    a[0]:=7;a[1]:=-7;a[2]:=0;a[3]:=FIRST(INTEGER);
    b[0]:=3;b[1]:=-3;
    FOR i:=0 TO 2 DO FOR j:=0 TO 1 DO P(a[i] DIV b[j]); P(a[i] MOD b[j]) END END;
    P(a[3] DIV 2); P(a[3] MOD 10); P(a[3] MOD b[1])
  END Run;
BEGIN
END TryDivmod.
(* expect: 2 *)
(* expect: 1 *)
(* expect: -3 *)
(* expect: -2 *)
(* expect: -3 *)
(* expect: 2 *)
(* expect: 2 *)
(* expect: -1 *)
(* expect: 0 *)
(* expect: 0 *)
(* expect: 0 *)
(* expect: 0 *)
(* expect: -4611686018427387904 *)
(* expect: 2 *)
(* expect: -2 *)

(* unit: TryDivmodConst.i3 *)
INTERFACE TryDivmodConst;
PROCEDURE Run();
END TryDivmodConst.

(* unit: TryDivmodConst.m3 *)
MODULE TryDivmodConst;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
CONST A=-7 DIV 3; Bc=-7 MOD 3; C=7 DIV -3; D=7 MOD -3; E=-7 DIV -3; F = -7 MOD -3;
PROCEDURE Run() =
  BEGIN
    P(A);P(Bc);P(C);P(D);P(E);P(F)
  END Run;
BEGIN
END TryDivmodConst.
(* expect: -3 *)
(* expect: 2 *)
(* expect: -3 *)
(* expect: -2 *)
(* expect: 2 *)
(* expect: -1 *)

(* unit: TryDivmodLong.i3 *)
INTERFACE TryDivmodLong;
PROCEDURE Run();
END TryDivmodLong.

(* unit: TryDivmodLong.m3 *)
MODULE TryDivmodLong;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a: LONGINT := -7L; b := 3L;
PROCEDURE Run() =
  BEGIN
    IO.PutLongInt(a DIV b); IO.Put(" "); IO.PutLongInt(a MOD b); IO.Put(" "); IO.PutLongInt(a DIV -b);
    IO.Put(" "); IO.PutLongInt(a MOD -b); IO.Put("\n")
  END Run;
BEGIN
END TryDivmodLong.
(* expect: -3 2 2 -1 *)

(* unit: TryDivmodSub.i3 *)
INTERFACE TryDivmodSub;
PROCEDURE Run();
END TryDivmodSub.

(* unit: TryDivmodSub.m3 *)
MODULE TryDivmodSub;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a: [-10..10] := -7; b: [1..5] := 3;
PROCEDURE Run() =
  BEGIN
    P(a DIV b); P(a MOD b)
  END Run;
BEGIN
END TryDivmodSub.
(* expect: -3 *)
(* expect: 2 *)

(* unit: TryAbsMinmax.i3 *)
INTERFACE TryAbsMinmax;
PROCEDURE Run();
END TryAbsMinmax.

(* unit: TryAbsMinmax.m3 *)
MODULE TryAbsMinmax;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a := -5; b: [0..9] := 3; l := -9L; r := -1.5; d := 2.5d0; x := -0.25x0;
PROCEDURE Run() =
  BEGIN
    P(ABS(a)); P(MAX(a,b)); P(MIN(a,b)); IO.PutLongInt(ABS(l)); IO.Put("\n"); B(ABS(r)=1.5);
    B(MAX(d,3.0d0)=3.0d0); B(ABS(x)=0.25x0); B(MIN(x,0.0x0)=x)
  END Run;
BEGIN
END TryAbsMinmax.
(* expect: 5 *)
(* expect: 3 *)
(* expect: -5 *)
(* expect: 9 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: TryRoundEdges.i3 *)
INTERFACE TryRoundEdges;
PROCEDURE Run();
END TryRoundEdges.

(* unit: TryRoundEdges.m3 *)
MODULE TryRoundEdges;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a: ARRAY [0..9] OF REAL := ARRAY [0..9] OF REAL{0.5,1.5,2.5,-0.5,-1.5,-2.5,1.2,-1.2,1.7,-1.7};
PROCEDURE Run() =
  BEGIN
    FOR i:=0 TO 9 DO IO.PutInt(ROUND(a[i])); IO.Put(" "); IO.PutInt(TRUNC(a[i])); IO.Put(" ");
    IO.PutInt(FLOOR(a[i])); IO.Put(" "); P(CEILING(a[i])) END
  END Run;
BEGIN
END TryRoundEdges.
(* expect: 0 0 0 1 *)
(* expect: 2 1 1 2 *)
(* expect: 2 2 2 3 *)
(* expect: 0 0 -1 0 *)
(* expect: -2 -1 -2 -1 *)
(* expect: -2 -2 -3 -2 *)
(* expect: 1 1 1 2 *)
(* expect: -1 -1 -2 -1 *)
(* expect: 2 1 1 2 *)
(* expect: -2 -1 -2 -1 *)

(* unit: TryRoundConst.i3 *)
INTERFACE TryRoundConst;
PROCEDURE Run();
END TryRoundConst.

(* unit: TryRoundConst.m3 *)
MODULE TryRoundConst;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
CONST A=ROUND(2.5); B1=TRUNC(-2.5d0); C=FLOOR(-2.5x0); D=CEILING(-2.5);
PROCEDURE Run() =
  BEGIN
    P(A);P(B1);P(C);P(D)
  END Run;
BEGIN
END TryRoundConst.
(* expect: 2 *)
(* expect: -2 *)
(* expect: -3 *)
(* expect: -2 *)

(* unit: TryRoundLong.i3 *)
INTERFACE TryRoundLong;
PROCEDURE Run();
END TryRoundLong.

(* unit: TryRoundLong.m3 *)
MODULE TryRoundLong;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR d := 1.0d15 + 0.5d0;
PROCEDURE Run() =
  BEGIN
    IO.PutLongInt(TRUNC(d, LONGINT)); IO.Put(" "); IO.PutLongInt(FLOOR(-d, LONGINT)); IO.Put(" ");
    IO.PutLongInt(CEILING(d, LONGINT)); IO.Put(" "); IO.PutLongInt(ROUND(d, LONGINT)); IO.Put("\n")
  END Run;
BEGIN
END TryRoundLong.
(* expect: 1000000000000000 -1000000000000001 1000000000000001 1000000000000000 *)

(* unit: TryFloatAll.i3 *)
INTERFACE TryFloatAll;
PROCEDURE Run();
END TryFloatAll.

(* unit: TryFloatAll.m3 *)
MODULE TryFloatAll;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR i := 3; l := 4L; d := 0.1d0; x := 0.1x0; r := 0.5;
PROCEDURE Run() =
  BEGIN
    B(FLOAT(i)=3.0); B(FLOAT(l)=4.0); B(FLOAT(i,LONGREAL)=3.0d0); B(FLOAT(l,EXTENDED)=4.0x0);
    B(FLOAT(d)=0.1); B(FLOAT(r,LONGREAL)=0.5d0); B(FLOAT(x,LONGREAL)=0.1d0);
    B(FLOAT(FLOAT(d),LONGREAL)=d)
  END Run;
BEGIN
END TryFloatAll.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)

(* unit: TryFloatMod.i3 *)
INTERFACE TryFloatMod;
PROCEDURE Run();
END TryFloatMod.

(* unit: TryFloatMod.m3 *)
MODULE TryFloatMod;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a := 7.5; b := 2.0; c := -7.5d0;
PROCEDURE Run() =
  BEGIN
    B(a MOD b = 1.5); B(c MOD 2.0d0 = 0.5d0); B(a / b = 3.75); B(c MOD -2.0d0 = -1.5d0)
  END Run;
BEGIN
END TryFloatMod.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: TryIncdec.i3 *)
INTERFACE TryIncdec;
PROCEDURE Run();
END TryIncdec.

(* unit: TryIncdec.m3 *)
MODULE TryIncdec;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a: [0..10] := 3; c := 'a'; l := 5L; e: {x,y,z}; k: CARDINAL := 4; cnt := 0;
v := ARRAY [0..3] OF INTEGER{0,..}; PROCEDURE F(): INTEGER = BEGIN INC(cnt); RETURN cnt END F;
PROCEDURE Run() =
  BEGIN
    INC(a); P(a); INC(a,5); P(a); DEC(a,9); P(a); INC(c,2); T(Fmt.Char(c)); INC(l,3L); IO.PutLongInt(l);
    IO.Put("\n"); e := VAL(0,{x,y,z}); INC(e,2); P(ORD(e)); DEC(k,4); P(k); INC(v[F()],7); P(cnt);
    P(v[1])
  END Run;
BEGIN
END TryIncdec.
(* expect: 4 *)
(* expect: 9 *)
(* expect: 0 *)
(* expect: c *)
(* expect: 8 *)
(* expect: 2 *)
(* expect: 0 *)
(* expect: 1 *)
(* expect: 7 *)

(* unit: TrySubOfSub.i3 *)
INTERFACE TrySubOfSub;
PROCEDURE Run();
END TrySubOfSub.

(* unit: TrySubOfSub.m3 *)
MODULE TrySubOfSub;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=[0..100]; B1=[10..50]; VAR a: A := 60; b: B1 := 20;
PROCEDURE Q(x: B1): INTEGER = BEGIN RETURN x END Q;
PROCEDURE Run() =
  BEGIN
    P(Q(b)); a := b; P(a); a := 50; b := a; P(b); P(NUMBER(B1)); P(FIRST(B1)+LAST(A))
  END Run;
BEGIN
END TrySubOfSub.
(* expect: 20 *)
(* expect: 20 *)
(* expect: 50 *)
(* expect: 41 *)
(* expect: 110 *)

(* unit: TryMinmaxint.i3 *)
INTERFACE TryMinmaxint;
PROCEDURE Run();
END TryMinmaxint.

(* unit: TryMinmaxint.m3 *)
MODULE TryMinmaxint;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a := LAST(INTEGER); b := FIRST(INTEGER);
PROCEDURE Run() =
  BEGIN
    P(a); P(b); P(a+b); B(a > b); P(-(b+1)); P(ABS(b+1))
  END Run;
BEGIN
END TryMinmaxint.
(* expect: 9223372036854775807 *)
(* expect: -9223372036854775808 *)
(* expect: -1 *)
(* expect: TRUE *)
(* expect: 9223372036854775807 *)
(* expect: 9223372036854775807 *)

(* unit: TryBased.i3 *)
INTERFACE TryBased;
PROCEDURE Run();
END TryBased.

(* unit: TryBased.m3 *)
MODULE TryBased;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
CONST M=16_FFFFFFFFFFFFFFFF; N=2_1010; O=8_777; Q=16_7fffffffffffffff; R=36-20;
PROCEDURE Run() =
  BEGIN
    P(M);P(N);P(O);P(Q);P(R); IO.PutLongInt(16_ffffffffffffffffL); IO.Put("\n")
  END Run;
BEGIN
END TryBased.
(* expect: -1 *)
(* expect: 10 *)
(* expect: 511 *)
(* expect: 9223372036854775807 *)
(* expect: 16 *)
(* expect: -1 *)

(* unit: TryConstReal.i3 *)
INTERFACE TryConstReal;
PROCEDURE Run();
END TryConstReal.

(* unit: TryConstReal.m3 *)
MODULE TryConstReal;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
CONST A=1.0/4.0; B1=FLOAT(3,LONGREAL)*1.5d0; C=TRUNC(7.9)+ROUND(A); D=MAX(A,0.5); E=ABS(-2.5x0);
F=A<D;
PROCEDURE Run() =
  BEGIN
    B(A=0.25); B(B1=4.5d0); P(C); B(D=0.5); B(E=2.5x0); B(F)
  END Run;
BEGIN
END TryConstReal.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 7 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: TryRealOps.i3 *)
INTERFACE TryRealOps;
PROCEDURE Run();
END TryRealOps.

(* unit: TryRealOps.m3 *)
MODULE TryRealOps;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a := 1.5; d := 2.25d0; x := 4.0x0; z := 0.0;
PROCEDURE Run() =
  BEGIN
    B(a+a=3.0); B(d*2.0d0=4.5d0); B(x/2.0x0-1.0x0=1.0x0); B(-a<z);
    B(1.0/3.0 # FLOAT(1.0d0/3.0d0,REAL) OR TRUE); B(a>=1.5); B(a#a); P(ROUND(d*4.0d0));
    B(1.0e10 > 9.9E9); B(1.5d2=150.0d0); B(1.5x-1=0.15x0)
  END Run;
BEGIN
END TryRealOps.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: 9 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TryDivmod, TryDivmodConst, TryDivmodLong, TryDivmodSub, TryAbsMinmax, TryRoundEdges, TryRoundConst, TryRoundLong, TryFloatAll, TryFloatMod, TryIncdec, TrySubOfSub, TryMinmaxint, TryBased, TryConstReal, TryRealOps;
BEGIN
  TryDivmod.Run();
  TryDivmodConst.Run();
  TryDivmodLong.Run();
  TryDivmodSub.Run();
  TryAbsMinmax.Run();
  TryRoundEdges.Run();
  TryRoundConst.Run();
  TryRoundLong.Run();
  TryFloatAll.Run();
  TryFloatMod.Run();
  TryIncdec.Run();
  TrySubOfSub.Run();
  TryMinmaxint.Run();
  TryBased.Run();
  TryConstReal.Run();
  TryRealOps.Run();
END Main.
