(* golden: run, with lib/Out, -w *)
(* One feature a unit: objects, TYPECASE and texts (language.md 12, 14.14, 17, 1.10). *)

(* unit: TryObjBasic.i3 *)
INTERFACE TryObjBasic;
PROCEDURE Run();
END TryObjBasic.

(* unit: TryObjBasic.m3 *)
MODULE TryObjBasic;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=OBJECT x:=1 METHODS f(): INTEGER := Fa; g(k: INTEGER): INTEGER := Ga END;
Bt=A OBJECT y:=2 OVERRIDES f := Fb END;
C=Bt OBJECT METHODS f(): INTEGER := Fc OVERRIDES g := Gc END;
PROCEDURE Fa(a: A): INTEGER = BEGIN RETURN a.x END Fa;
PROCEDURE Fb(b: Bt): INTEGER = BEGIN RETURN b.y*10+A.f(b) END Fb;
PROCEDURE Fc(<*UNUSED*>c: C): INTEGER = BEGIN RETURN 100 END Fc; PROCEDURE Ga(a: A;
k: INTEGER): INTEGER = BEGIN RETURN a.f()+k END Ga; PROCEDURE Gc(c: C;
k: INTEGER): INTEGER = BEGIN RETURN Bt.g(c,k)+c.f() END Gc; VAR c := NEW(C); b: Bt := c; a: A := c;
PROCEDURE Run() =
  BEGIN
    P(a.f()); P(b.f()); P(c.f()); P(a.g(1)); P(NEW(A,x:=7).g(2)); P(NEW(Bt,f:=Fa).f());
    b := NEW(Bt,y:=5); P(b.f())
  END Run;
BEGIN
END TryObjBasic.
(* expect: 21 *)
(* expect: 21 *)
(* expect: 100 *)
(* expect: 122 *)
(* expect: 9 *)
(* expect: 1 *)
(* expect: 51 *)

(* unit: TryObjRecTypes.i3 *)
INTERFACE TryObjRecTypes;
PROCEDURE Run();
END TryObjRecTypes.

(* unit: TryObjRecTypes.m3 *)
MODULE TryObjRecTypes;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE Tree=OBJECT l,r: Tree; k: INTEGER METHODS ins(k: INTEGER): Tree := Ins;
sum(): INTEGER := Sum END; PROCEDURE Ins(t: Tree;
k: INTEGER): Tree = BEGIN IF t=NIL THEN RETURN NEW(Tree,k:=k) END;
IF k<t.k THEN t.l := Ins(t.l,k) ELSE t.r := Ins(t.r,k) END; RETURN t END Ins;
PROCEDURE Sum(t: Tree): INTEGER = VAR s: INTEGER; BEGIN s := t.k;
IF t.l#NIL THEN INC(s,t.l.sum()) END; IF t.r#NIL THEN INC(s,t.r.sum()) END; RETURN s END Sum;
VAR t: Tree := NIL;
PROCEDURE Run() =
  BEGIN
    FOR i:=1 TO 100 DO t := Ins(t,(i*37) MOD 101) END; P(t.sum())
  END Run;
BEGIN
END TryObjRecTypes.
(* expect: 5050 *)

(* unit: TryObjTypecase.i3 *)
INTERFACE TryObjTypecase;
PROCEDURE Run();
END TryObjTypecase.

(* unit: TryObjTypecase.m3 *)
MODULE TryObjTypecase;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=OBJECT END; Bt=A OBJECT END; C=Bt OBJECT END; D=A OBJECT END;
PROCEDURE K(r: REFANY): INTEGER = BEGIN TYPECASE r OF NULL => RETURN 0 | C => RETURN 1 | Bt(b) => EVAL b;
RETURN 2 | A, REF INTEGER => RETURN 3 | TEXT(t) => EVAL t;
RETURN 4 | MUTEX => RETURN 5 | REF CHAR(c) => RETURN ORD(c^) ELSE RETURN 9 END END K;
VAR c := NEW(REF CHAR);
PROCEDURE Run() =
  BEGIN
    c^ := 'A'; P(K(NIL)); P(K(NEW(C))); P(K(NEW(Bt))); P(K(NEW(A))); P(K(NEW(D)));
    P(K(NEW(REF INTEGER))); P(K("x")); P(K(NEW(MUTEX))); P(K(c)); P(K(NEW(REF REAL))); P(K(NEW(ROOT)))
  END Run;
BEGIN
END TryObjTypecase.
(* expect: 0 *)
(* expect: 1 *)
(* expect: 2 *)
(* expect: 3 *)
(* expect: 2 *)
(* expect: 3 *)
(* expect: 4 *)
(* expect: 5 *)
(* expect: 65 *)
(* expect: 9 *)
(* expect: 9 *)

