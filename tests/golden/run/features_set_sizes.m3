(* golden: run, with lib/Out, -w *)
(* One feature a unit: sets of all sizes with all operators (language.md 5.7, 16). *)

(* unit: TrySetSmall.i3 *)
INTERFACE TrySetSmall;
PROCEDURE Run();
END TrySetSmall.

(* unit: TrySetSmall.m3 *)
MODULE TrySetSmall;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE S=SET OF [0..7]; VAR a := S{1,3..5}; b := S{3,6};
PROCEDURE Run() =
  BEGIN
    B(a*b=S{3}); B(a+b=S{1,3..6}); B(a-b=S{1,4,5}); B(a/b=S{1,4..6}); B(a<=S{0..7}); B(a<a); B(S{3}<a);
    B(a>=S{}); B(a>b); B(a#b); B(7 IN a); B(-1 IN a); B(100 IN a)
  END Run;
BEGIN
END TrySetSmall.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: FALSE *)
(* expect: FALSE *)

(* unit: TrySet16.i3 *)
INTERFACE TrySet16;
PROCEDURE Run();
END TrySet16.

(* unit: TrySet16.m3 *)
MODULE TrySet16;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=[0..15]; S=SET OF R; VAR a, b, c: S; n := 0; PROCEDURE Card(s: S): INTEGER = VAR k := 0;
BEGIN FOR i := FIRST(R) TO LAST(R) DO IF i IN s THEN INC(k) END END; RETURN k END Card;
PROCEDURE Run() =
  BEGIN
    a := S{}; b := S{0, 7..15}; c := S{15}; P(Card(a)); P(Card(b)); P(Card(b-c)); P(Card(b*c));
    P(Card(b/c)); P(Card(a+c)); B(c<b); B(c<=b); B(b<=c); B(b=b+c); B(c#a);
    FOR i := 0 TO 15 BY 3 DO a := a + S{i}; INC(n) END; B(Card(a)=n); B(a<=S{0..15}); B(S{0..15}>a);
    n := 7; a := S{n..n+1}; P(Card(a)); a := S{n..n-1}; P(Card(a))
  END Run;
BEGIN
END TrySet16.
(* expect: 0 *)
(* expect: 10 *)
(* expect: 9 *)
(* expect: 1 *)
(* expect: 9 *)
(* expect: 1 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 2 *)
(* expect: 0 *)

(* unit: TrySet32.i3 *)
INTERFACE TrySet32;
PROCEDURE Run();
END TrySet32.

(* unit: TrySet32.m3 *)
MODULE TrySet32;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=[5..36]; S=SET OF R; VAR a, b, c: S; n := 0; PROCEDURE Card(s: S): INTEGER = VAR k := 0;
BEGIN FOR i := FIRST(R) TO LAST(R) DO IF i IN s THEN INC(k) END END; RETURN k END Card;
PROCEDURE Run() =
  BEGIN
    a := S{}; b := S{5, 20..36}; c := S{36}; P(Card(a)); P(Card(b)); P(Card(b-c)); P(Card(b*c));
    P(Card(b/c)); P(Card(a+c)); B(c<b); B(c<=b); B(b<=c); B(b=b+c); B(c#a);
    FOR i := 5 TO 36 BY 3 DO a := a + S{i}; INC(n) END; B(Card(a)=n); B(a<=S{5..36}); B(S{5..36}>a);
    n := 20; a := S{n..n+1}; P(Card(a)); a := S{n..n-1}; P(Card(a))
  END Run;
BEGIN
END TrySet32.
(* expect: 0 *)
(* expect: 18 *)
(* expect: 17 *)
(* expect: 1 *)
(* expect: 17 *)
(* expect: 1 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 2 *)
(* expect: 0 *)

(* unit: TrySet64.i3 *)
INTERFACE TrySet64;
PROCEDURE Run();
END TrySet64.

(* unit: TrySet64.m3 *)
MODULE TrySet64;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=[-3..60]; S=SET OF R; VAR a, b, c: S; n := 0; PROCEDURE Card(s: S): INTEGER = VAR k := 0;
BEGIN FOR i := FIRST(R) TO LAST(R) DO IF i IN s THEN INC(k) END END; RETURN k END Card;
PROCEDURE Run() =
  BEGIN
    a := S{}; b := S{-3, 28..60}; c := S{60}; P(Card(a)); P(Card(b)); P(Card(b-c)); P(Card(b*c));
    P(Card(b/c)); P(Card(a+c)); B(c<b); B(c<=b); B(b<=c); B(b=b+c); B(c#a);
    FOR i := -3 TO 60 BY 3 DO a := a + S{i}; INC(n) END; B(Card(a)=n); B(a<=S{-3..60}); B(S{-3..60}>a);
    n := 28; a := S{n..n+1}; P(Card(a)); a := S{n..n-1}; P(Card(a))
  END Run;
BEGIN
END TrySet64.
(* expect: 0 *)
(* expect: 34 *)
(* expect: 33 *)
(* expect: 1 *)
(* expect: 33 *)
(* expect: 1 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 2 *)
(* expect: 0 *)

(* unit: TrySet65.i3 *)
INTERFACE TrySet65;
PROCEDURE Run();
END TrySet65.

(* unit: TrySet65.m3 *)
MODULE TrySet65;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=[0..64]; S=SET OF R; VAR a, b, c: S; n := 0; PROCEDURE Card(s: S): INTEGER = VAR k := 0;
BEGIN FOR i := FIRST(R) TO LAST(R) DO IF i IN s THEN INC(k) END END; RETURN k END Card;
PROCEDURE Run() =
  BEGIN
    a := S{}; b := S{0, 32..64}; c := S{64}; P(Card(a)); P(Card(b)); P(Card(b-c)); P(Card(b*c));
    P(Card(b/c)); P(Card(a+c)); B(c<b); B(c<=b); B(b<=c); B(b=b+c); B(c#a);
    FOR i := 0 TO 64 BY 3 DO a := a + S{i}; INC(n) END; B(Card(a)=n); B(a<=S{0..64}); B(S{0..64}>a);
    n := 32; a := S{n..n+1}; P(Card(a)); a := S{n..n-1}; P(Card(a))
  END Run;
BEGIN
END TrySet65.
(* expect: 0 *)
(* expect: 34 *)
(* expect: 33 *)
(* expect: 1 *)
(* expect: 33 *)
(* expect: 1 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 2 *)
(* expect: 0 *)

(* unit: TrySet100.i3 *)
INTERFACE TrySet100;
PROCEDURE Run();
END TrySet100.

(* unit: TrySet100.m3 *)
MODULE TrySet100;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=[-50..49]; S=SET OF R; VAR a, b, c: S; n := 0; PROCEDURE Card(s: S): INTEGER = VAR k := 0;
BEGIN FOR i := FIRST(R) TO LAST(R) DO IF i IN s THEN INC(k) END END; RETURN k END Card;
PROCEDURE Run() =
  BEGIN
    a := S{}; b := S{-50, -1..49}; c := S{49}; P(Card(a)); P(Card(b)); P(Card(b-c)); P(Card(b*c));
    P(Card(b/c)); P(Card(a+c)); B(c<b); B(c<=b); B(b<=c); B(b=b+c); B(c#a);
    FOR i := -50 TO 49 BY 3 DO a := a + S{i}; INC(n) END; B(Card(a)=n); B(a<=S{-50..49});
    B(S{-50..49}>a); n := -1; a := S{n..n+1}; P(Card(a)); a := S{n..n-1}; P(Card(a))
  END Run;
BEGIN
END TrySet100.
(* expect: 0 *)
(* expect: 52 *)
(* expect: 51 *)
(* expect: 1 *)
(* expect: 51 *)
(* expect: 1 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 2 *)
(* expect: 0 *)

(* unit: TrySet1000.i3 *)
INTERFACE TrySet1000;
PROCEDURE Run();
END TrySet1000.

(* unit: TrySet1000.m3 *)
MODULE TrySet1000;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=[0..999]; S=SET OF R; VAR a, b, c: S; n := 0; PROCEDURE Card(s: S): INTEGER = VAR k := 0;
BEGIN FOR i := FIRST(R) TO LAST(R) DO IF i IN s THEN INC(k) END END; RETURN k END Card;
PROCEDURE Run() =
  BEGIN
    a := S{}; b := S{0, 499..999}; c := S{999}; P(Card(a)); P(Card(b)); P(Card(b-c)); P(Card(b*c));
    P(Card(b/c)); P(Card(a+c)); B(c<b); B(c<=b); B(b<=c); B(b=b+c); B(c#a);
    FOR i := 0 TO 999 BY 3 DO a := a + S{i}; INC(n) END; B(Card(a)=n); B(a<=S{0..999}); B(S{0..999}>a);
    n := 499; a := S{n..n+1}; P(Card(a)); a := S{n..n-1}; P(Card(a))
  END Run;
BEGIN
END TrySet1000.
(* expect: 0 *)
(* expect: 502 *)
(* expect: 501 *)
(* expect: 1 *)
(* expect: 501 *)
(* expect: 1 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 2 *)
(* expect: 0 *)

(* unit: TrySet65536.i3 *)
INTERFACE TrySet65536;
PROCEDURE Run();
END TrySet65536.

(* unit: TrySet65536.m3 *)
MODULE TrySet65536;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R=[-32768..32767]; S=SET OF R; VAR a, b, c: S; n := 0;
PROCEDURE Card(s: S): INTEGER = VAR k := 0;
BEGIN FOR i := FIRST(R) TO LAST(R) DO IF i IN s THEN INC(k) END END; RETURN k END Card;
PROCEDURE Run() =
  BEGIN
    a := S{}; b := S{-32768, -1..32767}; c := S{32767}; P(Card(a)); P(Card(b)); P(Card(b-c));
    P(Card(b*c)); P(Card(b/c)); P(Card(a+c)); B(c<b); B(c<=b); B(b<=c); B(b=b+c); B(c#a);
    FOR i := -32768 TO 32767 BY 3 DO a := a + S{i}; INC(n) END; B(Card(a)=n); B(a<=S{-32768..32767});
    B(S{-32768..32767}>a); n := -1; a := S{n..n+1}; P(Card(a)); a := S{n..n-1}; P(Card(a))
  END Run;
BEGIN
END TrySet65536.
(* expect: 0 *)
(* expect: 32770 *)
(* expect: 32769 *)
(* expect: 1 *)
(* expect: 32769 *)
(* expect: 1 *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: 2 *)
(* expect: 0 *)

(* unit: TrySetChar.i3 *)
INTERFACE TrySetChar;
PROCEDURE Run();
END TrySetChar.

(* unit: TrySetChar.m3 *)
MODULE TrySetChar;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR v := SET OF CHAR{'a','e','i','o','u'}; n := 0;
PROCEDURE Run() =
  BEGIN
    FOR c := FIRST(CHAR) TO LAST(CHAR) DO IF c IN v THEN INC(n) END END; P(n); B('e' IN v); B('f' IN v);
    v := v - SET OF CHAR{'a'..'h'}; B('e' IN v); B(v = SET OF CHAR{'u','i','o'})
  END Run;
BEGIN
END TrySetChar.
(* expect: 5 *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: FALSE *)
(* expect: TRUE *)

(* unit: TrySetEnumConst.i3 *)
INTERFACE TrySetEnumConst;
PROCEDURE Run();
END TrySetEnumConst.

(* unit: TrySetEnumConst.m3 *)
MODULE TrySetEnumConst;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE E={a,b,c,d}; S=SET OF E; CONST X=S{E.a,E.c}; Y=X+S{E.d}; Z=Y-S{E.a}; Q=E.c IN Z; W=X<=Y;
V=X*Z=S{E.c};
PROCEDURE Run() =
  BEGIN
    B(Q);B(W);B(V);B(E.b IN Y);B(X/Z=S{E.a,E.d})
  END Run;
BEGIN
END TrySetEnumConst.
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)

(* unit: TrySetParam.i3 *)
INTERFACE TrySetParam;
PROCEDURE Run();
END TrySetParam.

(* unit: TrySetParam.m3 *)
MODULE TrySetParam;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE S=SET OF [0..200]; PROCEDURE Add(VAR s: S; i: INTEGER) = BEGIN s := s + S{i} END Add;
PROCEDURE Has(READONLY s: S; i: INTEGER): BOOLEAN = BEGIN RETURN i IN s END Has;
PROCEDURE Mk(i: INTEGER): S = BEGIN RETURN S{i,i+1} END Mk; VAR s := S{}; r: RECORD b: BOOLEAN;
s: S END; a: ARRAY [0..1] OF S;
PROCEDURE Run() =
  BEGIN
    Add(s,150); B(Has(s,150)); B(Has(s,151)); B(Has(Mk(7),8)); r.s := Mk(9); B(10 IN r.s); a[0] := s;
    a[1] := a[0] + Mk(3); B(4 IN a[1]); B(a[0] # a[1]); B(a[0] < a[1]); B(200 IN Mk(199)+s)
  END Run;
BEGIN
END TrySetParam.
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)
(* expect: TRUE *)

(* unit: TrySetBool.i3 *)
INTERFACE TrySetBool;
PROCEDURE Run();
END TrySetBool.

(* unit: TrySetBool.m3 *)
MODULE TrySetBool;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR s: SET OF BOOLEAN := SET OF BOOLEAN{TRUE};
PROCEDURE Run() =
  BEGIN
    B(TRUE IN s); B(FALSE IN s); s := SET OF BOOLEAN{FALSE..TRUE} - s; B(FALSE IN s); P(BYTESIZE(s))
  END Run;
BEGIN
END TrySetBool.
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: 1 *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TrySetSmall, TrySet16, TrySet32, TrySet64, TrySet65, TrySet100, TrySet1000, TrySet65536, TrySetChar, TrySetEnumConst, TrySetParam, TrySetBool;
BEGIN
  TrySetSmall.Run();
  TrySet16.Run();
  TrySet32.Run();
  TrySet64.Run();
  TrySet65.Run();
  TrySet100.Run();
  TrySet1000.Run();
  TrySet65536.Run();
  TrySetChar.Run();
  TrySetEnumConst.Run();
  TrySetParam.Run();
  TrySetBool.Run();
END Main.
