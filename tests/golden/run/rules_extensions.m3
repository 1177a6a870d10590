(* golden: run, with lib/Check, -w *)
(* LONGINT, WIDECHAR, underscores, interface Compiler and other deviations; points left open
   (language.md 25.1, 25.2, 25.3, 25.4, 25.5, 28). *)
UNSAFE MODULE Main;
IMPORT Check, Compiler, Long, RuntimeError, Text, Fmt, Word;
TYPE Err = RuntimeError.T; L = [0L .. 9L]; LA = ARRAY L OF INTEGER; LS = SET OF L; Neg = [-5L .. -1L]; Pk = RECORD a: BITS 4 FOR [0L .. 15L]; b: BITS 60 FOR [0L .. 16_FFFFFFFFFFFFFFFL] END; Wide = ARRAY [W'\x0100' .. W'\x0103'] OF INTEGER; a_1__x = INTEGER; Big = SET OF [0 .. 65535]; WS = SET OF WIDECHAR; Elem = {a, b, c};
CONST Max = LAST(LONGINT); Here = Compiler.ThisLine(); File = Compiler.ThisFile(); os = Compiler.ThisOS = Compiler.OS.POSIX; little = Compiler.ThisEndian = Compiler.ENDIAN.LITTLE;
VAR zero := 0; lzero := 0L;
PROCEDURE Add(a: LONGINT; VAR b: LONGINT; c := 5L): LONGINT = BEGIN b := b + a; RETURN b * c END Add;

PROCEDURE Longs() =
  VAR l := 5L; m: L := 9L; card: LONGCARD := 3L; a: LA; s := LS{1L, 3L .. 5L}; n: Neg := -2L; p: Pk; r := NEW(REF LONGINT); o := NEW(REF ARRAY OF LONGINT, 3); i := 3;
  PROCEDURE Over() = BEGIN INC(m) END Over; PROCEDURE Sub() = BEGIN a[l * 10L] := 1 END Sub; PROCEDURE Card() = BEGIN card := -l END Card; PROCEDURE Div() = BEGIN l := l DIV lzero END Div; PROCEDURE Val() = BEGIN m := VAL(i * 5, L) END Val;
  BEGIN
    Check.That(Add(l, l) = 50L AND l = 10L AND Add(a := 1L, b := l, c := 2L) = 22L AND Add(c := -1L, a := 0L, b := l) = -11L, "parameters"); l := 5L; m := l; a[3L] := 7; a[m] := 8; a[VAL(i + 1, LONGINT)] := 9; Check.Int(a[3L] * 100 + a[5L] * 10 + a[4L], 789, "arrays indexed by LONGINT"); Check.That(3L IN s AND NOT m + 1L IN s AND NOT 100L IN s AND NOT -1L IN s AND FIRST(L) = 0L AND LAST(LA) = 9L AND NUMBER(LA) = 10 AND FIRST(Neg) = -5L, "sets"); m := 9L; Check.Fails(Over, Err.ValueOutOfRange, "INC"); Check.Fails(Sub, Err.SubscriptOutOfRange, "a[50L]"); Check.Fails(Card, Err.ValueOutOfRange, "LONGCARD"); Check.Fails(Div, Err.IntegerDivideByZero, "DIV"); Check.Fails(Val, Err.ValueOutOfRange, "VAL");
    p.a := 15L; p.b := 16_FFFFFFFFFFFFFFFL; Check.That(p.a = 15L AND p.b + 1L = 16_1000000000000000L, "packed"); DEC(p.a, 6L); INC(p.b, -1L); Check.That(p.a = 9L AND p.b MOD 16L = 14L, "packed"); r^ := ABS(n) + MAX(l, 7L) - MIN(1L, l) * 2L; Check.That(r^ = 7L AND ORD(l) = 5L AND VAL(l, INTEGER) = 5 AND VAL(300L - 203L, CHAR) = 'a' AND VAL(i, LONGINT) = 3L AND VAL(2L, Elem) = Elem.c, "conversions"); o[i - 1] := Max; Check.That(o[2] = 16_7FFFFFFFFFFFFFFFL AND Long.Plus(Max, 1L) = FIRST(LONGINT) AND Long.And(-1L, 255L) = 255L AND Long.Shift(1L, 40) = 1099511627776L AND Long.LT(1L, -1L) AND Long.Rotate(1L, -1) = FIRST(LONGINT) AND Long.Extract(16_ABCDL, 4, 8) = 16_BCL, "Long"); Check.Text(Fmt.LongInt(Max), "9223372036854775807", "Fmt.LongInt"); Check.That(FLOAT(Max, LONGREAL) > 9.0d18 AND TRUNC(-2.5, LONGINT) = -2L AND ROUND(2.5d0, LONGINT) = 2L AND CEILING(0.1, LONGINT) = 1L AND -7L DIV 2L = -4L AND -7L MOD 2L = 1L AND 7L MOD -2L = -1L, "arithmetic"); CASE l OF 0L .. 4L => Check.That(FALSE, "CASE") | 5L => | 6L => ELSE END; i := 0; FOR k := 9L TO 0L BY -3L DO INC(i) END; FOR k := m TO LAST(L) DO INC(i, 10) END; FOR k := Max - 1L TO Max DO INC(i, 100) END; Check.Int(i, 214, "FOR"); Check.That(BITSIZE(LONGINT) = 64 AND BYTESIZE(LA) = 10 * BYTESIZE(INTEGER), "sizes");
  END Longs;

