UNSAFE MODULE RTIO;

IMPORT Cstring, Ctypes, RTFile, RTSystem, Text, Word;

CONST
  StandardError = 2;

TYPE
  CharRef = UNTRACED REF CHAR;

VAR
  buffer: ARRAY [0..1023] OF CHAR;
  length: CARDINAL := 0;

PROCEDURE Flush() =
  VAR written: INTEGER;
  BEGIN
    EVAL RTFile.Write(StandardError, ADR(buffer), length, written);
    length := 0;
  END Flush;

PROCEDURE PutChar(c: CHAR) =
  BEGIN
    IF length = NUMBER(buffer) THEN Flush() END;
    buffer[length] := c;
    INC(length);
  END PutChar;

PROCEDURE PutChars(a: ADDRESS; n: INTEGER) =
  BEGIN
    FOR i := 0 TO n - 1 DO PutChar(LOOPHOLE(a + i, CharRef)^) END;
  END PutChars;

PROCEDURE PutString(s: ADDRESS) =
  BEGIN
    IF s # NIL THEN PutChars(s, Cstring.strlen(LOOPHOLE(s, Ctypes.const_char_star))) END;
  END PutString;

(* A character that is not in CHAR becomes a question mark. *)
PROCEDURE PutText(t: TEXT) =
  BEGIN
    IF t = NIL THEN RETURN END;
    FOR i := 0 TO Text.Length(t) - 1 DO
      WITH ch = Text.GetWideChar(t, i) DO
        IF ORD(ch) <= ORD(LAST(CHAR)) THEN PutChar(VAL(ORD(ch), CHAR)) ELSE PutChar('?') END;
      END;
    END;
  END PutText;

(* Writes the digits of the word n at the end of a; returns the index where they begin. *)
PROCEDURE Digits(n: Word.T; base: INTEGER; VAR a: ARRAY OF CHAR): CARDINAL =
  VAR at := NUMBER(a);
  BEGIN
    REPEAT
      DEC(at);
      WITH digit = Word.Mod(n, base) DO
        IF digit < 10 THEN
          a[at] := VAL(ORD('0') + digit, CHAR);
        ELSE
          a[at] := VAL(ORD('a') + digit - 10, CHAR);
        END;
      END;
      n := Word.Divide(n, base);
    UNTIL n = 0;
    RETURN at;
  END Digits;

PROCEDURE PutPadded(READONLY a: ARRAY OF CHAR; width: INTEGER) =
  BEGIN
    FOR i := NUMBER(a) TO width - 1 DO PutChar(' ') END;
    FOR i := 0 TO LAST(a) DO PutChar(a[i]) END;
  END PutPadded;

(* The magnitude of FIRST(INTEGER) is the same word as FIRST(INTEGER). *)
PROCEDURE PutInt(i: INTEGER; width := 0) =
  VAR a: ARRAY [0..20] OF CHAR;  at: CARDINAL;
  BEGIN
    IF i < 0 THEN
      at := Digits(Word.Minus(0, i), 10, a) - 1;
      a[at] := '-';
    ELSE
      at := Digits(i, 10, a);
    END;
    PutPadded(SUBARRAY(a, at, NUMBER(a) - at), width);
  END PutInt;

PROCEDURE Hex(i: INTEGER; VAR a: ARRAY [0..17] OF CHAR): CARDINAL =
  VAR at := Digits(i, 16, a) - 2;
  BEGIN
    a[at] := '0';
    a[at + 1] := 'x';
    RETURN at;
  END Hex;

PROCEDURE PutHex(i: INTEGER; width := 0) =
  VAR a: ARRAY [0..17] OF CHAR;  at := Hex(i, a);
  BEGIN
    PutPadded(SUBARRAY(a, at, NUMBER(a) - at), width);
  END PutHex;

PROCEDURE PutAddr(a: ADDRESS; width := 0) =
  BEGIN
    PutHex(LOOPHOLE(a, INTEGER), width);
  END PutAddr;

