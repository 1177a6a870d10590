(* golden: run, -w *)
(* Generic instances of several shapes; partial and full revelations; an import cycle of modules. *)
(* unit: Empty0.ig *)
GENERIC INTERFACE Empty0(); VAR v: INTEGER := 3; PROCEDURE P(); END Empty0.
(* unit: Pair.ig *)
GENERIC INTERFACE Pair(A, B); IMPORT Text; TYPE T = RECORD a: A.T; b: B.T END; PROCEDURE Make(a: A.T; b: B.T): T; CONST L = NUMBER(A1); TYPE A1 = [0..9]; END Pair.
(* unit: Stack.ig *)
GENERIC INTERFACE Stack(E); 
CONST Brand = "Stack-" & E.Brand;
TYPE T <: Public; Public = OBJECT METHODS init(n: CARDINAL := 4): T; push(x: E.T); pop(): E.T RAISES {Empty}; sort() END;
EXCEPTION Empty;
PROCEDURE Size(t: T): CARDINAL;
END Stack.
(* unit: Empty0.mg *)
GENERIC MODULE Empty0(); PROCEDURE P() = BEGIN INC(v) END P; BEGIN END Empty0.
(* unit: Pair.mg *)
GENERIC MODULE Pair(B, A); IMPORT Fmt; PROCEDURE Make(x: B.T; y: A.T): T = BEGIN RETURN T{x, y} END Make; BEGIN END Pair.
(* unit: Stack.mg *)
GENERIC MODULE Stack(E);
REVEAL T = Public BRANDED Brand OBJECT a: REF ARRAY OF E.T; n: CARDINAL := 0 OVERRIDES init := Init; push := Push; pop := Pop; sort := Sort END;
PROCEDURE Init(t: T; n: CARDINAL): T = BEGIN t.a := NEW(REF ARRAY OF E.T, n); RETURN t END Init;
PROCEDURE Push(t: T; x: E.T) = BEGIN
  IF t.n > LAST(t.a^) THEN WITH b = NEW(REF ARRAY OF E.T, 2 * t.n) DO SUBARRAY(b^, 0, t.n) := t.a^; t.a := b END END;
  t.a[t.n] := x; INC(t.n) END Push;
PROCEDURE Pop(t: T): E.T RAISES {Empty} = BEGIN IF t.n = 0 THEN RAISE Empty END; DEC(t.n); RETURN t.a[t.n] END Pop;
PROCEDURE Sort(t: T) = VAR x: E.T; j: INTEGER; BEGIN FOR i := 1 TO t.n - 1 DO x := t.a[i]; j := i - 1; WHILE j >= 0 AND E.Cmp(t.a[j], x) > 0 DO t.a[j+1] := t.a[j]; DEC(j) END; t.a[j+1] := x END END Sort;
PROCEDURE Size(t: T): CARDINAL = BEGIN RETURN t.n END Size;
BEGIN END Stack.
(* unit: A.i3 *)
INTERFACE A; IMPORT B AS C; FROM B IMPORT k; CONST n = C.n + 1; PROCEDURE P(x: INTEGER := 5; y := k): INTEGER; VAR v := n; END A.
(* unit: B.i3 *)
INTERFACE B; CONST k = 3; n = 4; TYPE Color = {red, green}; VAR init: INTEGER; END B.
(* unit: E1.i3 *)
INTERFACE E1 = Empty0() END E1.
(* unit: E2.i3 *)
INTERFACE E2 = Empty0() END E2.
(* unit: Elem.i3 *)
INTERFACE Elem; TYPE T = INTEGER; CONST Brand = "IntElem"; PROCEDURE Cmp(a, b: T): [-1..1]; END Elem.
(* unit: Elem2.i3 *)
INTERFACE Elem2; TYPE T = RECORD a: INTEGER; b: TEXT := "d" END; CONST Brand = "RecElem"; PROCEDURE Cmp(READONLY a: T; b: T): [-1..1]; EXCEPTION X(T); VAR count: INTEGER := 7; END Elem2.
(* unit: IRPair.i3 *)
INTERFACE IRPair = Pair(Elem, Elem2) END IRPair.
(* unit: IntStack.i3 *)
INTERFACE IntStack = Stack(Elem) END IntStack.
(* unit: Pen.i3 *)
INTERFACE Pen; TYPE T <: Public; Public = OBJECT x: INTEGER := 1 METHODS draw(n: INTEGER): INTEGER; me(): T END; U <: REFANY; W <: T; PROCEDURE MkU(n: INTEGER): U; PROCEDURE MkW(): W; END Pen.
(* unit: PenPriv.i3 *)
INTERFACE PenPriv; IMPORT Pen, PenRep; REVEAL Pen.T = PenRep.Mid BRANDED "PenT" OBJECT x: TEXT := "hidden"; OVERRIDES draw := Draw; me := Me; fill := Fill END; PROCEDURE Draw(t: Pen.T; n: INTEGER): INTEGER; PROCEDURE Me(t: Pen.T): Pen.T; PROCEDURE Fill(t: Pen.T): INTEGER; END PenPriv.
(* unit: PenRep.i3 *)
INTERFACE PenRep; IMPORT Pen; REVEAL Pen.T <: Mid; TYPE Mid = Pen.Public OBJECT ink := 9; METHODS fill(): INTEGER END; CONST Dummy = 0; END PenRep.
(* unit: RecStack.i3 *)
INTERFACE RecStack = Stack(Elem2) END RecStack.
(* unit: A.m3 *)
MODULE A; IMPORT B; PROCEDURE P(a: INTEGER; b: INTEGER := 100): INTEGER = BEGIN RETURN a * 10 + b END P; BEGIN B.init := 1 + P(1) END A.
(* unit: B.m3 *)
MODULE B; IMPORT A; BEGIN init := 5 + A.v END B.
(* unit: E1.m3 *)
MODULE E1 = Empty0() END E1.
(* unit: E2.m3 *)
MODULE E2 = Empty0() END E2.
(* unit: Elem.m3 *)
MODULE Elem; PROCEDURE Cmp(a, b: T): [-1..1] = BEGIN IF a < b THEN RETURN -1 ELSIF a = b THEN RETURN 0 ELSE RETURN 1 END END Cmp; BEGIN END Elem.
(* unit: Elem2.m3 *)
MODULE Elem2; PROCEDURE Cmp(READONLY a: T; b: T): [-1..1] = BEGIN IF a.a < b.a THEN RETURN -1 ELSIF a.a = b.a THEN RETURN 0 ELSE RETURN 1 END END Cmp; BEGIN END Elem2.
(* unit: IRPair.m3 *)
MODULE IRPair = Pair(Elem, Elem2) END IRPair.
(* unit: IntStack.m3 *)
MODULE IntStack = Stack(Elem) END IntStack.
(* unit: Pen.m3 *)
MODULE Pen EXPORTS Pen, PenPriv; IMPORT PenRep, Text;
REVEAL U = BRANDED REF INTEGER; W = T BRANDED "PenW" OBJECT deep := 5 END;
PROCEDURE Draw(t: T; n: INTEGER): INTEGER = BEGIN RETURN n + t.ink + Text.Length(t.x) + NARROW(t, Public).x END Draw;
PROCEDURE Me(t: T): T = BEGIN RETURN t END Me;
PROCEDURE Fill(t: T): INTEGER = BEGIN INC(t.ink); RETURN t.ink END Fill;
PROCEDURE MkU(n: INTEGER): U = VAR u := NEW(U); BEGIN u^ := n; RETURN u END MkU;
PROCEDURE MkW(): W = BEGIN RETURN NEW(W, ink := 3) END MkW;
BEGIN END Pen.
(* unit: RecStack.m3 *)
MODULE RecStack = Stack(Elem2) END RecStack.
(* unit: Main.m3 *)
MODULE Main;
IMPORT IO, Fmt, IntStack, RecStack, Elem2, IRPair, E1, E2, Pen, PenRep, Text, A, B; FROM PenRep IMPORT Dummy;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE Sub = Pen.T OBJECT s := 11; METHODS draw2(): INTEGER := Draw2 OVERRIDES fill := SFill END;
  Sub2 = Pen.W OBJECT z := 12 END;
