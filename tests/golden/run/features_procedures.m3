(* golden: run, with lib/Out, -w *)
(* One feature a unit: procedure values, nested procedures, aliases and defaults (language.md 11, 14.15). *)

(* unit: TryProctypeRec.i3 *)
INTERFACE TryProctypeRec;
PROCEDURE Run();
END TryProctypeRec.

(* unit: TryProctypeRec.m3 *)
MODULE TryProctypeRec;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE F=PROCEDURE(f: F; n: INTEGER): INTEGER; PROCEDURE Fib(f: F;
n: INTEGER): INTEGER = BEGIN IF n<2 THEN RETURN n END; RETURN f(f,n-1)+f(f,n-2) END Fib;
PROCEDURE Run() =
  BEGIN
    P(Fib(Fib,15))
  END Run;
BEGIN
END TryProctypeRec.
(* expect: 610 *)

(* unit: TryProctypeRet.i3 *)
INTERFACE TryProctypeRet;
PROCEDURE Run();
END TryProctypeRet.

(* unit: TryProctypeRet.m3 *)
MODULE TryProctypeRet;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE G=PROCEDURE(): G; VAR cnt:=0; PROCEDURE X(): G = BEGIN INC(cnt);
IF cnt<5 THEN RETURN X ELSE RETURN NIL END END X; VAR g: G := X;
PROCEDURE Run() =
  BEGIN
    WHILE g#NIL DO g := g() END; P(cnt); g := X()
  END Run;
BEGIN
END TryProctypeRet.
(* expect: 5 *)

(* unit: TryNestedCap.i3 *)
INTERFACE TryNestedCap;
PROCEDURE Run();
END TryNestedCap.

(* unit: TryNestedCap.m3 *)
MODULE TryNestedCap;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE O(VAR a: INTEGER; READONLY b: ARRAY OF INTEGER; c: ARRAY OF CHAR;
VAR d: ARRAY OF INTEGER): INTEGER = VAR loc := 5;
PROCEDURE I(k: INTEGER): INTEGER = PROCEDURE J(): INTEGER = BEGIN INC(a); INC(loc,k);
d[LAST(d)] := a; c[0] := 'z'; RETURN b[k]+NUMBER(c)+loc END J; BEGIN RETURN J()+k END I;
BEGIN WITH r = I(1) DO RETURN r*1000+ORD(c[0])+loc END END O; VAR x := 10;
y: ARRAY [0..2] OF INTEGER := ARRAY [0..2] OF INTEGER{1,2,3}; t: ARRAY [0..3] OF CHAR;
PROCEDURE Run() =
  BEGIN
    t[0] := 'a'; P(O(x,y,t,y)); P(x); P(y[2]); P(ORD(t[0]))
  END Run;
BEGIN
END TryNestedCap.
(* expect: 13128 *)
(* expect: 11 *)
(* expect: 11 *)
(* expect: 97 *)

(* unit: TryNestedAsParam.i3 *)
INTERFACE TryNestedAsParam;
PROCEDURE Run();
END TryNestedAsParam.

(* unit: TryNestedAsParam.m3 *)
MODULE TryNestedAsParam;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Each(p: PROCEDURE(i: INTEGER)) = BEGIN FOR i:=1 TO 4 DO p(i) END END Each;
PROCEDURE Sum(): INTEGER = VAR s:=0; PROCEDURE A(i: INTEGER) = BEGIN s := s+i END A; BEGIN Each(A);
TRY Each(A) FINALLY s := s*2 END; RETURN s END Sum;
PROCEDURE Run() =
  BEGIN
    P(Sum())
  END Run;
BEGIN
END TryNestedAsParam.
(* expect: 40 *)

(* unit: TryNestedRetEq.i3 *)
INTERFACE TryNestedRetEq;
PROCEDURE Run();
END TryNestedRetEq.

(* unit: TryNestedRetEq.m3 *)
MODULE TryNestedRetEq;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE O(n: INTEGER; q: PROCEDURE()): BOOLEAN = PROCEDURE I() = BEGIN END I;
BEGIN IF n=0 THEN RETURN q=I ELSE RETURN O(n-1,I) END END O;
PROCEDURE Run() =
  BEGIN
    B(O(1,NIL)); B(O(0,NIL))
  END Run;
BEGIN
END TryNestedRetEq.
(* expect: FALSE *)
(* expect: FALSE *)

