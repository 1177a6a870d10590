(* Residues of polynomials over the integers modulo 2 (Rabin 1981; Broder 1993): the bits of a text,
   with a 1 before them, are the coefficients of a polynomial, and its fingerprint is the rest that
   the polynomial x^64 + x^4 + x^3 + x + 1, which is irreducible, leaves. Bit i of the word, which
   is bit i MOD 8 of byte i DIV 8, is the coefficient of x^i. *)
MODULE Fingerprint;

IMPORT Text, Word;

CONST
  (* The residue of x^64. *)
  Rest = 16_1B;

VAR
  (* The residue of the upper 8 bits moved up by 8 places. *)
  carry: ARRAY [0..255] OF Word.T;

PROCEDURE ToWord(READONLY fp: T): Word.T =
  VAR w: Word.T := 0;
  BEGIN
    FOR i := 0 TO 7 DO w := Word.Insert(w, fp.byte[i], 8 * i, 8) END;
    RETURN w;
  END ToWord;

PROCEDURE FromWord(w: Word.T): T =
  VAR fp: T;
  BEGIN
    FOR i := 0 TO 7 DO fp.byte[i] := Word.Extract(w, 8 * i, 8) END;
    RETURN fp;
  END FromWord;

(* One more byte. *)
PROCEDURE Extend(w: Word.T; byte: [0..255]): Word.T =
  BEGIN
    RETURN Word.Xor(Word.Or(Word.LeftShift(w, 8), byte), carry[Word.RightShift(w, 56)]);
  END Extend;

PROCEDURE FromText(txt: TEXT): T =
  VAR w: Word.T := 1;  buffer: ARRAY [0..255] OF CHAR;  at: CARDINAL := 0;  n, code: CARDINAL;
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
  VAR w: Word.T := 3;
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
  BEGIN
    RETURN ToWord(fp);
  END Hash;

PROCEDURE FillCarry() =
  VAR product: Word.T;
  BEGIN
    FOR b := 0 TO 255 DO
      product := 0;
      FOR i := 0 TO 7 DO
        IF Word.Extract(b, i, 1) = 1 THEN product := Word.Xor(product, Word.LeftShift(Rest, i)) END;
      END;
      carry[b] := product;
    END;
  END FillCarry;

BEGIN
  FillCarry();
  OfEmpty := FromWord(1);
END Fingerprint.
