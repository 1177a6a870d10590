MODULE RdUtils;

IMPORT Atom, AtomList, Rd, RdClass, Text, TextRep, Thread, UnsafeRd;

TYPE
  Found = [-1..LAST(CARDINAL)];

PROCEDURE ToUpperCaseASCII(ch: CHAR): CHAR =
  BEGIN
    IF 'a' <= ch AND ch <= 'z' THEN
      RETURN VAL(ORD(ch) - ORD('a') + ORD('A'), CHAR);
    ELSE
      RETURN ch;
    END;
  END ToUpperCaseASCII;

PROCEDURE Find(rd: Rd.T; pattern: TEXT; canonicalize: Canonicalize := NIL): Found
  RAISES {Rd.Failure, Thread.Alerted} =
  BEGIN
    IF TextRep.IsNarrow(pattern) THEN RETURN FindString(rd, TextRep.Chars(pattern)^, canonicalize) END;
    (* No reader has such a character. *)
    TRY
      LOOP EVAL Rd.GetChar(rd) END;
    EXCEPT Rd.EndOfFile => RETURN -1
    END;
  END Find;

PROCEDURE FindChar(rd: Rd.T; pattern: CHAR; canonicalize: Canonicalize := NIL): Found
  RAISES {Rd.Failure, Thread.Alerted} =
  BEGIN
    RETURN FindString(rd, ARRAY [0..0] OF CHAR{pattern}, canonicalize);
  END FindChar;

(* Knuth, Morris and Pratt's search: rd need not be seekable, since no character is read twice. *)
PROCEDURE FindString(rd: Rd.T; READONLY pattern: ARRAY OF CHAR;
                     canonicalize: Canonicalize := NIL): Found
  RAISES {Rd.Failure, Thread.Alerted} =
  VAR
    wanted := NEW(REF ARRAY OF CHAR, NUMBER(pattern));
    (* border[i]: the length of the longest proper prefix of the pattern that ends its first i + 1
       characters. *)
    border := NEW(REF ARRAY OF CARDINAL, NUMBER(pattern));
    matched: CARDINAL := 0;
    ch: CHAR;

  PROCEDURE Advance(ch: CHAR) =
    BEGIN
      WHILE matched > 0 AND wanted[matched] # ch DO matched := border[matched - 1] END;
      IF wanted[matched] = ch THEN INC(matched) END;
    END Advance;

  BEGIN
    IF NUMBER(pattern) = 0 THEN RETURN Rd.Index(rd) END;
    wanted^ := pattern;
    IF canonicalize # NIL THEN
      FOR i := 0 TO LAST(wanted^) DO wanted[i] := canonicalize(wanted[i]) END;
    END;
    border[0] := 0;
    FOR i := 1 TO LAST(wanted^) DO
      Advance(wanted[i]);
      border[i] := matched;
    END;
    matched := 0;
    RdClass.Lock(rd);
    TRY
      TRY
        REPEAT
          ch := UnsafeRd.FastGetChar(rd);
          IF canonicalize # NIL THEN ch := canonicalize(ch) END;
          Advance(ch);
        UNTIL matched = NUMBER(pattern);
        RETURN UnsafeRd.FastIndex(rd) - matched;
      EXCEPT
      | Rd.EndOfFile => RETURN -1;
      END;
    FINALLY
      RdClass.Unlock(rd);
    END;
  END FindString;

PROCEDURE FailureText(f: AtomList.T): TEXT =
  VAR result: TEXT := "";  t: TEXT;
  BEGIN
    WHILE f # NIL DO
      t := Atom.ToText(f.head);
      IF f.tail = NIL OR NOT Text.Equal(Text.Sub(t, 0, 6), "errno=") THEN
        IF NOT Text.Empty(result) THEN result := result & ": " END;
        result := result & t;
      END;
      f := f.tail;
    END;
    RETURN result;
  END FailureText;

BEGIN
END RdUtils.