(* unit: TryWithAlias.i3 *)
INTERFACE TryWithAlias;
PROCEDURE Run();
END TryWithAlias.

(* unit: TryWithAlias.m3 *)
MODULE TryWithAlias;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a: ARRAY [0..3] OF INTEGER; i:=1; r := NEW(REF RECORD x: INTEGER END); p2 := r;
PROCEDURE Run() =
  BEGIN
    WITH e=a[i] DO INC(i); e := 7 END; P(a[1]); P(i); WITH f=r.x DO f := 4;
    r := NEW(REF RECORD x: INTEGER END); INC(f) END; P(p2.x); P(r.x);
    WITH s=SUBARRAY(a,1,2), n=NUMBER(s) DO s[n-1] := 3 END; P(a[2]); WITH v=i+1, w=v*2 DO i := 50;
    P(w) END; WITH z = a DO z[0] := 9 END; P(a[0])
  END Run;
BEGIN
END TryWithAlias.
(* expect: 7 *)
(* expect: 2 *)
(* expect: 5 *)
(* expect: 0 *)
(* expect: 3 *)
(* expect: 6 *)
(* expect: 9 *)

(* unit: TryReadonlyAlias.i3 *)
INTERFACE TryReadonlyAlias;
PROCEDURE Run();
END TryReadonlyAlias.

(* unit: TryReadonlyAlias.m3 *)
MODULE TryReadonlyAlias;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR g:=1; c: CARDINAL := 5; PROCEDURE Q(READONLY x: INTEGER): INTEGER = BEGIN g := 100; c := 200;
RETURN x END Q;
PROCEDURE Run() =
  BEGIN
    P(Q(g)); c := 5; P(Q(c)); P(c)
  END Run;
BEGIN
END TryReadonlyAlias.
(* expect: 100 *)
(* expect: 5 *)
(* expect: 200 *)

(* unit: TryDefaults.i3 *)
INTERFACE TryDefaults;
PROCEDURE Run();
END TryDefaults.

(* unit: TryDefaults.m3 *)
MODULE TryDefaults;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
CONST D=3; PROCEDURE Q(a: INTEGER := D; b := 'c'; READONLY s := SET OF [0..3]{1};
t: TEXT := "dd"): INTEGER = BEGIN IF 1 IN s THEN RETURN a*1000+ORD(b) ELSE RETURN 0 END END Q;
VAR q: PROCEDURE(a: INTEGER := 8; b := 'a'; READONLY s := SET OF [0..3]{1};
t: TEXT := NIL): INTEGER := Q;
PROCEDURE Run() =
  BEGIN
    P(Q()); P(Q(b:='d')); P(Q(5, t:=NIL)); P(q()); P(Q(s:=SET OF [0..3]{}))
  END Run;
BEGIN
END TryDefaults.
(* expect: 3099 *)
(* expect: 3100 *)
(* expect: 5099 *)
(* expect: 8097 *)
(* expect: 0 *)

(* unit: TryGenericLike.i3 *)
INTERFACE TryGenericLike;
PROCEDURE Run();
END TryGenericLike.

(* unit: TryGenericLike.m3 *)
MODULE TryGenericLike;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE Cmp=PROCEDURE(READONLY a,b: INTEGER): [-1..1];
PROCEDURE Up(READONLY a,b: INTEGER): [-1..1] = BEGIN IF a<b THEN RETURN -1 ELSIF a=b THEN RETURN 0 ELSE RETURN 1 END END Up;
PROCEDURE Sort(VAR a: ARRAY OF INTEGER; c: Cmp := Up) = BEGIN FOR i:=1 TO LAST(a) DO VAR j := i;
BEGIN WHILE j>0 AND c(a[j-1],a[j])>0 DO VAR t := a[j]; BEGIN a[j] := a[j-1]; a[j-1] := t END;
DEC(j) END END END END Sort; PROCEDURE S2(): INTEGER = VAR n := 0;
a := ARRAY [0..4] OF INTEGER{3,1,2,5,4};
PROCEDURE Down(READONLY a,b: INTEGER): [-1..1] = BEGIN INC(n); RETURN -Up(a,b) END Down;
BEGIN Sort(a,Down); RETURN a[0]*10000+a[1]*1000+a[2]*100+a[3]*10+a[4] END S2;
VAR a := ARRAY [1..5] OF INTEGER{3,1,2,5,4};
PROCEDURE Run() =
  BEGIN
    Sort(a); FOR i:=1 TO 5 DO IO.PutInt(a[i]) END; P(0); P(S2())
  END Run;
