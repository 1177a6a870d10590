(* What does the library cost? Each line of output is NAME RESULT TIME ms; bench/library/library.cc does the
   same work with the C++ standard library and must come to the same results.

   Usage: Main FILE, whose directory the program may write to. *)
MODULE Main;

IMPORT Clock, FileRd, FileWr, Fmt, IO, IntArraySort, IntIntTbl, Params, Rd, Scan, Text, TextArraySort,
       TextExtras, TextIntTbl, TextWr, Word, Wr;

<*FATAL ANY*>  (* an error ends the benchmark *)

VAR
  start: INTEGER;
  state: Word.T;
  file := Params.Get(1);
  copied := file & ".copy";

PROCEDURE Begin() =
  BEGIN
    state := 1;
    start := Clock.Now();
  END Begin;

PROCEDURE End(name: TEXT; result: INTEGER) =
  VAR us := Clock.Now() - start;
  BEGIN
    IO.Put(name & " " & Fmt.Int(result) & " " & Fmt.LongReal(FLOAT(us, LONGREAL) / 1.0d3, Fmt.Style.Fix, 3)
           & " ms\n");
  END End;

(* A linear congruential generator of 31 bits, the same in both programs. *)
PROCEDURE Next(): CARDINAL =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33);
  END Next;

PROCEDURE TextAppend() =
  VAR t := "";
  BEGIN
    Begin();
    FOR i := 1 TO 500000 DO t := t & "word " END;
    End("text-append", Text.Length(t));
  END TextAppend;

PROCEDURE TextWriter() =
  VAR wr := TextWr.New();  words := ARRAY [0..3] OF TEXT{"alpha ", "beta ", "gamma ", "delta "};
  BEGIN
    Begin();
    FOR i := 1 TO 2000000 DO Wr.PutText(wr, words[Word.And(i, 3)]) END;
    End("text-writer", Text.Length(TextWr.ToText(wr)));
  END TextWriter;

PROCEDURE TextChars() =
  VAR wr := TextWr.New();
  BEGIN
    Begin();
    FOR i := 1 TO 10000000 DO Wr.PutChar(wr, VAL(ORD('a') + Word.And(i, 15), CHAR)) END;
    End("put-char", Text.Length(TextWr.ToText(wr)));
  END TextChars;

PROCEDURE LongText(): TEXT =
  VAR wr := TextWr.New();
  BEGIN
    FOR i := 1 TO 1000000 DO Wr.PutChar(wr, VAL(ORD('a') + Next() MOD 26, CHAR)) END;
    RETURN TextWr.ToText(wr);
  END LongText;

PROCEDURE TextSearch() =
  VAR t: TEXT;  found, at: INTEGER := 0;  index: CARDINAL;  quoted: BOOLEAN;
  BEGIN
    state := 1;
    t := LongText();
    Begin();
    FOR round := 1 TO 10 DO
      at := Text.FindChar(t, 'q');
      WHILE at >= 0 DO INC(found); at := Text.FindChar(t, 'q', at + 1) END;
    END;
    End("find-char", found);
    found := 0;
    Begin();
    FOR round := 1 TO 10 DO
      index := 0;
      WHILE TextExtras.FindSub(t, "abc", index) DO INC(found); INC(index) END;
    END;
    End("find-text", found);
    (* Like a scanner, the loop carries a state from one character to the next. Without the
       state, the C++ loop would be vectorized and not show the time per character. *)
    found := 0;
    quoted := FALSE;
    Begin();
    FOR round := 1 TO 10 DO
      FOR i := 0 TO Text.Length(t) - 1 DO
        IF Text.GetChar(t, i) = 'q' THEN
          quoted := NOT quoted;
        ELSIF quoted THEN
          INC(found);
        END;
      END;
    END;
    End("get-char-of-text", found);
  END TextSearch;

PROCEDURE TextPieces() =
  VAR t: TEXT;  equal := 0;
  BEGIN
    state := 1;
    t := LongText();
    Begin();
    FOR i := 0 TO 999990 DO
      IF Text.Equal(Text.Sub(t, i, 4), "abab") THEN INC(equal) END;
    END;
    End("sub-equal", equal);
  END TextPieces;

PROCEDURE IntTable() =
  VAR t := NEW(IntIntTbl.Default).init();  sum, v: INTEGER := 0;
  BEGIN
    Begin();
    FOR i := 1 TO 1000000 DO EVAL t.put(Next(), i) END;
    End("int-table-put", t.size());
    Begin();
    FOR i := 1 TO 1000000 DO IF t.get(Next(), v) THEN INC(sum, v) END END;
    End("int-table-get", sum);
    sum := 0;
    Begin();
    FOR round := 1 TO 5 DO
      FOR i := 1 TO 1000000 DO IF t.get(i, v) THEN INC(sum, v) END END;
    END;
    End("int-table-miss", sum);
    Begin();
    sum := 0;
    FOR i := 1 TO 1000000 DO IF t.delete(Next(), v) THEN INC(sum, v) END END;
    End("int-table-delete", sum);
  END IntTable;

