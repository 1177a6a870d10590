(* The costs of texts, readers and writers, and of what is built on them. *)
MODULE TextsGrowthTest;

IMPORT ASCII, Cost, FileRd, FileWr, Fmt, Formatter, IntList, Lex, Pickle, Point, Rd, RdCopy, RdExtras, RdUtils, Rect, RefList,
  Region, Sx, Test, Text, TextConv, TextExtras, TextRd, TextWr, Wr;

VAR
  test: Test.T;
  text, part: TEXT;
  sink: INTEGER;

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

(* A concatenation of pieces of 50 characters, each of which is `piece`; of n characters. *)
PROCEDURE Pieces(n: CARDINAL; piece: TEXT): TEXT =
  VAR t := "";
  BEGIN
    FOR i := 1 TO 50 DO t := t & piece END;
    piece := t;
    WHILE Text.Length(t) < n DO t := t & t END;
    (* Not flat. *)
    RETURN Text.Sub(t, 0, n DIV 2) & Text.Sub(t, 0, n - n DIV 2);
  END Pieces;

PROCEDURE Append(n: CARDINAL) =
  VAR t := "";
  BEGIN
    FOR i := 1 TO n DO t := t & "word " END;
  END Append;

PROCEDURE Prepend(n: CARDINAL) =
  VAR t := "";
  BEGIN
    FOR i := 1 TO n DO t := "word " & t END;
  END Prepend;

PROCEDURE Insert(n: CARDINAL) =
  VAR t := "";
  BEGIN
    FOR i := 1 TO n DO
      t := Text.Sub(t, 0, Text.Length(t) DIV 2) & "word " & Text.Sub(t, Text.Length(t) DIV 2);
    END;
  END Insert;

PROCEDURE AppendWide(n: CARDINAL) =
  VAR t := "";
  BEGIN
    FOR i := 1 TO n DO t := t & Text.FromWideChar(VAL(300 + i MOD 100, WIDECHAR)) END;
  END AppendWide;

PROCEDURE MakeA(n: CARDINAL) =
  BEGIN
    text := Pieces(n, "a");
    part := Pieces(n DIV 2, "a") & "b";
  END MakeA;

PROCEDURE MakeWide(n: CARDINAL) =
  BEGIN
    text := Pieces(n, Text.FromWideChar(VAL(300, WIDECHAR)));
    part := Pieces(n DIV 2, Text.FromWideChar(VAL(300, WIDECHAR))) & "b";
  END MakeWide;

PROCEDURE FlatA(n: CARDINAL) =
  VAR chars := NEW(REF ARRAY OF CHAR, n);
  BEGIN
    FOR i := 0 TO n - 1 DO chars[i] := 'a' END;
    text := Text.FromChars(chars^);
    part := Text.Sub(text, 0, n DIV 2) & "b";
  END FlatA;

PROCEDURE FindLong(<*UNUSED*> n: CARDINAL) =
  VAR index: CARDINAL := 0;
  BEGIN
    <*ASSERT NOT TextExtras.FindSub(text, part, index)*>
  END FindLong;

PROCEDURE FindAll(<*UNUSED*> n: CARDINAL) =
  VAR index: CARDINAL := 0;
  BEGIN
    WHILE TextExtras.FindSub(text, "a", index) DO INC(index, 10) END;
  END FindAll;

PROCEDURE Chars(n: CARDINAL) =
  BEGIN
    FOR i := 0 TO n - 1 DO
      <*ASSERT Text.GetChar(text, i) = 'a'*>
      sink := Text.FindChar(text, 'a', i);
      sink := Text.FindCharR(text, 'a', i);
    END;
  END Chars;

PROCEDURE PopFront(n: CARDINAL) =
  VAR t := text;
  BEGIN
    FOR i := 1 TO n DO t := Text.Sub(t, 1) END;
    <*ASSERT Text.Empty(t)*>
  END PopFront;

PROCEDURE Compare(<*UNUSED*> n: CARDINAL) =
  BEGIN
    <*ASSERT Text.Equal(text, text & "") AND Text.Compare(text, part) < 0 AND Text.Hash(text) # Text.Hash(part)*>
    <*ASSERT TextExtras.CIEqual(text, TextExtras.JoinN(ARRAY OF TEXT{text}))*>
  END Compare;

