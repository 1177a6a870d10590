(* golden: run, with lib/Check, lib/Dice *)
(* Fingerprints against long division, bit by bit: that of a text is the remainder of the polynomial
   whose coefficients are a 1 and then the bits of the characters, the lowest bit of each first,
   divided by an irreducible polynomial of degree 61 (Rabin 1981). Three fingerprints are those of
   other Modula-3 systems. *)
MODULE Main;

IMPORT Check, Dice, Fingerprint, Fmt, Text, Word;

CONST
  Degree = 61;
  (* The powers of x in the polynomial, without the highest. *)
  Powers = ARRAY OF INTEGER{0, 1, 4, 5, 7, 8, 9, 12, 14, 15, 18, 21, 34, 35, 37, 38, 39, 41, 42,
                            43, 46, 53, 55, 56, 58, 60};

TYPE
  Digits = ARRAY [0 .. Degree - 1] OF BOOLEAN;  (* coefficient of x^i *)

(* d times x, plus b. *)
PROCEDURE Shift(VAR d: Digits; b: BOOLEAN) =
  VAR out := d[LAST(d)];
  BEGIN
    FOR i := LAST(d) TO 1 BY -1 DO d[i] := d[i - 1] END;
    d[0] := b;
    IF out THEN
      FOR i := 0 TO LAST(Powers) DO d[Powers[i]] := NOT d[Powers[i]] END;
    END;
  END Shift;

PROCEDURE Divide(t: TEXT): Digits =
  VAR d: Digits;
  BEGIN
    FOR i := 0 TO LAST(d) DO d[i] := i = 0 END;
    FOR at := 0 TO Text.Length(t) - 1 DO
      FOR bit := 0 TO 7 DO
        Shift(d, Word.Extract(ORD(Text.GetChar(t, at)), bit, 1) = 1);
      END;
    END;
    RETURN d;
  END Divide;

PROCEDURE IsText(READONLY fp: Fingerprint.T; t: TEXT): BOOLEAN =
  VAR d := Divide(t);
  BEGIN
    FOR i := 0 TO 63 DO
      IF (Word.Extract(fp.byte[i DIV 8], i MOD 8, 1) = 1)
           # (63 - i < Degree AND d[MIN(63 - i, LAST(d))]) THEN
        RETURN FALSE;
      END;
    END;
    RETURN TRUE;
  END IsText;

(* The polynomial cannot be factored: x^(2^n) is x again for n = 61, so it has no factor twice, and
   for no n below, so the degrees of its factors have 61 as their least common multiple. *)
PROCEDURE Frobenius() =
  VAR d, square: Digits;  back := 0;
  BEGIN
    FOR i := 0 TO LAST(d) DO d[i] := i = 1 END;
    FOR n := 1 TO Degree DO
      FOR i := 0 TO LAST(d) DO square[i] := FALSE END;
      FOR i := LAST(d) TO 0 BY -1 DO
        Shift(square, FALSE);
        Shift(square, d[i]);
      END;
      d := square;
      IF IsX(d) THEN back := n; EXIT END;
    END;
    Check.Int(back, Degree, "the order of squaring");
  END Frobenius;

PROCEDURE IsX(READONLY d: Digits): BOOLEAN =
  BEGIN
    FOR i := 0 TO LAST(d) DO IF d[i] # (i = 1) THEN RETURN FALSE END END;
    RETURN TRUE;
  END IsX;

(* Its bytes. *)
PROCEDURE Hex(READONLY fp: Fingerprint.T): TEXT =
  VAR t := "";
  BEGIN
    FOR i := 0 TO 7 DO t := t & Fmt.Pad(Fmt.Unsigned(fp.byte[i]), 2, '0') END;
    RETURN t;
  END Hex;

VAR
  t: TEXT;
  chars: ARRAY [0..99] OF CHAR;
  cut: CARDINAL;

BEGIN
  Frobenius();
  Check.That(IsText(Fingerprint.OfEmpty, ""), "OfEmpty");
  Check.Text(Hex(Fingerprint.FromText("")), "0000000000000080", "no character");
  Check.Text(Hex(Fingerprint.FromText("abc")), "0000000080616263", "three characters");
  Check.Text(Hex(Fingerprint.FromText("Modula-3")), "f82f8a73ec05942a", "eight characters");
  FOR n := 0 TO 99 DO
    FOR i := 0 TO n - 1 DO chars[i] := VAL(Dice.Roll(256), CHAR) END;
    t := Text.FromChars(SUBARRAY(chars, 0, n));
    Check.That(IsText(Fingerprint.FromText(t), t), "FromText, length " & Fmt.Int(n));
    cut := Dice.Roll(n + 1);
    Check.That(IsText(Fingerprint.FromChars(SUBARRAY(chars, cut, n - cut),
                                            Fingerprint.FromText(Text.Sub(t, 0, cut))), t),
               "FromChars, length " & Fmt.Int(n));
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