(* unit: TryObjTcNilFirst.i3 *)
INTERFACE TryObjTcNilFirst;
PROCEDURE Run();
END TryObjTcNilFirst.

(* unit: TryObjTcNilFirst.m3 *)
MODULE TryObjTcNilFirst;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=OBJECT x: INTEGER END; VAR a: A;
PROCEDURE Run() =
  BEGIN
    TYPECASE a OF A(z) => B(z=NIL) | NULL => P(0) END
  END Run;
BEGIN
END TryObjTcNilFirst.
(* expect: TRUE *)

(* unit: TryObjNewOverrideEq.i3 *)
INTERFACE TryObjNewOverrideEq;
PROCEDURE Run();
END TryObjNewOverrideEq.

(* unit: TryObjNewOverrideEq.m3 *)
MODULE TryObjNewOverrideEq;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=OBJECT METHODS f(): INTEGER := F END;
PROCEDURE F(<*UNUSED*>a: A): INTEGER = BEGIN RETURN 1 END F;
PROCEDURE G(<*UNUSED*>a: A): INTEGER = BEGIN RETURN 2 END G; VAR a := NEW(A,f:=G); b := NEW(A);
p := A.f;
PROCEDURE Run() =
  BEGIN
    P(a.f()); P(b.f()); B(TYPECODE(a)=TYPECODE(b)); P(p(a))
  END Run;
BEGIN
END TryObjNewOverrideEq.
(* expect: 2 *)
(* expect: 1 *)
(* expect: FALSE *)
(* expect: 1 *)

(* unit: TryObjFieldHide.i3 *)
INTERFACE TryObjFieldHide;
PROCEDURE Run();
END TryObjFieldHide.

(* unit: TryObjFieldHide.m3 *)
MODULE TryObjFieldHide;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=OBJECT x:=1 END; Bt=A OBJECT x:=2 END; VAR b := NEW(Bt); a: A := b;
PROCEDURE Run() =
  BEGIN
    P(b.x); P(a.x); P(NARROW(b,A).x); b.x := 9; P(a.x)
  END Run;
BEGIN
END TryObjFieldHide.
(* expect: 2 *)
(* expect: 1 *)
(* expect: 1 *)
(* expect: 1 *)

(* unit: TryObjOpenField.i3 *)
INTERFACE TryObjOpenField;
PROCEDURE Run();
END TryObjOpenField.

(* unit: TryObjOpenField.m3 *)
MODULE TryObjOpenField;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A=OBJECT v: REF ARRAY OF INTEGER; m: ARRAY [0..2] OF CHAR := ARRAY [0..2] OF CHAR{'a','b','c'};
s := SET OF [0..70]{70} END; VAR a := NEW(A,v:=NEW(REF ARRAY OF INTEGER,3));
PROCEDURE Run() =
  BEGIN
    a.v[1] := 5; P(a.v[1]); T(Fmt.Char(a.m[2])); B(70 IN a.s); WITH z=a.v^ DO z[0] := 2 END; P(a.v[0])
  END Run;
BEGIN
END TryObjOpenField.
(* expect: 5 *)
(* expect: c *)
(* expect: TRUE *)
(* expect: 2 *)

(* unit: TryTypecodeRef.i3 *)
INTERFACE TryTypecodeRef;
PROCEDURE Run();
END TryTypecodeRef.

(* unit: TryTypecodeRef.m3 *)
MODULE TryTypecodeRef;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE L=REF RECORD n: L END; L2=REF RECORD n: REF RECORD n: L2 END END; VAR r: REFANY := NEW(L2);
PROCEDURE Run() =
  BEGIN
    B(TYPECODE(L)=TYPECODE(L2)); B(ISTYPE(r,L));
    B(TYPECODE(BRANDED "zq1" REF INTEGER)=TYPECODE(REF INTEGER)); B(TYPECODE(r)=TYPECODE(L))
  END Run;
BEGIN
END TryTypecodeRef.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)

(* unit: TryTextEsc.i3 *)
INTERFACE TryTextEsc;
PROCEDURE Run();
END TryTextEsc.

(* unit: TryTextEsc.m3 *)
MODULE TryTextEsc;
IMPORT IO, Fmt, Text;
FROM Out IMPORT P, B, T;
CONST E="a\tb\n\\\"\'\101\x42\r\f"; VAR c := '\''; d := '\377'; e := '"';
PROCEDURE Run() =
  BEGIN
    FOR i:=0 TO Text.Length(E)-1 DO IO.PutInt(ORD(Text.GetChar(E,i))); IO.Put(" ") END; P(0); P(ORD(c));
    P(ORD(d)); P(ORD(e)); P(Text.Length("")); P(Text.Length("\000\000"))
  END Run;