PROCEDURE Convert(n: CARDINAL) RAISES ANY =
  VAR words: REF ARRAY OF TEXT;  t := "";  index: CARDINAL := 0;
  BEGIN
    FOR i := 1 TO n DO t := t & "ab " END;
    words := NEW(REF ARRAY OF TEXT, TextConv.ExplodedSize(t, SET OF CHAR{' '}));
    TextConv.Explode(t, words^, SET OF CHAR{' '});
    <*ASSERT Text.Equal(TextConv.Implode(words^, ' '), t)*>
    <*ASSERT Text.Equal(TextConv.Decode(TextConv.Encode(t)), t)*>
    <*ASSERT Text.Length(TextExtras.JoinN(words^)) = 2 * n*>
    <*ASSERT TextExtras.PatternMatch(t, "a*b ")*>
    WHILE TextExtras.FindCharSet(t, ASCII.Spaces, index) DO INC(index) END;
  END Convert;

PROCEDURE TestTexts(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "text: append", 10, Append);
    Cost.Check(t, "text: put in front", 95, Prepend);
    Cost.Check(t, "text: insert in the middle", 340, Insert);
    Cost.Check(t, "text: append wide characters", 120, AppendWide);
    Cost.Check(t, "text: GetChar, FindChar of a concatenation", 65, Chars, MakeA, 4000);
    Cost.Check(t, "text: GetChar, FindChar, flat", 55, Chars, FlatA, 4000);
    Cost.Check(t, "text: Sub without the first character", 90, PopFront, FlatA, 4000);
    Cost.Check(t, "text: Sub of a concatenation", 90, PopFront, MakeA, 4000);
    Cost.Check(t, "text: Equal, Compare, Hash", 6, Compare, MakeA, 4000);
    Cost.Check(t, "text: Explode, Implode, Encode ...", 360, Convert);
    Cost.Check(t, "text: FindSub, long", 2, FindLong, FlatA, 4000);
    Cost.Check(t, "text: FindSub, long, a concatenation", 2, FindLong, MakeA, 4000);
    Cost.Check(t, "text: FindSub, long, wide", 25, FindLong, MakeWide, 4000);
    Cost.Check(t, "text: FindSub, all", 5, FindAll, FlatA, 4000);
    Cost.Check(t, "text: FindSub, all, a concatenation", 30, FindAll, MakeA, 4000);
  END TestTexts;

(* Readers and writers. *)

PROCEDURE MakeLines(n: CARDINAL) RAISES ANY =
  VAR wr := TextWr.New();
  BEGIN
    FOR i := 1 TO n DO Wr.PutText(wr, "line " & Fmt.Int(i) & "\n") END;
    text := TextWr.ToText(wr);
  END MakeLines;

PROCEDURE WriteAll(n: CARDINAL) RAISES ANY =
  VAR wr := TextWr.New();
  BEGIN
    FOR i := 1 TO n DO Wr.PutChar(wr, 'x'); Wr.PutText(wr, "word"); Wr.PutString(wr, ARRAY OF CHAR{'a', 'b'}) END;
    <*ASSERT Text.Length(TextWr.ToText(wr)) = 7 * n*>
  END WriteAll;

PROCEDURE ReadLines(n: CARDINAL) RAISES ANY =
  VAR rd := TextRd.New(text);
  BEGIN
    FOR i := 1 TO n DO EVAL Rd.GetLine(rd) END;
    <*ASSERT Rd.EOF(rd)*>
  END ReadLines;

PROCEDURE ReadWords(n: CARDINAL) RAISES ANY =
  VAR rd := TextRd.New(text);
  BEGIN
    FOR i := 1 TO n DO
      <*ASSERT Text.Equal(Lex.Scan(rd), "line")*>
      <*ASSERT Lex.Int(rd) = i*>
      Lex.Skip(rd);
      IF NOT Rd.EOF(rd) THEN Rd.UnGetChar(rd); EVAL Rd.GetChar(rd) END;
    END;
  END ReadWords;

