(* golden: run, with lib/Check, lib/Dice *)
(* Fingerprints against long division, bit by bit: that of a text is the remainder of the polynomial
   whose coefficients are a 1 and then the bits of the characters, divided by
   x^64 + x^4 + x^3 + x + 1 (Rabin 1981). *)
MODULE Main;

IMPORT Check, Dice, Fingerprint, Fmt, Text, Word;

TYPE
  Digits = ARRAY [0..63] OF BOOLEAN;  (* coefficient of x^i *)

(* d times x, plus b. *)
PROCEDURE Shift(VAR d: Digits; b: BOOLEAN) =
  VAR out := d[63];
  BEGIN
    FOR i := 63 TO 1 BY -1 DO d[i] := d[i - 1] END;
    d[0] := b;
    IF out THEN
      FOR i := 0 TO 4 DO
        IF i # 2 THEN d[i] := NOT d[i] END;
      END;
    END;
  END Shift;

PROCEDURE Divide(t: TEXT): Digits =
  VAR d: Digits;
  BEGIN
    FOR i := 0 TO 63 DO d[i] := i = 0 END;
    FOR at := 0 TO Text.Length(t) - 1 DO
      FOR bit := 7 TO 0 BY -1 DO
        Shift(d, Word.Extract(ORD(Text.GetChar(t, at)), bit, 1) = 1);
      END;
    END;
    RETURN d;
  END Divide;

PROCEDURE IsText(READONLY fp: Fingerprint.T; t: TEXT): BOOLEAN =
  VAR d := Divide(t);
  BEGIN
    FOR i := 0 TO 63 DO
      IF (Word.Extract(fp.byte[i DIV 8], i MOD 8, 1) = 1) # d[i] THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END IsText;

(* The polynomial cannot be factored: x^(2^n) is x again for n = 64, so it has no factor twice, and
   for no n below, so the degrees of its factors have 64 as their least common multiple. *)
PROCEDURE Frobenius() =
  VAR d, square: Digits;  back := 0;
  BEGIN
    FOR i := 0 TO 63 DO d[i] := i = 1 END;
    FOR n := 1 TO 64 DO
      FOR i := 0 TO 63 DO square[i] := FALSE END;
      FOR i := 63 TO 0 BY -1 DO
        Shift(square, FALSE);
        Shift(square, d[i]);
      END;
      d := square;
      IF IsX(d) THEN back := n; EXIT END;
    END;
    Check.Int(back, 64, "the order of squaring");
  END Frobenius;

PROCEDURE IsX(READONLY d: Digits): BOOLEAN =
  BEGIN
    FOR i := 0 TO 63 DO IF d[i] # (i = 1) THEN RETURN FALSE END END;
    RETURN TRUE;
  END IsX;

VAR
  t: TEXT;
  chars: ARRAY [0..99] OF CHAR;
  cut: CARDINAL;

BEGIN
  Frobenius();
  Check.That(IsText(Fingerprint.OfEmpty, ""), "OfEmpty");
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
(* expect: 202 checks, 0 failed *)