BEGIN
END TryTextEsc.
(* expect: 97 9 98 10 92 34 39 65 66 13 12 0 *)
(* expect: 39 *)
(* expect: 255 *)
(* expect: 34 *)
(* expect: 0 *)
(* expect: 2 *)

(* unit: TryTextWide.i3 *)
INTERFACE TryTextWide;
PROCEDURE Run();
END TryTextWide.

(* unit: TryTextWide.m3 *)
MODULE TryTextWide;
IMPORT IO, Fmt, Text;
FROM Out IMPORT P, B, T;
CONST W1=W"a\x1234b\U01F600"; VAR w := W'\x00e9'; c: CHAR;
PROCEDURE Run() =
  BEGIN
    P(Text.Length(W1)); P(ORD(Text.GetWideChar(W1,1))); B(Text.HasWideChars(W1));
    B(Text.HasWideChars(W"abc")); B(Text.Equal(W"abc","abc")); P(ORD(w)); c := w; P(ORD(c));
    B(Text.Equal(W"x" & "y","xy")); P(NUMBER(WIDECHAR))
  END Run;
BEGIN
END TryTextWide.
(* expect: 5 *)
(* expect: 4660 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 233 *)
(* expect: 233 *)
(* expect: TRUE *)
(* expect: 65536 *)

(* unit: TryTextCatConst.i3 *)
INTERFACE TryTextCatConst;
PROCEDURE Run();
END TryTextCatConst.

(* unit: TryTextCatConst.m3 *)
MODULE TryTextCatConst;
IMPORT IO, Fmt, Text;
FROM Out IMPORT P, B, T;
CONST A="ab"; C=A & "cd" & "" & W"ef"; VAR t := ""; 
PROCEDURE Run() =
  BEGIN
    P(Text.Length(C)); T(C); FOR i:=1 TO 5 DO t := t & Fmt.Int(i) & A END; T(t); B(t#NIL);
    P(Text.FindChar(t,'5'))
  END Run;
BEGIN
END TryTextCatConst.
(* expect: 6 *)
(* expect: abcdef *)
(* expect: 1ab2ab3ab4ab5ab *)
(* expect: TRUE *)
(* expect: 12 *)

(* unit: TryTextCmp.i3 *)
INTERFACE TryTextCmp;
PROCEDURE Run();
END TryTextCmp.

(* unit: TryTextCmp.m3 *)
MODULE TryTextCmp;
IMPORT IO, Fmt, Text;
FROM Out IMPORT P, B, T;
VAR a := "ab"; b := "a" & "b";
PROCEDURE Run() =
  BEGIN
    B(Text.Equal(a,b)); P(Text.Compare("a","b")); P(Text.Compare("b","ab")); P(Text.Compare(a,b));
    T(Text.Sub("hello",1,3)); P(Text.Length(Text.Sub("hello",4))); P(Text.Hash(a)-Text.Hash(b))
  END Run;
BEGIN
END TryTextCmp.
(* expect: TRUE *)
(* expect: -1 *)
(* expect: 1 *)
(* expect: 0 *)
(* expect: ell *)
(* expect: 1 *)
(* expect: 0 *)

(* unit: TrySubarrayText.i3 *)
INTERFACE TrySubarrayText;
PROCEDURE Run();
END TrySubarrayText.

(* unit: TrySubarrayText.m3 *)
MODULE TrySubarrayText;
IMPORT IO, Fmt, Text;
FROM Out IMPORT P, B, T;
VAR c := ARRAY [0..4] OF CHAR{'h','e','l','l','o'}; d: ARRAY [0..2] OF CHAR;
PROCEDURE Run() =
  BEGIN
    T(Text.FromChars(c)); T(Text.FromChars(SUBARRAY(c,1,3))); Text.SetChars(d,"xyz");
    T(Text.FromChars(d)); SUBARRAY(c,0,3) := d; T(Text.FromChars(c))
  END Run;
BEGIN
END TrySubarrayText.
(* expect: hello *)
(* expect: ell *)
(* expect: xyz *)
(* expect: xyzlo *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TryObjBasic, TryObjRecTypes, TryObjTypecase, TryObjTcNilFirst, TryObjNewOverrideEq, TryObjFieldHide, TryObjOpenField, TryTypecodeRef, TryTextEsc, TryTextWide, TryTextCatConst, TryTextCmp, TrySubarrayText;
BEGIN
  TryObjBasic.Run();
  TryObjRecTypes.Run();
  TryObjTypecase.Run();
  TryObjTcNilFirst.Run();
  TryObjNewOverrideEq.Run();
  TryObjFieldHide.Run();
  TryObjOpenField.Run();
  TryTypecodeRef.Run();
  TryTextEsc.Run();
  TryTextWide.Run();
  TryTextCatConst.Run();
  TryTextCmp.Run();
  TrySubarrayText.Run();
END Main.
