(* golden: run, with lib/Out, -w *)
(* One feature a unit: arrays, records and constants of them (language.md 5.3, 5.4, 11.4, 18). *)

(* unit: TryOpenRec.i3 *)
INTERFACE TryOpenRec;
PROCEDURE Run();
END TryOpenRec.

(* unit: TryOpenRec.m3 *)
MODULE TryOpenRec;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=RECORD a: INTEGER; t: TEXT; c: CHAR END;
PROCEDURE S(READONLY a: ARRAY OF R): INTEGER = VAR s:=0;
BEGIN FOR i:=FIRST(a) TO LAST(a) DO s:=s*10+a[i].a END; RETURN s END S;
PROCEDURE V(a: ARRAY OF R): INTEGER = BEGIN a[0].a := 9; RETURN S(a) END V;
PROCEDURE W(VAR a: ARRAY OF R) = BEGIN a[LAST(a)] := a[0] END W; VAR x: ARRAY [5..7] OF R;
y := NEW(REF ARRAY OF R, 2);
PROCEDURE Run() =
  BEGIN
    FOR i:=5 TO 7 DO x[i].a := i END; P(S(x)); P(V(x)); P(S(x)); W(x); P(S(x)); y[0].a := 3;
    y[1].a := 4; P(S(y^)); P(V(SUBARRAY(x,1,2))); P(S(SUBARRAY(x,1,0))); W(y^); P(S(y^))
  END Run;
BEGIN
END TryOpenRec.
(* expect: 567 *)
(* expect: 967 *)
(* expect: 567 *)
(* expect: 565 *)
(* expect: 34 *)
(* expect: 95 *)
(* expect: 0 *)
(* expect: 33 *)

(* unit: TryOpen2.i3 *)
INTERFACE TryOpen2;
PROCEDURE Run();
END TryOpen2.

(* unit: TryOpen2.m3 *)
MODULE TryOpen2;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE M = ARRAY OF ARRAY OF INTEGER; PROCEDURE Sum(READONLY m: M): INTEGER = VAR s := 0;
BEGIN FOR i := 0 TO LAST(m) DO FOR j := 0 TO LAST(m[i]) DO s := s + m[i,j] * (i+1) END END;
RETURN s END Sum; VAR r := NEW(REF M, 3, 4); f: ARRAY [1..2],[1..3] OF INTEGER;
PROCEDURE Run() =
  BEGIN
    FOR i := 0 TO 2 DO FOR j := 0 TO 3 DO r[i][j] := i*4+j END END; P(Sum(r^));
    P(Sum(SUBARRAY(r^,1,2))); FOR i := 1 TO 2 DO FOR j := 1 TO 3 DO f[i,j] := i END END; P(Sum(f));
    P(NUMBER(r^)); P(NUMBER(r[0])); r[2] := r[0]; P(r[2,3]); P(Sum(r^))
  END Run;
BEGIN
END TryOpen2.
(* expect: 164 *)
(* expect: 98 *)
(* expect: 15 *)
(* expect: 3 *)
(* expect: 4 *)
(* expect: 3 *)
(* expect: 68 *)

(* unit: TryOpenAssign.i3 *)
INTERFACE TryOpenAssign;
PROCEDURE Run();
END TryOpenAssign.

(* unit: TryOpenAssign.m3 *)
MODULE TryOpenAssign;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR r := NEW(REF ARRAY OF INTEGER, 3); f := ARRAY [0..2] OF INTEGER{7,8,9};
PROCEDURE Run() =
  BEGIN
    r^ := f; P(r[2]); f[0] := 1; SUBARRAY(r^,0,2) := SUBARRAY(f,0,2); P(r[0]+r[1]);
    SUBARRAY(f,1,2) := SUBARRAY(f,0,2); P(f[0]*100+f[1]*10+f[2]); f := r^; P(f[2])
  END Run;
BEGIN
END TryOpenAssign.
(* expect: 9 *)
(* expect: 9 *)
(* expect: 118 *)
(* expect: 9 *)

(* unit: TryArrIndexTypes.i3 *)
INTERFACE TryArrIndexTypes;
PROCEDURE Run();
END TryArrIndexTypes.

(* unit: TryArrIndexTypes.m3 *)
MODULE TryArrIndexTypes;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE E={a,b,c}; VAR x: ARRAY E OF INTEGER; y: ARRAY [10..12] OF INTEGER; z: ARRAY BOOLEAN OF CHAR;
c: ARRAY CHAR OF INTEGER; w := ARRAY [-1..1] OF TEXT{"m","z","p"};
PROCEDURE Run() =
  BEGIN
    x := ARRAY E OF INTEGER{1,2,3}; y := x; P(y[11]); x[E.c] := 9; y := x; P(y[12]); z[TRUE] := 't';
    T(Fmt.Char(z[1>0])); FOR i := FIRST(c) TO LAST(c) DO c[i] := ORD(i) END; P(c['A']);
    FOR i := FIRST(w) TO LAST(w) DO T(w[i]) END; P(FIRST(y)+NUMBER(z))
  END Run;