PROCEDURE ThroughFile(n: CARDINAL) RAISES ANY =
  VAR path := test.directory() & "/file";  wr := FileWr.Open(path);  rd: Rd.T;  copy := TextWr.New();
  BEGIN
    Wr.PutText(wr, text);
    Wr.Close(wr);
    rd := FileRd.Open(path);
    <*ASSERT RdUtils.Find(rd, "line " & Fmt.Int(n) & "\n") >= 0*>
    Rd.Seek(rd, 0);
    EVAL RdCopy.ToWriter(rd, copy);
    Rd.Seek(rd, 0);
    <*ASSERT Text.Equal(Rd.GetText(rd, LAST(CARDINAL)), TextWr.ToText(copy))*>
    Rd.Seek(rd, 0);
    <*ASSERT Text.Length(RdExtras.GetText(rd, terminate := ASCII.Set{})) = Text.Length(text)*>
    Rd.Seek(rd, 0);
    (* Back over the ends of buffers. *)
    WHILE NOT Rd.EOF(rd) DO EVAL Rd.GetChar(rd); Rd.UnGetChar(rd); EVAL Rd.GetChar(rd) END;
    Rd.Close(rd);
  END ThroughFile;

PROCEDURE OneLine(<*UNUSED*> n: CARDINAL) RAISES ANY =
  VAR path := test.directory() & "/line";  wr := FileWr.Open(path);  rd: Rd.T;
  BEGIN
    Wr.PutText(wr, text);
    Wr.Close(wr);
    rd := FileRd.Open(path);
    <*ASSERT Text.Length(Rd.GetLine(rd)) = Text.Length(text)*>
    Rd.Seek(rd, 0);
    <*ASSERT Text.Length(Lex.Scan(rd)) = Text.Length(text)*>
    Rd.Close(rd);
  END OneLine;

PROCEDURE TestStreams(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "writer: PutChar, PutText, PutString", 90, WriteAll);
    Cost.Check(t, "reader: GetLine", 65, ReadLines, MakeLines);
    Cost.Check(t, "reader: Lex, UnGetChar", 420, ReadWords, MakeLines);
    Cost.Check(t, "reader: through a file", 1400, ThroughFile, MakeLines);
    Cost.Check(t, "reader: one line", 4, OneLine, FlatA, 20000);
  END TestStreams;

(* Symbolic expressions. *)

VAR
  sx: Sx.T;
  object: REFANY;

PROCEDURE MakeSx(n: CARDINAL) =
  VAR l: RefList.T := NIL;
  BEGIN
    FOR i := 1 TO n DO l := RefList.Cons(RefList.List3(Sx.FromInt(i), Sx.FromBool(TRUE), "a text"), l) END;
    sx := l;
  END MakeSx;

PROCEDURE ReadAndPrint(<*UNUSED*> n: CARDINAL) RAISES ANY =
  VAR wr := TextWr.New();
  BEGIN
    Sx.Print(wr, sx);
    object := Sx.Read(TextRd.New(TextWr.ToText(wr)));
  END ReadAndPrint;

PROCEDURE MakeLongSx(n: CARDINAL) =
  BEGIN
    MakeA(n);
    sx := text;
  END MakeLongSx;

PROCEDURE TestSx(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "Sx: a list", 3400, ReadAndPrint, MakeSx);
    Cost.Check(t, "Sx: a text", 120, ReadAndPrint, MakeLongSx);
  END TestSx;

(* Pickles. *)

PROCEDURE MakeIntList(n: CARDINAL) =
  VAR l: IntList.T := NIL;
  BEGIN
    FOR i := 1 TO n DO l := IntList.Cons(i, l) END;
    object := l;
  END MakeIntList;

(* Objects of many types. *)
TYPE
  R1 = REF RECORD a: INTEGER; next: REFANY END;
  R2 = REF RECORD b: INTEGER; next: REFANY END;
  R3 = REF RECORD c: INTEGER; next: REFANY END;
  R4 = REF RECORD d: INTEGER; next: REFANY END;

