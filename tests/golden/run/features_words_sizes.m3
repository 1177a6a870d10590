(* golden: run, with lib/Out, -w *)
(* One feature a unit: Word, Long, sizes, LOOPHOLE and addresses (language.md 17, 22, 25.1). *)

(* unit: TryWord.i3 *)
INTERFACE TryWord;
PROCEDURE Run();
END TryWord.

(* unit: TryWord.m3 *)
MODULE TryWord;
IMPORT IO, Fmt, Word AS W;
FROM Out IMPORT P, B, T;
CONST M=W.Not(0); VAR a := 16_F0F0; b := -1;
PROCEDURE Run() =
  BEGIN
    P(W.Plus(LAST(INTEGER),1)); P(W.Times(a,2)); P(W.Divide(b,2)); P(W.Mod(b,10)); B(W.LT(1,b));
    B(W.GE(b,M)); P(W.And(a,16_FF)); P(W.Or(a,15)); P(W.Xor(a,a)); P(W.Not(a)); P(W.Shift(1,63));
    P(W.Shift(b,-63)); P(W.Shift(1,64)); P(W.Rotate(1,-1)); P(W.LeftShift(3,4)); P(W.RightShift(b,60));
    P(W.LeftRotate(b,5)); P(W.RightRotate(3,1)); P(W.Extract(a,4,8)); P(W.Insert(0,5,3,2));
    P(W.Minus(0,1)); P(W.Size)
  END Run;
BEGIN
END TryWord.
(* expect: -9223372036854775808 *)
(* expect: 123360 *)
(* expect: 9223372036854775807 *)
(* expect: 5 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 240 *)
(* expect: 61695 *)
(* expect: 0 *)
(* expect: -61681 *)
(* expect: -9223372036854775808 *)
(* expect: 1 *)
(* expect: 0 *)
(* expect: -9223372036854775808 *)
(* expect: 48 *)
(* expect: 15 *)
(* expect: -1 *)
(* expect: -9223372036854775807 *)
(* expect: 15 *)
(* expect: 8 *)
(* expect: -1 *)
(* expect: 64 *)

(* unit: TryWordConst.i3 *)
INTERFACE TryWordConst;
PROCEDURE Run();
END TryWordConst.

(* unit: TryWordConst.m3 *)
MODULE TryWordConst;
IMPORT IO, Fmt, Word AS W;
FROM Out IMPORT P, B, T;
CONST A=W.Shift(1,10); B1=W.Extract(16_ABCD,4,8); C=W.Insert(16_FFFF,0,4,8); D=W.Rotate(1,-1);
E=W.LT(0,-1); TYPE R=[0..A-1]; 
PROCEDURE Run() =
  BEGIN
    P(NUMBER(R)); P(B1); P(C); P(D); B(E); P(W.And(A,W.Not(A)))
  END Run;
BEGIN
END TryWordConst.
(* expect: 1024 *)
(* expect: 188 *)
(* expect: 61455 *)
(* expect: -9223372036854775808 *)
(* expect: TRUE *)
(* expect: 0 *)

(* unit: TryLong.i3 *)
INTERFACE TryLong;
PROCEDURE Run();
END TryLong.

(* unit: TryLong.m3 *)
MODULE TryLong;
IMPORT IO, Fmt, Long AS Ln;
FROM Out IMPORT P, B, T;
CONST A=Ln.Shift(1L,40); VAR a := 16_FFL; PROCEDURE L(x: LONGINT) = BEGIN IO.PutLongInt(x);
IO.Put("\n") END L;
PROCEDURE Run() =
  BEGIN
    L(A); L(Ln.And(a,15L)); L(Ln.Not(a)); L(Ln.Extract(a,4,2)); L(Ln.Insert(0L,a,8,4)); B(Ln.LT(a,-1L));
    L(Ln.Rotate(a,-4)); L(Ln.Divide(-1L,2L)); L(VAL(7,LONGINT)); P(VAL(a,INTEGER)); L(ORD(a));
    P(NUMBER([1L..5L])); L(LAST(LONGCARD)); L(MAX(a,300L))
  END Run;
BEGIN
END TryLong.
(* expect: 1099511627776 *)
(* expect: 15 *)
(* expect: -256 *)
(* expect: 3 *)
(* expect: 3840 *)
(* expect: TRUE *)
(* expect: -1152921504606846961 *)
(* expect: 9223372036854775807 *)
(* expect: 7 *)
(* expect: 255 *)
(* expect: 255 *)
(* expect: 5 *)
(* expect: 9223372036854775807 *)
(* expect: 300 *)

(* unit: TryLoophole.i3 *)
INTERFACE TryLoophole;
PROCEDURE Run();
END TryLoophole.

(* unit: TryLoophole.m3 *)
UNSAFE MODULE TryLoophole;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R8=RECORD a,b: BITS 32 FOR [-16_7FFFFFFF-1..16_7FFFFFFF] END;
A8=ARRAY [0..7] OF BITS 8 FOR [0..255]; VAR d := 1.0d0; r := 1.0; i := 16_0102030405060708;
VAR x: A8; y: R8;
PROCEDURE Run() =
  BEGIN
    P(LOOPHOLE(d,INTEGER)); x := LOOPHOLE(i,A8); P(x[0]); P(x[7]); y := LOOPHOLE(i,R8); P(y.a);
    P(LOOPHOLE(LOOPHOLE(i,LONGREAL),INTEGER)); P(LOOPHOLE(LOOPHOLE(x,R8),INTEGER));
    LOOPHOLE(d,INTEGER) := 0; B(d=0.0d0); P(LOOPHOLE('a',[0..255]));
    P(ORD(LOOPHOLE(r,RECORD a: BITS 32 FOR [0..16_FFFFFFFF] END).a))
  END Run;
