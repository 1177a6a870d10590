(* golden: run, -w *)
(* A variable of a packed type, as a whole, is an actual for a VAR formal of that type; a component that is bits of a word is not
   (language.md 11.4, 14.11, 5.7). *)
MODULE Main;
IMPORT IO, Fmt;
TYPE
  Nibble = BITS 4 FOR [0..15]; Twelve = BITS 12 FOR [0..4095]; Byte = BITS 8 FOR [0..255]; Flags = BITS 3 FOR SET OF [0..2]; Signed = BITS 5 FOR [-16..15];
  Row = BITS 12 FOR ARRAY [0..3] OF BITS 3 FOR [0..7]; Pair = BITS 9 FOR RECORD a: BITS 4 FOR [0..15]; b: BITS 5 FOR [0..31] END; Obj = OBJECT n: Byte; m: Byte := 2 END;
  Rec = RECORD a, b: Byte END; WordSize = BITS 64 FOR INTEGER; Letter = BITS 7 FOR ['\000'..'\177'];
VAR n: Nibble := 1; t: Twelve; ref := NEW(REF Nibble); f: Flags; s: Signed; row: Row; pair: Pair; rec: Rec; bytes: ARRAY [0..3] OF Byte; o := NEW(Obj); w: WordSize; l: Letter := 'a';
PROCEDURE Bump(VAR x: Nibble) = BEGIN INC(x); Again(x) END Bump;
PROCEDURE Again(VAR x: Nibble) = BEGIN IF x < 9 THEN INC(x) END END Again;
PROCEDURE Big(VAR x: Twelve) = BEGIN x := 4095 END Big;
PROCEDURE B(VAR x: Byte; n: INTEGER) = BEGIN x := n END B;
PROCEDURE F(VAR x: Flags) = BEGIN x := x + Flags {1} END F;
PROCEDURE S(VAR x: Signed) = BEGIN x := -16 END S;
PROCEDURE W(VAR x: WordSize) = BEGIN x := FIRST(INTEGER) END W;
PROCEDURE L(VAR x: Letter) = BEGIN x := VAL(ORD(x) + 1, Letter) END L;
PROCEDURE R(VAR x: Row) = BEGIN x[3] := 7; x[0] := 5 END R;
PROCEDURE A(VAR x: ARRAY [0..3] OF BITS 3 FOR [0..7]) = BEGIN x[1] := 6 END A;
PROCEDURE Opened(VAR x: ARRAY OF BITS 3 FOR [0..7]) = BEGIN x[2] := NUMBER(x) END Opened;
PROCEDURE P(VAR x: Pair) = BEGIN x.a := 3; x.b := 31 END P;
PROCEDURE Seen(READONLY x: Nibble): INTEGER = BEGIN n := 13; RETURN x END Seen;
PROCEDURE Value(x: Nibble): INTEGER = BEGIN x := 3; RETURN x END Value;
PROCEDURE Local() =
  VAR x: Nibble := 4; y: Row; xs: ARRAY [0..1] OF Twelve;
  PROCEDURE In() = BEGIN Bump(x) END In;
  BEGIN
    In(); Bump(x); WITH alias = x DO Bump(alias); alias := alias - 1 END; R(y);
    WITH z = y DO R(z); A(z) END; IO.Put(Fmt.Int(x) & Fmt.Int(y[1]) & Fmt.Int(xs[0]) & "\n");
  END Local;
BEGIN
  Bump(n); Bump(ref^); Big(t); F(f); S(s); W(w); L(l); R(row); A(row); Opened(row); P(pair); B(rec.b, 200); B(bytes[2], 201); B(o.n, 202);
  WITH z = o.m DO B(z, 203) END; WITH z = bytes[3] DO B(z, 204) END;
  IO.Put(Fmt.Int(n) & Fmt.Int(ref^) & " " & Fmt.Int(t) & Fmt.Bool(f = Flags {1}) & Fmt.Int(s) & " " & Fmt.Bool(w = FIRST(INTEGER)) & Fmt.Char(l) & "\n");
  FOR i := 0 TO 3 DO IO.PutInt(row[i]) END; IO.Put(" " & Fmt.Int(pair.a) & Fmt.Int(pair.b) & "\n");
  IO.Put(Fmt.Int(rec.a) & Fmt.Int(rec.b) & " " & Fmt.Int(bytes[1]) & Fmt.Int(bytes[2]) & Fmt.Int(bytes[3]) & " " & Fmt.Int(o.n) & Fmt.Int(o.m) & "\n");
  IO.Put(Fmt.Int(Seen(n)) & Fmt.Int(Value(n)) & Fmt.Int(n) & "\n");
  Local();
END Main.
(* expect: 32 4095TRUE-16 TRUEb *)
(* expect: 5647 331 *)
(* expect: 0200 0201204 202203 *)
(* expect: 13313 *)
(* expect: 860 *)