BEGIN
END TryArrIndexTypes.
(* expect: 2 *)
(* expect: 9 *)
(* expect: t *)
(* expect: 65 *)
(* expect: m *)
(* expect: z *)
(* expect: p *)
(* expect: 12 *)

(* unit: TryArrLongIndex.i3 *)
INTERFACE TryArrLongIndex;
PROCEDURE Run();
END TryArrLongIndex.

(* unit: TryArrLongIndex.m3 *)
MODULE TryArrLongIndex;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a: ARRAY [5L..7L] OF INTEGER; i := 6L;
PROCEDURE Run() =
  BEGIN
    FOR k := 5L TO 7L DO a[k] := ORD(3) END; a[i] := 8; P(a[6L]+a[7L])
  END Run;
BEGIN
END TryArrLongIndex.
(* expect: 11 *)

(* unit: TryArrConsDots.i3 *)
INTERFACE TryArrConsDots;
PROCEDURE Run();
END TryArrConsDots.

(* unit: TryArrConsDots.m3 *)
MODULE TryArrConsDots;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=ARRAY [0..5] OF INTEGER; CONST K=A{1,2,..}; VAR a := A{3,..}; x := 5; b := A{x,x+1,..};
PROCEDURE Run() =
  BEGIN
    P(K[5]); P(a[4]); P(b[5]); P(NUMBER(ARRAY OF INTEGER{1,2,3})); P(ARRAY OF INTEGER{4,5,6}[1])
  END Run;
BEGIN
END TryArrConsDots.
(* expect: 2 *)
(* expect: 3 *)
(* expect: 6 *)
(* expect: 3 *)
(* expect: 5 *)

(* unit: TryArrOfArrVal.i3 *)
INTERFACE TryArrOfArrVal;
PROCEDURE Run();
END TryArrOfArrVal.

(* unit: TryArrOfArrVal.m3 *)
MODULE TryArrOfArrVal;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE M=ARRAY [0..1] OF ARRAY [0..1] OF INTEGER; PROCEDURE Q(m: M): M = VAR t: M; BEGIN t[0]:=m[1];
t[1]:=m[0]; m[0,0] := 99; RETURN t END Q;
VAR a := M{ARRAY [0..1] OF INTEGER{1,2},ARRAY [0..1] OF INTEGER{3,4}};
PROCEDURE Run() =
  BEGIN
    a := Q(a); P(a[0,0]*1000+a[0,1]*100+a[1,0]*10+a[1,1]); a[0] := a[1]; P(a[0][1]); B(a[0]=a[1]);
    B(Q(a)=a)
  END Run;
BEGIN
END TryArrOfArrVal.
(* expect: 3412 *)
(* expect: 2 *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: TryEmptyArr.i3 *)
INTERFACE TryEmptyArr;
PROCEDURE Run();
END TryEmptyArr.

(* unit: TryEmptyArr.m3 *)
MODULE TryEmptyArr;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR a: ARRAY [1..0] OF INTEGER; r := NEW(REF ARRAY OF CHAR,0);
PROCEDURE N(READONLY a: ARRAY OF INTEGER): INTEGER = BEGIN RETURN NUMBER(a)*10+LAST(a) END N;
PROCEDURE Run() =
  BEGIN
    P(NUMBER(a)); P(N(a)); P(LAST(r^)); P(FIRST(r^)); P(N(ARRAY OF INTEGER{}))
  END Run;
BEGIN
END TryEmptyArr.
(* expect: 0 *)
(* expect: -1 *)
(* expect: -1 *)
(* expect: 0 *)
(* expect: -1 *)

(* unit: TryRecCons.i3 *)
INTERFACE TryRecCons;
PROCEDURE Run();
END TryRecCons.

(* unit: TryRecCons.m3 *)
MODULE TryRecCons;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=RECORD a: INTEGER:=1; b: CHAR:='x'; c: TEXT:="t";
d: ARRAY [0..1] OF INTEGER:=ARRAY [0..1] OF INTEGER{4,5} END; CONST K=R{b:='y'}; K2=K.d[1]+K.a;
VAR r:=R{7,c:="q"}; v: R;
PROCEDURE Run() =
  BEGIN
    P(K2); T(Fmt.Char(K.b)); P(r.a); T(r.c); T(Fmt.Char(r.b)); P(v.d[0]); v := R{}; v.a := 8; B(v=r);
    v := R{a:=7,c:=r.c}; B(v=r)
  END Run;