BEGIN
END TryLoophole.
(* expect: 4607182418800017408 *)
(* expect: 8 *)
(* expect: 1 *)
(* expect: 84281096 *)
(* expect: 72623859790382856 *)
(* expect: 72623859790382856 *)
(* expect: TRUE *)
(* expect: 97 *)
(* expect: 1065353216 *)

(* unit: TryAdr.i3 *)
INTERFACE TryAdr;
PROCEDURE Run();
END TryAdr.

(* unit: TryAdr.m3 *)
UNSAFE MODULE TryAdr;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE Pi=UNTRACED REF INTEGER; VAR a := ARRAY [0..4] OF INTEGER{1,2,3,4,5}; p: ADDRESS := ADR(a[0]);
q: Pi := ADR(a[3]);
PROCEDURE Run() =
  BEGIN
    P(q^); INC(q,ADRSIZE(INTEGER)); P(q^); P(q-p); p := p+8; P(LOOPHOLE(p,Pi)^); DEC(q,16); P(q^);
    B(p<q); q^ := 50; P(a[2]); B(ADR(a)=ADR(a[0])); P(ADR(a[1])-ADR(a)); P(ADRSIZE(a))
  END Run;
BEGIN
END TryAdr.
(* expect: 4 *)
(* expect: 5 *)
(* expect: 32 *)
(* expect: 2 *)
(* expect: 3 *)
(* expect: TRUE *)
(* expect: 50 *)
(* expect: TRUE *)
(* expect: 8 *)
(* expect: 40 *)

(* unit: TryUntracedRef.i3 *)
INTERFACE TryUntracedRef;
PROCEDURE Run();
END TryUntracedRef.

(* unit: TryUntracedRef.m3 *)
UNSAFE MODULE TryUntracedRef;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=UNTRACED REF RECORD a: INTEGER; b: CHAR := 'k' END; V=UNTRACED REF ARRAY OF INTEGER;
VAR r := NEW(R,a:=4); v := NEW(V,10);
PROCEDURE Run() =
  BEGIN
    P(r.a); T(Fmt.Char(r.b)); v[9] := 3; P(NUMBER(v^)+v[9]); DISPOSE(r); B(r=NIL); DISPOSE(v); B(v=NIL)
  END Run;
BEGIN
END TryUntracedRef.
(* expect: 4 *)
(* expect: k *)
(* expect: 13 *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: TrySizes.i3 *)
INTERFACE TrySizes;
PROCEDURE Run();
END TrySizes.

(* unit: TrySizes.m3 *)
MODULE TrySizes;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE E={a,b,c}; R=RECORD c: CHAR; i: INTEGER; b: BOOLEAN END; P3=RECORD a: BITS 3 FOR [0..7];
b: BITS 5 FOR [0..31] END; VAR x: R;
PROCEDURE Run() =
  BEGIN
    P(BITSIZE(CHAR)); P(BYTESIZE(INTEGER)); P(ADRSIZE(x)); P(BYTESIZE(E)); P(BYTESIZE(REAL));
    P(BYTESIZE(LONGREAL)); P(BITSIZE(BITS 5 FOR [0..31])); P(BYTESIZE(P3));
    P(BYTESIZE(ARRAY [0..9] OF R)); P(BYTESIZE(REFANY)); P(BYTESIZE(WIDECHAR));
    P(BYTESIZE(SET OF CHAR)); P(BYTESIZE([0..65535])); P(BYTESIZE([-1..127])); P(BYTESIZE(LONGINT));
    P(BYTESIZE(EXTENDED))
  END Run;
BEGIN
END TrySizes.
(* expect: 8 *)
(* expect: 8 *)
(* expect: 24 *)
(* expect: 1 *)
(* expect: 4 *)
(* expect: 8 *)
(* expect: 5 *)
(* expect: 1 *)
(* expect: 240 *)
(* expect: 8 *)
(* expect: 2 *)
(* expect: 32 *)
(* expect: 2 *)
(* expect: 1 *)
(* expect: 8 *)
(* expect: 8 *)

(* unit: TryObjUntraced.i3 *)
INTERFACE TryObjUntraced;
PROCEDURE Run();
END TryObjUntraced.

(* unit: TryObjUntraced.m3 *)
UNSAFE MODULE TryObjUntraced;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE U=UNTRACED ROOT OBJECT n: INTEGER:=4; nx: U METHODS f(): INTEGER := F END;
V=U OBJECT k:=5 OVERRIDES f := G END; PROCEDURE F(u: U): INTEGER = BEGIN RETURN u.n END F;
PROCEDURE G(v: V): INTEGER = BEGIN RETURN v.n*10+v.k END G; VAR u: U := NEW(V,nx:=NEW(U,n:=6));
PROCEDURE Run() =
  BEGIN
    P(u.f()); P(u.nx.f()); B(ISTYPE(u,V)); B(ISTYPE(u.nx,V));
    TYPECASE u OF V(v) => P(v.k) ELSE P(0) END; DISPOSE(u.nx); B(u.nx=NIL); DISPOSE(u); B(u=NIL)
  END Run;
BEGIN
END TryObjUntraced.
(* expect: 45 *)
(* expect: 6 *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: 5 *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TryWord, TryWordConst, TryLong, TryLoophole, TryAdr, TryUntracedRef, TrySizes, TryObjUntraced;
BEGIN
  TryWord.Run();
  TryWordConst.Run();
  TryLong.Run();
  TryLoophole.Run();
  TryAdr.Run();
  TryUntracedRef.Run();
  TrySizes.Run();
  TryObjUntraced.Run();
END Main.