PROCEDURE MakeMixed(n: CARDINAL) =
  BEGIN
    object := NIL;
    FOR i := 1 TO n DIV 4 DO
      object := NEW(R1, next := NEW(R2, next := NEW(R3, next := NEW(R4, next := object))));
    END;
  END MakeMixed;

PROCEDURE ThroughPickle(<*UNUSED*> n: CARDINAL) RAISES ANY =
  VAR wr := TextWr.New();
  BEGIN
    Pickle.Write(wr, object);
    object := Pickle.Read(TextRd.New(TextWr.ToText(wr)));
  END ThroughPickle;

PROCEDURE TestPickles(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "pickle: a list", 780, ThroughPickle, MakeIntList);
    Cost.Check(t, "pickle: objects of several types", 760, ThroughPickle, MakeMixed);
    Cost.Check(t, "pickle: an expression", 3900, ThroughPickle, MakeObject);
  END TestPickles;

PROCEDURE MakeObject(n: CARDINAL) =
  BEGIN
    MakeSx(n);
    object := sx;
  END MakeObject;

(* Formatters. *)

PROCEDURE Groups(n: CARDINAL) RAISES ANY =
  VAR f := Formatter.New(TextWr.New());
  BEGIN
    FOR i := 1 TO n DO
      Formatter.Group(f);
      Formatter.PutText(f, "ab");
      Formatter.End(f);
    END;
    Formatter.Close(f);
  END Groups;

PROCEDURE Breaks(n: CARDINAL) RAISES ANY =
  VAR f := Formatter.New(TextWr.New());
  BEGIN
    FOR type := FIRST(Formatter.BreakType) TO LAST(Formatter.BreakType) DO
      Formatter.Begin(f, 2);
      FOR i := 1 TO n DO
        Formatter.Begin(f);
        Formatter.PutText(f, "ab");
        Formatter.End(f);
        Formatter.Break(f, type := type);
        Formatter.PartialBreak(f);
      END;
      Formatter.End(f);
    END;
    Formatter.Close(f);
  END Breaks;

PROCEDURE Nested(n: CARDINAL) RAISES ANY =
  VAR f := Formatter.New(TextWr.New());
  BEGIN
    FOR i := 1 TO n DO Formatter.Group(f); Formatter.PutText(f, "ab"); Formatter.UnitedBreak(f) END;
    FOR i := 1 TO n DO Formatter.End(f) END;
    Formatter.Close(f);
  END Nested;

PROCEDURE TableOf(n: CARDINAL) RAISES ANY =
  VAR f := Formatter.New(TextWr.New());
  BEGIN
    Formatter.Align(f, 3);
    FOR i := 1 TO n DO
      Formatter.Group(f);
      FOR k := 1 TO 3 DO
        Formatter.Group(f);
        Formatter.PutText(f, Fmt.Int(i));
        Formatter.End(f);
      END;
      Formatter.End(f);
    END;
    Formatter.End(f);
    Formatter.Close(f);
  END TableOf;

PROCEDURE TestFormatters(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "formatter: groups in a line", 400, Groups);
    Cost.Check(t, "formatter: breaks", 2000, Breaks);
    Cost.Check(t, "formatter: nested groups", 500, Nested, first := 250);
    Cost.Check(t, "formatter: a table", 1600, TableOf);
  END TestFormatters;

(* Regions. *)

PROCEDURE Diagonal(n: CARDINAL) =
  VAR rects := NEW(REF ARRAY OF Rect.T, n);  a, b: Region.T;
  BEGIN
    FOR i := 0 TO n - 1 DO rects[i] := Rect.FromEdges(3 * i, 3 * i + 2, 3 * i, 3 * i + 2) END;
    a := Region.FromRects(rects^);
    b := Region.MoveHV(a, 1, 1);
    <*ASSERT Region.Member(Point.T{1, 1}, Region.Meet(a, b))*>
    a := Region.Join(Region.Difference(a, b), b);
  END Diagonal;

PROCEDURE TestRegions(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "regions", 5900, Diagonal);
  END TestRegions;

BEGIN
END TextsGrowthTest.