PROCEDURE Wides() =
  VAR w := W'\x20AC'; c := 'x'; t := W"a\x20ACb"; a: Wide; s := WS{W'a', W'\xFFFF'}; n := 0; PROCEDURE Narrow() = BEGIN c := w END Narrow;
  BEGIN
    w := c; Check.That(w = W'x' AND c = w, "CHAR to WIDECHAR"); w := W'y'; c := w; Check.That(c = 'y', "back"); w := W'\x20AC'; Check.Fails(Narrow, Err.ValueOutOfRange, "too wide"); Check.That(Text.Length(t) = 3 AND Text.GetWideChar(t, 1) = w AND Text.HasWideChars(t & "c") AND Text.Length("q" & t & "r") = 5, "texts"); a[W'\x0102'] := 5; Check.Int(a[VAL(16_102, WIDECHAR)], 5, "arrays"); Check.That(W'a' IN s AND W'\xFFFF' IN s AND NOT W'b' IN s AND 'a' IN s, "sets"); FOR k := W'\xFFFE' TO W'\xFFFF' DO INC(n, ORD(k)) END; Check.Int(n, 16_FFFE + 16_FFFF, "FOR"); CASE w OF W'a' .. W'z' => n := 1 | W'\x20AC' => n := 2 ELSE n := 3 END; Check.Int(n, 2, "CASE"); Check.That(ORD(w) = 16_20AC AND W'a' < W'b' AND FIRST(WIDECHAR) = W'\x0000' AND MAX(W'a', W'b') = W'b', "ordinal"); INC(w); Check.Int(ORD(w), 16_20AD, "INC");
  END Wides;

PROCEDURE Places() =
  BEGIN
    Check.That(Here = 7 AND Compiler.ThisLine() - Here = 20 AND os AND little, "ThisLine " & Fmt.Int(Compiler.ThisLine() - Here)); Check.Text(File, "Main.m3", "ThisFile"); Check.That(Text.Length(Compiler.ThisPath()) > 0 AND Text.Length(Compiler.ThisOS_String) > 0, "ThisPath");
  END Places;

PROCEDURE Opens() =
  VAR i: INTEGER; r: REF INTEGER; s: [3..9]; e: Elem; p: PROCEDURE (); b: BOOLEAN; x := FIRST(INTEGER); t: TEXT; c := 0; big: Big; a: a_1__x := 3;
  PROCEDURE Huge(a: ARRAY OF INTEGER): INTEGER = BEGIN a[0] := 1; RETURN NUMBER(a) END Huge; PROCEDURE Ro(READONLY i: INTEGER): BOOLEAN = BEGIN RETURN i = 5 END Ro;
  BEGIN
    Check.That(r = NIL AND s >= 3 AND s <= 9 AND e <= Elem.c AND p = NIL AND (b OR NOT b) AND t = NIL AND a = 3, "arbitrary values are values"); Check.Int(Word.Plus(x, -1) + (i - i), LAST(INTEGER), "words wrap"); FOR k := LAST(INTEGER) - 1 TO LAST(INTEGER) DO INC(c) END; Check.Int(c, 2, "FOR to LAST(INTEGER)"); Check.Int(Huge(NEW(REF ARRAY OF INTEGER, 300000)^), 300000, "a large array by value"); big := Big{65535}; Check.That(65535 IN big AND NUMBER(CHAR) = 256 AND FIRST(Empty) = 7 AND LAST(Empty) = 3 AND Ro(5) AND TYPECODE(CardRef) # TYPECODE(NatRef), "others"); TRY c := c DIV zero EXCEPT RuntimeError.E => c := -1 END; Check.Int(c, -1, "a CRE is an exception");
  END Opens;
TYPE Empty = [7 .. 3]; CardRef = REF CARDINAL; NatRef = REF [0 .. LAST(INTEGER)];
BEGIN Longs(); Wides(); Places(); Opens(); Check.Done() END Main.
(* expect: all checks hold *)