PROCEDURE SmallTable() =
  VAR t := NEW(IntIntTbl.Default).init();  sum, v: INTEGER := 0;
  BEGIN
    Begin();
    FOR i := 0 TO 999 DO EVAL t.put(i, i) END;
    FOR i := 1 TO 10000000 DO IF t.get(Word.And(i, 1023), v) THEN INC(sum, v) END END;
    End("small-table-get", sum);
  END SmallTable;

PROCEDURE TextTable() =
  VAR t := NEW(TextIntTbl.Default).init();  sum, v: INTEGER := 0;
      keys := NEW(REF ARRAY OF TEXT, 200000);
  BEGIN
    state := 1;
    FOR i := 0 TO LAST(keys^) DO keys[i] := "key" & Fmt.Int(Next()) END;
    Begin();
    FOR i := 0 TO LAST(keys^) DO EVAL t.put(keys[i], i) END;
    End("text-table-put", t.size());
    Begin();
    FOR round := 1 TO 5 DO
      FOR i := 0 TO LAST(keys^) DO IF t.get(keys[i], v) THEN INC(sum, v) END END;
    END;
    End("text-table-get", sum);
  END TextTable;

PROCEDURE Sort() =
  VAR a := NEW(REF ARRAY OF INTEGER, 2000000);  b := NEW(REF ARRAY OF TEXT, 200000);
  BEGIN
    state := 1;
    FOR i := 0 TO LAST(a^) DO a[i] := Next() END;
    Begin();
    IntArraySort.Sort(a^);
    End("sort-integers", a[1000] + a[1000000]);
    state := 1;
    FOR i := 0 TO LAST(b^) DO b[i] := Fmt.Int(Next()) END;
    Begin();
    TextArraySort.Sort(b^);
    End("sort-texts", Scan.Int(b[1000]));
  END Sort;

PROCEDURE MakeFile() =
  VAR wr := FileWr.Open(file);
  BEGIN
    Begin();
    FOR i := 1 TO 1000000 DO
      Wr.PutText(wr, "line ");
      Wr.PutText(wr, Fmt.Int(Next()));
      Wr.PutText(wr, " of text\n");
    END;
    End("write-lines", Wr.Index(wr));
    Wr.Close(wr);
  END MakeFile;

PROCEDURE CopyChars() =
  VAR rd := FileRd.Open(file);  wr := FileWr.Open(copied);  n: INTEGER;
  BEGIN
    Begin();
    WHILE NOT Rd.EOF(rd) DO Wr.PutChar(wr, Rd.GetChar(rd)) END;
    n := Wr.Index(wr);
    Rd.Close(rd);
    Wr.Close(wr);
    End("copy-chars", n);
  END CopyChars;

PROCEDURE CopyBlocks() =
  VAR rd: Rd.T;  wr: Wr.T;  n, got: INTEGER;  block: ARRAY [0..4095] OF CHAR;
  BEGIN
    Begin();
    FOR round := 1 TO 3 DO
      rd := FileRd.Open(file);
      wr := FileWr.Open(copied);
      REPEAT
        got := Rd.GetSub(rd, block);
        Wr.PutString(wr, SUBARRAY(block, 0, got));
      UNTIL got < NUMBER(block);
      n := Wr.Index(wr);
      Rd.Close(rd);
      Wr.Close(wr);
    END;
    End("copy-blocks", n);
  END CopyBlocks;

PROCEDURE ReadLines() =
  VAR rd := FileRd.Open(file);  n: INTEGER := 0;
  BEGIN
    Begin();
    WHILE NOT Rd.EOF(rd) DO INC(n, Text.Length(Rd.GetLine(rd))) END;
    Rd.Close(rd);
    End("read-lines", n);
  END ReadLines;

PROCEDURE FormatAndScan() =
  CONST N = 500000;
  VAR ints := NEW(REF ARRAY OF TEXT, N);  reals := NEW(REF ARRAY OF TEXT, N);
      sum: INTEGER := 0;  total := 0.0d0;
  BEGIN
    Begin();
    FOR i := 0 TO N - 1 DO ints[i] := Fmt.Int(Next()); INC(sum, Text.Length(ints[i])) END;
    End("format-integers", sum);
    sum := 0;
    Begin();
    FOR i := 0 TO N - 1 DO
      reals[i] := Fmt.LongReal(FLOAT(Next(), LONGREAL) / 1.0d6, Fmt.Style.Fix, 6);
      INC(sum, Text.Length(reals[i]));
    END;
    End("format-reals", sum);
    sum := 0;
    Begin();
    FOR i := 0 TO N - 1 DO
      reals[i] := Fmt.LongReal(FLOAT(Next() MOD 100000, LONGREAL) + 0.015625d0);
      INC(sum, Text.Length(reals[i]));
    END;
    End("format-shortest", sum);
    sum := 0;
    Begin();
    FOR i := 0 TO N - 1 DO INC(sum, Scan.Int(ints[i])) END;
    End("scan-integers", sum);
    Begin();
    FOR i := 0 TO N - 1 DO total := total + Scan.LongReal(reals[i]) END;
    End("scan-reals", TRUNC(total));
  END FormatAndScan;

BEGIN
  TextAppend();
  TextWriter();
  TextChars();
  TextSearch();
  TextPieces();
  IntTable();
  SmallTable();
  TextTable();
  Sort();
  MakeFile();
  CopyChars();
  CopyBlocks();
  ReadLines();
  FormatAndScan();
END Main.
