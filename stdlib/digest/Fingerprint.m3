(* Residues of polynomials over the integers modulo 2 (Rabin 1981; Broder 1993): a 1 and the bits of
   a text, the lowest bit of each byte first, are the coefficients of a polynomial, the highest
   power first. The text's fingerprint is the residue modulo an irreducible polynomial of degree
   61, the one whose fingerprints pickles and files of other Modula-3 systems have. Bit i of the
   word, which is bit i MOD 8 of byte i DIV 8, is the coefficient of x^(63 - i). *)
MODULE Fingerprint;

IMPORT Text, Word;

CONST
  Degree = 61;
  Spare = 64 - Degree;  (* lowest bits of a word that a residue does not use *)
  (* The residue of x^61. *)
  Rest: Word.T = 16_CDCB2400377205A8;
  One: Word.T = 16_8000000000000000;

VAR
  (* The residue of x^61 * b for the polynomials b of degree 7 and less, their lowest power in
     bit 7. *)
  carry: ARRAY [0..255] OF Word.T;

(* The residue that fp stands for. Not every T is a fingerprint. *)
PROCEDURE ToWord(READONLY fp: T): Word.T =
  VAR w: Word.T := 0;
  BEGIN
    FOR i := 0 TO 7 DO w := Word.Insert(w, fp.byte[i], 8 * i, 8) END;
    RETURN Reduce(w, Word.LeftShift(Word.Extract(w, 0, Spare), 8 - Spare));
  END ToWord;

(* w without its spare bits, plus the residue that high has in the table. *)
PROCEDURE Reduce(w: Word.T; high: [0..255]): Word.T =
  BEGIN
    RETURN Word.Xor(Word.Insert(w, 0, 0, Spare), carry[high]);
  END Reduce;

PROCEDURE FromWord(w: Word.T): T =
  VAR fp: T;
  BEGIN
    FOR i := 0 TO 7 DO fp.byte[i] := Word.Extract(w, 8 * i, 8) END;
    RETURN fp;
  END FromWord;

(* One more byte. *)
PROCEDURE Extend(w: Word.T; byte: [0..255]): Word.T =
  BEGIN
    RETURN Reduce(Word.Insert(Word.RightShift(w, 8), byte, 56, 8), Word.Extract(w, Spare, 8));
  END Extend;

PROCEDURE FromText(txt: TEXT): T =
  VAR w := One;  buffer: ARRAY [0..255] OF CHAR;  at: CARDINAL := 0;  n, code: CARDINAL;
      length := Text.Length(txt);
  BEGIN
    IF Text.HasWideChars(txt) THEN
      FOR i := 0 TO length - 1 DO
        code := ORD(Text.GetWideChar(txt, i));
        IF code < 256 THEN
          w := Extend(w, code);
        ELSE
          w := Extend(Extend(w, code MOD 256), code DIV 256 MOD 256);
        END;
      END;
    ELSE
      WHILE at < length DO
        n := MIN(length - at, NUMBER(buffer));
        Text.SetChars(SUBARRAY(buffer, 0, n), txt, at);
        FOR i := 0 TO n - 1 DO w := Extend(w, ORD(buffer[i])) END;
        INC(at, n);
      END;
    END;
    IF w = 0 THEN w := Rest END;
    RETURN FromWord(w);
  END FromText;

PROCEDURE FromChars(READONLY buff: ARRAY OF CHAR; READONLY fp: T): T =
  VAR w := ToWord(fp);
  BEGIN
    FOR i := 0 TO LAST(buff) DO w := Extend(w, ORD(buff[i])) END;
    RETURN FromWord(w);
  END FromChars;

PROCEDURE Combine(READONLY fp1, fp2: T): T =
  (* Begins differently from a text, so that the text of the same bytes has another fingerprint. *)
  VAR w := Word.Or(One, Word.RightShift(One, 1));
  BEGIN
    FOR i := 0 TO 7 DO w := Extend(w, fp1.byte[i]) END;
    FOR i := 0 TO 7 DO w := Extend(w, fp2.byte[i]) END;
    RETURN FromWord(w);
  END Combine;

PROCEDURE Equal(READONLY fp1, fp2: T): BOOLEAN =
  BEGIN
    RETURN fp1 = fp2;
  END Equal;

PROCEDURE Hash(READONLY fp: T): INTEGER =
  VAR w: Word.T := 0;
  BEGIN
    FOR i := 0 TO 7 DO w := Word.Insert(w, fp.byte[i], 8 * i, 8) END;
    RETURN w;
  END Hash;

PROCEDURE FillCarry() =
  VAR power := Rest;  overflows: BOOLEAN;
  BEGIN
    FOR bit := 7 TO 0 BY -1 DO
      FOR b := 0 TO 255 DO
        IF Word.Extract(b, bit, 1) = 1 THEN carry[b] := Word.Xor(carry[b], power) END;
      END;
      overflows := Word.Extract(power, Spare, 1) = 1;
      power := Word.Insert(Word.RightShift(power, 1), 0, 0, Spare);
      IF overflows THEN power := Word.Xor(power, Rest) END;
    END;
  END FillCarry;

BEGIN
  FOR b := 0 TO 255 DO carry[b] := 0 END;
  FillCarry();
  OfEmpty := FromWord(One);
END Fingerprint.
