(* Texts of classes of one's own, of Text8 and Text16; wide operations; pieces and escapes. *)
UNSAFE MODULE TextRepresentationsTest;

IMPORT ASCII, Atom, Test, Extended, LongReal, Real, Refany, RefanyTransient, Root, RootTransient,
  RuntimeError, Text, Text16, Text8, TextClass, TextConv, TextExtras;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

TYPE
  (* n times the same character: first by single characters only, then wide ones only. *)
  Row = TEXT OBJECT
      n: CARDINAL;
      c: CHAR;
    OVERRIDES
      get_info := RowInfo;
      get_char := RowChar;
    END;
  WideRow = TEXT OBJECT
      n: CARDINAL;
      c: WIDECHAR;
    OVERRIDES
      get_info := WideRowInfo;
      get_wide_char := WideRowChar;
    END;

PROCEDURE RowInfo(r: Row; VAR i: TextClass.Info) =
  BEGIN
    i.start := NIL;
    i.length := r.n;
    i.wide := FALSE;
  END RowInfo;

PROCEDURE RowChar(r: Row; i: CARDINAL): CHAR =
  BEGIN
    IF i >= r.n THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
    RETURN r.c;
  END RowChar;

PROCEDURE WideRowInfo(r: WideRow; VAR i: TextClass.Info) =
  BEGIN
    i.start := NIL;
    i.length := r.n;
    i.wide := TRUE;
  END WideRowInfo;

PROCEDURE WideRowChar(r: WideRow; i: CARDINAL): WIDECHAR =
  BEGIN
    IF i >= r.n THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
    RETURN r.c;
  END WideRowChar;

PROCEDURE TestOwnClasses(<*UNUSED*> running: Test.T) =
  VAR row: TEXT := NEW(Row, n := 5, c := 'x');
      wide: TEXT := NEW(WideRow, n := 3, c := W'y');
      chars := ARRAY [0..7] OF CHAR{'-', ..};
      wideChars := ARRAY [0..7] OF WIDECHAR{W'-', ..};
      info: TextClass.Info;
      failed := FALSE;
  BEGIN
    test.check(Text.Equal(row, "xxxxx") AND Text.Equal("xxxxx", row), "Equal");
    test.equalInt(Text.Length(row), 5, "Length");
    test.equalInt(Text.Hash(row), Text.Hash("xxxxx"), "Hash");
    test.equalInt(Text.Compare(row, "xxxxy"), -1, "Compare");
    test.equalText(row & "a" & row, "xxxxxaxxxxx", "Cat");
    test.equalText(Text.Sub(row, 3), "xx", "Sub");
    test.equalText(wide, "yyy", "a wide one");
    test.check(row.get_char(4) = 'x' AND row.get_wide_char(4) = W'x' AND wide.get_char(0) = 'y'
               AND wide.get_wide_char(2) = W'y', "characters");
    row.get_chars(chars, 3);
    test.equalText(Text.FromChars(chars), "xx------", "get_chars");
    row.get_wide_chars(wideChars, 4);
    test.equalText(Text.FromWideChars(wideChars), "x-------", "get_wide_chars");
    wide.get_chars(chars, 0);
    test.equalText(Text.FromChars(chars), "yyy-----", "get_chars of a wide one");
    wide.get_wide_chars(wideChars, 1);
    test.equalText(Text.FromWideChars(wideChars), "yy------", "get_wide_chars of a wide one");
    test.check(TextClass.GetChar(wide, 1) = 'y' AND TextClass.GetWideChar(row, 1) = W'x',
               "the defaults");
    TextClass.GetChars(row, chars, 0);
    test.equalText(Text.FromChars(chars), "xxxxx---", "GetChars");
    TextClass.GetWideChars(row, wideChars, 2);
    test.equalText(Text.FromWideChars(wideChars), "xxx-----", "GetWideChars");
    row.get_info(info);
    test.check(info.start = NIL AND info.length = 5 AND NOT info.wide, "get_info");
    TRY EVAL Text.GetChar(row, 5) EXCEPT RuntimeError.E => failed := TRUE END;
    test.check(failed, "no such character");
    failed := FALSE;
    WITH t = NEW(WideRow, n := 1, c := VAL(1000, WIDECHAR)) DO
      TRY EVAL Text.GetChar(t, 0) EXCEPT RuntimeError.E => failed := TRUE END;
      test.check(failed AND Text.HasWideChars(t), "a character that is not in CHAR");
    END;
  END TestOwnClasses;

PROCEDURE TestFlat(<*UNUSED*> running: Test.T) =
  VAR t := Text8.Create(3);  w := Text16.Create(2);
  BEGIN
    t.contents[0] := 'a';
    t.contents[1] := 'b';
    t.contents[2] := 'c';
    test.equalText(t, "abc", "Create");
    test.check(NUMBER(t.contents^) = 4 AND t.contents[3] = '\000', "contents");
    w.contents[0] := W'p';
    w.contents[1] := VAL(16_3C0, WIDECHAR);
    test.equalInt(Text.Length(w), 2, "Create of wide ones");
    test.check(Text.GetWideChar(w, 1) = VAL(16_3C0, WIDECHAR) AND NUMBER(w.contents^) = 3,
               "wide contents");
    test.equalText(Text8.New(ARRAY OF CHAR{'x', 'y'}), "xy", "New");
    test.equalText(Text8.New(ARRAY OF CHAR{}), "", "New of nothing");
    test.equalText(Text16.New(ARRAY OF WIDECHAR{W'x', W'y'}), "xy", "New of wide ones");
  END TestFlat;

VAR
  runs: TEXT;

PROCEDURE Narrow(READONLY a: ARRAY OF CHAR) =
  BEGIN
    runs := runs & Text.FromChars(a);
  END Narrow;

PROCEDURE Wide(READONLY a: ARRAY OF WIDECHAR) =
  BEGIN
    runs := runs & Text.FromWideChars(a);
  END Wide;

PROCEDURE TestWideOperations(<*UNUSED*> running: Test.T) =
  VAR p := VAL(16_3C0, WIDECHAR);  t := "a" & Text.FromWideChar(p) & "b" & Text.FromWideChar(p);
      a := ARRAY [0..2] OF WIDECHAR{W'-', ..};  long := t;
  <*FATAL ANY*>
  BEGIN
    test.equalInt(Text.FindWideChar(t, p), 1, "FindWideChar");
    test.equalInt(Text.FindWideChar(t, p, 2), 3, "FindWideChar from 2");
    test.equalInt(Text.FindWideCharR(t, p), 3, "FindWideCharR");
    test.equalInt(Text.FindWideCharR(t, p, 2), 1, "FindWideCharR from 2");
    test.equalInt(Text.FindWideCharR(t, W'z'), -1, "FindWideCharR of none");
    Text.SetWideChars(a, t, 2);
    test.check(a[0] = W'b' AND a[1] = p AND a[2] = W'-', "SetWideChars");
    test.equalText(Text.FromWideChars(ARRAY OF WIDECHAR{W'a', p, W'b', p}), t, "FromWideChars");
    FOR i := 1 TO 8 DO long := long & "some more narrow characters" & long END;
    runs := "";
    Text.ForAllDo(long, Narrow, Wide);
    test.check(Text.Equal(runs, long), "ForAllDo");
    runs := "";
    Text.ForAllDo("", Narrow, Wide);
    test.equalText(runs, "", "ForAllDo of nothing");
  END TestWideOperations;

PROCEDURE TestPieces(<*UNUSED*> running: Test.T) =
  VAR one: ARRAY [0..3] OF CHAR;  out: ARRAY [0..19] OF CHAR;  c: CHAR;  n: CARDINAL;
      at: CARDINAL := 1;  failed: CARDINAL := 0;
  <*FATAL TextConv.Fail*>
  BEGIN
    test.equalInt(TextConv.EncodedCharSize('a') + TextConv.EncodedCharSize('\n')
                + TextConv.EncodedCharSize('\001'), 1 + 2 + 4, "EncodedCharSize");
    n := TextConv.EncodeChar('\377', one);
    test.equalText(Text.FromChars(SUBARRAY(one, 0, n)), "\\377", "EncodeChar");
    n := TextConv.EncodeChar('\"', one);
    test.equalText(Text.FromChars(SUBARRAY(one, 0, n)), "\\\"", "EncodeChar of a quote");
    test.equalInt(TextConv.EncodedCharsSize(ARRAY OF CHAR{'a', '\t', '\''}), 5, "EncodedCharsSize");
    n := TextConv.EncodeChars(ARRAY OF CHAR{'a', '\t', '\''}, out);
    test.equalText(Text.FromChars(SUBARRAY(out, 0, n)), "a\\t\\'", "EncodeChars");
    n := TextConv.DecodeChar(ARRAY [0..3] OF CHAR{'\\', '1', '0', '1'}, 4, c);
    test.check(n = 4 AND c = 'A', "DecodeChar");
    n := TextConv.DecodeChar(ARRAY [0..3] OF CHAR{'\\', 'n', 'x', 'x'}, 2, c);
    test.check(n = 2 AND c = '\n', "DecodeChar of a newline");
    n := TextConv.DecodeChar(ARRAY [0..3] OF CHAR{'z', 'n', 'x', 'x'}, 1, c);
    test.check(n = 1 AND c = 'z', "DecodeChar of a plain one");
    TRY
      EVAL TextConv.DecodeChar(ARRAY [0..3] OF CHAR{'\\', '1', '0', '1'}, 3, c);
    EXCEPT TextConv.Fail => INC(failed)
    END;
    TRY
      EVAL TextConv.DecodeChar(ARRAY [0..3] OF CHAR{'\\', '1', '0', '1'}, 0, c);
    EXCEPT TextConv.Fail => INC(failed)
    END;
    TRY
      EVAL TextConv.DecodedCharsSize(ARRAY OF CHAR{'a', '\\', '9'});
    EXCEPT TextConv.Fail => INC(failed)
    END;
    TRY
      EVAL TextConv.DecodeChars(ARRAY OF CHAR{'a', '\\'}, out);
    EXCEPT TextConv.Fail => INC(failed)
    END;
    test.equalInt(failed, 4, "Fail");
    test.equalInt(TextConv.DecodedCharsSize(ARRAY OF CHAR{'a', '\\', 't'}), 2, "DecodedCharsSize");
    n := TextConv.DecodeChars(ARRAY OF CHAR{'a', '\\', 't'}, out);
    test.equalText(Text.FromChars(SUBARRAY(out, 0, n)), "a\t", "DecodeChars");

    test.check(TextExtras.Compare("a", "b") < 0 AND TextExtras.Compare("b", "a") > 0
               AND TextExtras.Compare("a", "a") = 0, "TextExtras.Compare");
    test.check(TextExtras.CICompare("A", "b") < 0 AND TextExtras.CICompare("B", "a") > 0
               AND TextExtras.CICompare("aB", "Ab") = 0, "CICompare");
    test.check(TextExtras.FindChar("hello", 'l', at) AND at = 2, "FindChar");
    at := 4;
    test.check(NOT TextExtras.FindChar("hello", 'l', at) AND at = 5, "FindChar of none");
    test.equalText(TextExtras.JoinN(ARRAY OF TEXT{"a", "b", "c"}), "abc", "JoinN");
    at := 0;
    test.check(TextExtras.FindCharSet("ab1", ASCII.Digits, at) AND at = 2, "FindCharSet");
  END TestPieces;

PROCEDURE Fails(n: CARDINAL): BOOLEAN =
  VAR i := 0;
  BEGIN
    TRY
      CASE n OF
      | 0 => i := Refany.Hash(NIL);
      | 1 => i := Refany.Compare(NIL, NIL);
      | 2 => i := Root.Hash(NIL);
      | 3 => i := Root.Compare(NIL, NIL);
      | 4 => i := RefanyTransient.Hash(NIL);
      | 5 => i := RefanyTransient.Compare(NIL, NIL);
      | 6 => i := RootTransient.Hash(NIL);
      | 7 => i := RootTransient.Compare(NIL, NIL);
      ELSE i := Atom.Compare(NIL, NIL);
      END;
    EXCEPT RuntimeError.E => RETURN TRUE
    END;
    RETURN i = -2;
  END Fails;

PROCEDURE TestElements(<*UNUSED*> running: Test.T) =
  VAR a := Atom.FromText("a");
  BEGIN
    test.check(Real.Compare(1.0, 2.0) = -1 AND Real.Compare(2.0, 1.0) = 1
               AND Real.Compare(1.0, 1.0) = 0 AND Real.Equal(1.0, 1.0)
               AND Real.Hash(0.0) = Real.Hash(-0.0), "Real");
    test.check(LongReal.Compare(1.0d0, 2.0d0) = -1 AND LongReal.Compare(2.0d0, 1.0d0) = 1
               AND LongReal.Compare(1.0d0, 1.0d0) = 0 AND LongReal.Equal(1.0d0, 1.0d0)
               AND LongReal.Hash(0.0d0) = LongReal.Hash(-0.0d0), "LongReal");
    test.check(Extended.Compare(1.0x0, 2.0x0) = -1 AND Extended.Compare(2.0x0, 1.0x0) = 1
               AND Extended.Compare(1.0x0, 1.0x0) = 0 AND Extended.Equal(1.0x0, 1.0x0)
               AND Extended.Hash(0.0x0) = Extended.Hash(-0.0x0), "Extended");
    test.check(Refany.Equal(a, a) AND NOT Refany.Equal(a, NIL) AND Root.Equal(NIL, NIL)
               AND RefanyTransient.Equal(NIL, NIL) AND RootTransient.Equal(NIL, NIL), "references");
    test.check(Atom.Equal(a, Atom.FromText("a")) AND Atom.Hash(a) = Atom.Hash(Atom.FromText("a"))
               AND NOT Atom.Equal(a, Atom.FromText("b")), "Atom");
    FOR i := 0 TO 8 DO test.check(Fails(i), "hash or order of references") END;
  END TestElements;

BEGIN
END TextRepresentationsTest.