BEGIN
END TryRecCons.
(* expect: 6 *)
(* expect: y *)
(* expect: 7 *)
(* expect: q *)
(* expect: x *)
(* expect: 4 *)
(* expect: FALSE *)
(* expect: TRUE *)

(* unit: TryRecSwap.i3 *)
INTERFACE TryRecSwap;
PROCEDURE Run();
END TryRecSwap.

(* unit: TryRecSwap.m3 *)
MODULE TryRecSwap;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE Pair=RECORD a,b: INTEGER END; VAR v:=Pair{1,2};
PROCEDURE Run() =
  BEGIN
    v := Pair{v.b,v.a}; P(v.a*10+v.b); v := Pair{a:=v.b,b:=v.b+v.a}; P(v.a*10+v.b)
  END Run;
BEGIN
END TryRecSwap.
(* expect: 21 *)
(* expect: 13 *)

(* unit: TryConstNested.i3 *)
INTERFACE TryConstNested;
PROCEDURE Run();
END TryConstNested.

(* unit: TryConstNested.m3 *)
MODULE TryConstNested;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=RECORD x: ARRAY [0..2] OF INTEGER; n: CHAR END;
CONST A=ARRAY [0..1] OF R{R{ARRAY [0..2] OF INTEGER{1,2,3},'a'},R{ARRAY [0..2] OF INTEGER{4,5,6},'b'}};
X=A[1].x[2]*A[0].x[1]; N=NUMBER(A[0].x); L=LAST(A[0].x); TYPE S=[0..X]; VAR i:=1; s: S:=X;
PROCEDURE Run() =
  BEGIN
    P(X); P(N+L); P(A[i].x[i]); T(Fmt.Char(A[i].n)); P(s); P(LAST(S))
  END Run;
BEGIN
END TryConstNested.
(* expect: 12 *)
(* expect: 5 *)
(* expect: 5 *)
(* expect: b *)
(* expect: 12 *)
(* expect: 12 *)

(* unit: TryConstProc.i3 *)
INTERFACE TryConstProc;
PROCEDURE Run();
END TryConstProc.

(* unit: TryConstProc.m3 *)
MODULE TryConstProc;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE F=PROCEDURE(x: INTEGER): INTEGER; PROCEDURE D(x: INTEGER): INTEGER = BEGIN RETURN 2*x END D;
PROCEDURE I(x: INTEGER): INTEGER = BEGIN RETURN x+1 END I; CONST C=D; A=ARRAY [0..1] OF F{D,I};
N: F=NIL; VAR i:=1;
PROCEDURE Run() =
  BEGIN
    P(C(4)); P(A[i](5)); P(A[0](A[1](3))); B(N=NIL); B(A[0]=C); B(A[1]=D)
  END Run;
BEGIN
END TryConstProc.
(* expect: 8 *)
(* expect: 6 *)
(* expect: 8 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)

(* unit: TryConstOrder.i3 *)
INTERFACE TryConstOrder;
PROCEDURE Run();
END TryConstOrder.

(* unit: TryConstOrder.m3 *)
MODULE TryConstOrder;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
CONST A=B1+1; B1=C*2; C=NUMBER(E); TYPE E={x,y,z}; R=[A..A+3]; VAR v: R := LAST(R);
CONST Z=FIRST(R);
PROCEDURE Run() =
  BEGIN
    P(A); P(v); P(Z)
  END Run;
BEGIN
END TryConstOrder.
(* expect: 7 *)
(* expect: 10 *)
(* expect: 7 *)

(* unit: TryRoOpenConst.i3 *)
INTERFACE TryRoOpenConst;
PROCEDURE Run();
END TryRoOpenConst.

(* unit: TryRoOpenConst.m3 *)
MODULE TryRoOpenConst;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
CONST A=ARRAY [0..2] OF INTEGER{4,5,6};
PROCEDURE S(READONLY a: ARRAY OF INTEGER): INTEGER = BEGIN RETURN a[0]+a[LAST(a)] END S;
PROCEDURE V(a: ARRAY OF INTEGER): INTEGER = BEGIN a[0] := 100; RETURN S(a) END V;
PROCEDURE Run() =
  BEGIN
    P(S(A)); P(V(A)); P(S(A)); P(S(ARRAY OF INTEGER{1,2})); P(S(SUBARRAY(A,1,2)));
    WITH z=SUBARRAY(A,0,2) DO P(z[1]) END
  END Run;
BEGIN
END TryRoOpenConst.
(* expect: 10 *)
(* expect: 106 *)
(* expect: 10 *)
(* expect: 3 *)
(* expect: 11 *)
(* expect: 5 *)

(* unit: TryProcOpenRet.i3 *)
INTERFACE TryProcOpenRet;
PROCEDURE Run();
END TryProcOpenRet.