BEGIN
END TryGenericLike.
(* expect: 123450 *)
(* expect: 54321 *)

(* unit: TryMutualRec.i3 *)
INTERFACE TryMutualRec;
PROCEDURE Run();
END TryMutualRec.

(* unit: TryMutualRec.m3 *)
MODULE TryMutualRec;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Even(n: INTEGER): BOOLEAN = BEGIN IF n=0 THEN RETURN TRUE END; RETURN Odd(n-1) END Even;
PROCEDURE Odd(n: INTEGER): BOOLEAN = BEGIN IF n=0 THEN RETURN FALSE END; RETURN Even(n-1) END Odd;
PROCEDURE Run() =
  BEGIN
    B(Even(1000)); B(Odd(777)); B(Even(777))
  END Run;
BEGIN
END TryMutualRec.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)

(* unit: TryEvalOrder.i3 *)
INTERFACE TryEvalOrder;
PROCEDURE Run();
END TryEvalOrder.

(* unit: TryEvalOrder.m3 *)
MODULE TryEvalOrder;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR l := 0; PROCEDURE F(i: INTEGER): INTEGER = BEGIN l := l*10+i; RETURN i END F;
PROCEDURE G(a,b,c: INTEGER): INTEGER = BEGIN RETURN a+b+c END G; VAR v: ARRAY [0..9] OF INTEGER;
PROCEDURE Run() =
  BEGIN
    EVAL F(1)+F(2)*F(3); P(l); l := 0; P(G(F(1),F(2),F(3))); P(l); l := 0; EVAL (F(1)=2) AND (F(2)=2);
    P(l); l := 0; EVAL (F(1)=1) OR (F(2)=2); P(l); v[F(4)] := 1; P(v[4])
  END Run;
BEGIN
END TryEvalOrder.
(* expect: 123 *)
(* expect: 6 *)
(* expect: 123 *)
(* expect: 1 *)
(* expect: 1 *)
(* expect: 1 *)

(* unit: TryLocalTypes.i3 *)
INTERFACE TryLocalTypes;
PROCEDURE Run();
END TryLocalTypes.

(* unit: TryLocalTypes.m3 *)
MODULE TryLocalTypes;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
PROCEDURE Q(n: INTEGER): INTEGER = TYPE R = RECORD v: INTEGER END; CONST K = 4;
E1 = ARRAY [0..K-1] OF INTEGER{5,..}; VAR r: R; BEGIN r.v := n*E1[K-1]; RETURN r.v END Q;
PROCEDURE Run() =
  BEGIN
    P(Q(3))
  END Run;
BEGIN
END TryLocalTypes.
(* expect: 15 *)

(* unit: TryBlockScope.i3 *)
INTERFACE TryBlockScope;
PROCEDURE Run();
END TryBlockScope.

(* unit: TryBlockScope.m3 *)
MODULE TryBlockScope;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR x := 1; PROCEDURE Q(): INTEGER = VAR x := 2; BEGIN VAR z := x + 10; y := z * 2;
BEGIN RETURN z*1000+y+x END END Q;
PROCEDURE Run() =
  BEGIN
    P(x); P(Q()); VAR x := 5; BEGIN INC(x); P(x) END; P(x)
  END Run;
BEGIN
END TryBlockScope.
(* expect: 1 *)
(* expect: 12026 *)
(* expect: 6 *)
(* expect: 1 *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TryProctypeRec, TryProctypeRet, TryNestedCap, TryNestedAsParam, TryNestedRetEq, TryWithAlias, TryReadonlyAlias, TryDefaults, TryGenericLike, TryMutualRec, TryEvalOrder, TryLocalTypes, TryBlockScope;
BEGIN
  TryProctypeRec.Run();
  TryProctypeRet.Run();
  TryNestedCap.Run();
  TryNestedAsParam.Run();
  TryNestedRetEq.Run();
  TryWithAlias.Run();
  TryReadonlyAlias.Run();
  TryDefaults.Run();
  TryGenericLike.Run();
  TryMutualRec.Run();
  TryEvalOrder.Run();
  TryLocalTypes.Run();
  TryBlockScope.Run();
END Main.