PROCEDURE PutRef(a: REFANY) =
  BEGIN
    PutHex(LOOPHOLE(a, INTEGER));
  END PutRef;

PROCEDURE PutLong(i: LONGINT) =
  BEGIN
    PutInt(VAL(i, INTEGER));
  END PutLong;

PROCEDURE PutLongHex(i: LONGINT) =
  BEGIN
    PutHex(VAL(i, INTEGER));
  END PutLongHex;

CONST
  Precision = 6;

PROCEDURE PutE(a: LONGREAL) =
  VAR chars: ARRAY [0..39] OF CHAR;
  BEGIN
    PutPadded(SUBARRAY(chars, 0, RTSystem.Scientific(a, Precision, chars)), 0);
  END PutE;

PROCEDURE PutF(a: LONGREAL) =
  VAR chars: ARRAY [0..399] OF CHAR;
  BEGIN
    PutPadded(SUBARRAY(chars, 0, RTSystem.Fixed(a, Precision, chars)), 0);
  END PutF;

(* Six significant digits without zeros at their end, with an exponent if that is less than -4 or
   more than 5. *)
PROCEDURE PutG(a: LONGREAL) =
  VAR
    chars: ARRAY [0..39] OF CHAR;
    n := RTSystem.Scientific(a, Precision - 1, chars);
    e := n;
    exponent := 0;
  BEGIN
    FOR i := 0 TO n - 1 DO
      IF chars[i] = 'e' THEN e := i END;
    END;
    IF e = n THEN  (* an infinity or a NaN *)
      PutPadded(SUBARRAY(chars, 0, n), 0);
      RETURN;
    END;
    FOR i := e + 2 TO n - 1 DO exponent := 10 * exponent + ORD(chars[i]) - ORD('0') END;
    IF chars[e + 1] = '-' THEN exponent := -exponent END;
    IF exponent < -4 OR exponent >= Precision THEN
      PutTrimmed(SUBARRAY(chars, 0, e));
      PutPadded(SUBARRAY(chars, e, n - e), 0);
    ELSE
      n := RTSystem.Fixed(a, Precision - 1 - exponent, chars);
      PutTrimmed(SUBARRAY(chars, 0, n));
    END;
  END PutG;

(* Removes zeros at the end of the fraction, and a point without digits after it. *)
PROCEDURE PutTrimmed(READONLY a: ARRAY OF CHAR) =
  VAR n := NUMBER(a);  point := FALSE;
  BEGIN
    FOR i := 0 TO LAST(a) DO point := point OR a[i] = '.' END;
    IF point THEN
      WHILE a[n - 1] = '0' DO DEC(n) END;
      IF a[n - 1] = '.' THEN DEC(n) END;
    END;
    PutPadded(SUBARRAY(a, 0, n), 0);
  END PutTrimmed;

PROCEDURE PutBytes(a: ADDRESS; count: INTEGER) =
  CONST Hexadecimal = ARRAY [0..15] OF CHAR{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a',
                                            'b', 'c', 'd', 'e', 'f'};
  BEGIN
    FOR i := 0 TO count - 1 DO
      WITH code = ORD(LOOPHOLE(a + i, CharRef)^) DO
        PutChar(Hexadecimal[code DIV 16]);
        PutChar(Hexadecimal[code MOD 16]);
      END;
    END;
  END PutBytes;

PROCEDURE FmtHex(i: INTEGER): TEXT =
  VAR a: ARRAY [0..17] OF CHAR;  at := Hex(i, a);
  BEGIN
    RETURN Text.FromChars(SUBARRAY(a, at, NUMBER(a) - at));
  END FmtHex;

PROCEDURE FmtRef(a: REFANY): TEXT =
  BEGIN
    RETURN FmtHex(LOOPHOLE(a, INTEGER));
  END FmtRef;

PROCEDURE FmtAddr(a: ADDRESS): TEXT =
  BEGIN
    RETURN FmtHex(LOOPHOLE(a, INTEGER));
  END FmtAddr;

BEGIN
END RTIO.