(* unit: TryProcOpenRet.m3 *)
MODULE TryProcOpenRet;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE V=REF ARRAY OF TEXT; PROCEDURE Rev(READONLY a: ARRAY OF TEXT): V = VAR r := NEW(V,NUMBER(a));
BEGIN FOR i:=0 TO LAST(a) DO r[LAST(a)-i] := a[i] END; RETURN r END Rev;
PROCEDURE Run() =
  BEGIN
    WITH r=Rev(ARRAY OF TEXT{"a","b","c"})^ DO T(r[0]&r[1]&r[2]); P(NUMBER(r)) END;
    T(Rev(Rev(ARRAY OF TEXT{"x","y"})^)[1])
  END Run;
BEGIN
END TryProcOpenRet.
(* expect: cba *)
(* expect: 3 *)
(* expect: y *)

(* unit: TryRecReturnField.i3 *)
INTERFACE TryRecReturnField;
PROCEDURE Run();
END TryRecReturnField.

(* unit: TryRecReturnField.m3 *)
MODULE TryRecReturnField;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=RECORD a: INTEGER; b: ARRAY [0..2] OF INTEGER END;
PROCEDURE F(n: INTEGER): R = BEGIN RETURN R{n,ARRAY [0..2] OF INTEGER{n,n+1,n+2}} END F;
PROCEDURE Run() =
  BEGIN
    P(F(3).a); P(F(4).b[2]); WITH r=F(5) DO P(r.b[1]) END; EVAL F(1)
  END Run;
BEGIN
END TryRecReturnField.
(* expect: 3 *)
(* expect: 6 *)
(* expect: 6 *)

(* unit: TryMatrix.i3 *)
INTERFACE TryMatrix;
PROCEDURE Run();
END TryMatrix.

(* unit: TryMatrix.m3 *)
MODULE TryMatrix;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE M=ARRAY [0..2] OF ARRAY [0..2] OF LONGREAL;
CONST I=M{ARRAY [0..2] OF LONGREAL{1.0d0,0.0d0,..},ARRAY [0..2] OF LONGREAL{0.0d0,1.0d0,0.0d0},ARRAY [0..2] OF LONGREAL{0.0d0,0.0d0,1.0d0}};
PROCEDURE Mul(READONLY a,b: M): M = VAR c: M;
BEGIN FOR i:=0 TO 2 DO FOR j:=0 TO 2 DO c[i,j] := 0.0d0;
FOR k:=0 TO 2 DO c[i,j] := c[i,j]+a[i,k]*b[k,j] END END END; RETURN c END Mul; VAR m := I;
PROCEDURE Run() =
  BEGIN
    m[0,1] := 2.0d0; m := Mul(m,m); B(m[0,1]=4.0d0); B(Mul(m,I)=m)
  END Run;
BEGIN
END TryMatrix.
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: TryFixedValueParam.i3 *)
INTERFACE TryFixedValueParam;
PROCEDURE Run();
END TryFixedValueParam.

(* unit: TryFixedValueParam.m3 *)
MODULE TryFixedValueParam;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=ARRAY [0..99] OF INTEGER; R=RECORD a: A; n: INTEGER END; PROCEDURE Q(a: A; r: R;
VAR v: R): INTEGER = BEGIN a[0] := 7; r.a[1] := 8; v.n := r.a[1]+a[0]; v.a := a; RETURN r.n END Q;
VAR r: R;
PROCEDURE Run() =
  BEGIN
    FOR i:=0 TO 99 DO r.a[i] := i END; r.n := 4; P(Q(r.a,r,r)); P(r.n); P(r.a[0]); P(r.a[1])
  END Run;
BEGIN
END TryFixedValueParam.
(* expect: 4 *)
(* expect: 15 *)
(* expect: 7 *)
(* expect: 1 *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TryOpenRec, TryOpen2, TryOpenAssign, TryArrIndexTypes, TryArrLongIndex, TryArrConsDots, TryArrOfArrVal, TryEmptyArr, TryRecCons, TryRecSwap, TryConstNested, TryConstProc, TryConstOrder, TryRoOpenConst, TryProcOpenRet, TryRecReturnField, TryMatrix, TryFixedValueParam;
BEGIN
  TryOpenRec.Run();
  TryOpen2.Run();
  TryOpenAssign.Run();
  TryArrIndexTypes.Run();
  TryArrLongIndex.Run();
  TryArrConsDots.Run();
  TryArrOfArrVal.Run();
  TryEmptyArr.Run();
  TryRecCons.Run();
  TryRecSwap.Run();
  TryConstNested.Run();
  TryConstProc.Run();
  TryConstOrder.Run();
  TryRoOpenConst.Run();
  TryProcOpenRet.Run();
  TryRecReturnField.Run();
  TryMatrix.Run();
  TryFixedValueParam.Run();
END Main.
