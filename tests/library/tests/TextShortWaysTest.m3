(* The most frequent operations on texts have fast paths for flat texts and for few characters,
   each with its limits: joining, appending, comparing, pieces, numbers. *)
MODULE TextShortWaysTest;

IMPORT Test, Fmt, IO, Text, Thread;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

CONST
  Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";

(* n characters that differ from their neighbours and with seed. *)
PROCEDURE Model(n, seed: CARDINAL): REF ARRAY OF CHAR =
  VAR chars := NEW(REF ARRAY OF CHAR, n);
  BEGIN
    FOR i := 0 TO n - 1 DO chars[i] := Text.GetChar(Letters, (i * 7 + seed) MOD 64) END;
    RETURN chars;
  END Model;

PROCEDURE Same(t: TEXT; READONLY a, b: ARRAY OF CHAR): BOOLEAN =
  BEGIN
    IF Text.Length(t) # NUMBER(a) + NUMBER(b) THEN RETURN FALSE END;
    FOR i := 0 TO LAST(a) DO
      IF Text.GetChar(t, i) # a[i] THEN RETURN FALSE END;
    END;
    FOR i := 0 TO LAST(b) DO
      IF Text.GetChar(t, NUMBER(a) + i) # b[i] THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END Same;

PROCEDURE Join(n, m: CARDINAL) =
  VAR a := Model(n, 1);  b := Model(m, 2);
  BEGIN
    test.check(Same(Text.FromChars(a^) & Text.FromChars(b^), a^, b^), "join");
  END Join;

(* Texts that differ in one character, anywhere, or in their lengths. *)
PROCEDURE Compare(n: CARDINAL) =
  VAR a := Model(n, 3);  t := Text.FromChars(a^);  u := Text.FromChars(a^);  v: TEXT;
  BEGIN
    test.check(Text.Equal(t, u) AND Text.Compare(t, u) = 0, "equal");
    FOR i := 0 TO n - 1 DO
      WITH c = a[i], old = c DO
        VAR before := old;
        BEGIN
          c := '~';  (* behind all letters *)
          v := Text.FromChars(a^);
          c := before;
        END;
      END;
      test.check(NOT Text.Equal(t, v) AND NOT Text.Equal(v, t), "not equal");
      test.check(Text.Compare(t, v) = -1 AND Text.Compare(v, t) = 1, "order");
    END;
    test.check(NOT Text.Equal(t, t & "~") AND Text.Compare(t, t & "~") = -1, "longer");
  END Compare;

(* A text that grows piece by piece, two others that grow from the middle of it, and their
   contents. *)
PROCEDURE Append(piece: CARDINAL) =
  CONST Times = 200;
  VAR more := Model(piece, 4);  tail := Text.FromChars(more^);  t, middle, x, y := "";
      whole := NEW(REF ARRAY OF CHAR, Times * piece);
  BEGIN
    FOR i := 0 TO Times - 1 DO
      IF i = Times DIV 2 THEN middle := t END;
      t := t & tail;
      SUBARRAY(whole^, i * piece, piece) := more^;
    END;
    x := middle & "x";
    y := middle & "yy";
    x := x & tail;
    y := y & "";
    WITH half = SUBARRAY(whole^, 0, Times DIV 2 * piece) DO
      test.check(Same(t, whole^, ARRAY OF CHAR{}), "whole");
      test.check(Same(middle, half, ARRAY OF CHAR{}), "middle");
      test.check(Same(y, half, ARRAY OF CHAR{'y', 'y'}), "middle and yy");
      test.check(Text.Equal(x, middle & ("x" & tail)), "middle and x");
    END;
  END Append;

PROCEDURE Numbers() =
  VAR n: INTEGER := 1;  digits: TEXT := "";  nines: TEXT := "";
  BEGIN
    (* 10^k and 10^k - 1 *)
    FOR k := 0 TO 18 DO
      test.equalText(Fmt.Int(n), "1" & digits, "a power of ten");
      test.equalText(Fmt.Int(-n), "-1" & digits, "a power of ten below zero");
      IF k > 0 THEN
        test.equalText(Fmt.Int(n - 1), nines, "nines");
        test.equalText(Fmt.Int(1 - n), "-" & nines, "nines below zero");
      END;
      digits := digits & "0";
      nines := nines & "9";
      IF k < 18 THEN n := 10 * n END;
    END;
    FOR i := -120 TO 120 DO
      VAR t: TEXT;  m := ABS(i);
      BEGIN
        t := Text.FromChar(VAL(ORD('0') + m MOD 10, CHAR));
        IF m >= 10 THEN t := Text.FromChar(VAL(ORD('0') + m DIV 10 MOD 10, CHAR)) & t END;
        IF m >= 100 THEN t := "1" & t END;
        IF i < 0 THEN t := "-" & t END;
        test.equalText(Fmt.Int(i), t, "small");
      END;
    END;
    test.equalText(Fmt.Int(0), "0", "zero");
    test.equalText(Fmt.Int(LAST(INTEGER)), "9223372036854775807", "last");
    test.equalText(Fmt.Int(FIRST(INTEGER)), "-9223372036854775808", "first");
    test.equalText(Fmt.Unsigned(-1, 10), "18446744073709551615", "unsigned");
    test.equalText(Fmt.Int(-255, 16), "-ff", "hexadecimal");
    test.equalText(Fmt.Int(FIRST(INTEGER), 2),
               "-1000000000000000000000000000000000000000000000000000000000000000", "binary");
  END Numbers;

(* The same where other threads run. *)
PROCEDURE Again(<*UNUSED*> c: Thread.Closure): REFANY =
  BEGIN
    FOR piece := 0 TO 40 BY 5 DO Append(piece) END;
    RETURN NIL;
  END Again;

VAR
  other: Thread.T;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    FOR n := 0 TO 66 BY 3 DO
      FOR m := 0 TO 66 BY 5 DO Join(n, m) END;
    END;
    FOR n := 0 TO 20 DO Compare(n) END;
    FOR piece := 0 TO 40 DO Append(piece) END;
    Numbers();
    other := Thread.Fork(NEW(Thread.Closure, apply := Again));
    EVAL Again(NIL);
    EVAL Thread.Join(other);
    IO.Put("done\n");  (* expect: done *)
  END TestAll;

BEGIN
END TextShortWaysTest.