PROCEDURE Draw2(t: Sub): INTEGER = BEGIN RETURN t.s + t.x + t.draw(0) END Draw2;
PROCEDURE SFill(t: Sub): INTEGER = BEGIN RETURN Pen.T.fill(t) + 1000 END SFill;
VAR s := NEW(IntStack.T).init(); r := NEW(RecStack.T).init(1); pen := NEW(Pen.T); sub := NEW(Sub, ink := 20); u: Pen.U := Pen.MkU(3); any: REFANY;
  draw := Pen.T.draw; loc := NEW(Pen.T, draw := MyDraw, ink := 1, x := 50);
  s2 := NEW(Sub2);
PROCEDURE MyDraw(t: Pen.T; n: INTEGER): INTEGER = BEGIN RETURN -n - t.x END MyDraw;
BEGIN
  FOR i := 1 TO 10 DO s.push(i * 7 MOD 11); r.push(Elem2.T{i * 7 MOD 11}) END; s.sort(); r.sort();
  TRY FOR i := 10 TO 1 BY -1 DO Ck(s.pop() = i, 1); WITH x = r.pop() DO Ck(x.a = i AND Text.Equal(x.b, "d"), 2) END END EXCEPT ELSE Ck(FALSE, 3) END;
  TRY EVAL s.pop(); Ck(FALSE, 4) EXCEPT RecStack.Empty => Ck(FALSE, 5) | IntStack.Empty => END;
  Ck(IRPair.Make(3, Elem2.T{4}).b.a = 4, 6); Ck(IRPair.L = 10, 7);
  E1.P(); E1.P(); E2.P(); Ck(E1.v = 5 AND E2.v = 4, 8);
  Ck(pen.draw(1) = 1 + 9 + 6 + 1, 9); Ck(pen.me() = pen, 10); Ck(pen.ink = 9 + Dummy AND pen.fill() = 10, 11);
  Ck(sub.s = 11 AND sub.ink = 20 AND sub.fill() = 1021 AND sub.draw2() = 11 + 1 + 21+6+1, 12);
  Ck(draw(pen, 0) = 17, 13); Ck(loc.draw(3) = -53, 14); any := u; Ck(ISTYPE(any, Pen.U) AND NOT ISTYPE(any, Pen.T), 15);
  Ck(TYPECODE(u) = TYPECODE(Pen.U), 16); Ck(s2.z = 12 AND s2.ink = 9 AND s2.draw(0) = 16, 17);
  Ck(ISTYPE(s2, Pen.W) AND Pen.MkW().ink = 3, 18);
  Ck(A.P() = 53 AND A.P(y := 1, x := 2) = 21 AND A.v = 5, 19); Ck(B.init > 0, 20);
  TYPECASE any OF Pen.T => Ck(FALSE, 21) | Pen.U => END;
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
