(* golden: run *)
(* Formatter: breaks, objects, tables. *)
MODULE Main;

IMPORT Fmt, Formatter, IO, RuntimeError, Stdio, Text, TextWr, Wr;

<*FATAL Wr.Failure*>

VAR
  t: Formatter.T;

PROCEDURE Title(text: TEXT) =
  BEGIN
    IO.Put("-- " & text & "\n");
  END Title;

PROCEDURE Words(n: CARDINAL; type := Formatter.BreakType.OptimalBreak) =
  BEGIN
    FOR i := 1 TO n DO
      Formatter.PutText(t, "word" & Fmt.Int(i));
      IF i < n THEN Formatter.PutText(t, ", "); Formatter.Break(t, 0, type) END;
    END;
  END Words;

PROCEDURE Call(name: TEXT; n: CARDINAL; united := FALSE) =
  BEGIN
    Formatter.Begin(t, 2);
    Formatter.PutText(t, name & "(");
    Formatter.Begin(t);
    FOR i := 1 TO n DO
      IF i > 1 THEN
        Formatter.PutText(t, ", ");
        IF united THEN Formatter.UnitedBreak(t) ELSE Formatter.Break(t) END;
      END;
      Formatter.PutText(t, "argument" & Fmt.Int(i));
    END;
    Formatter.End(t);
    Formatter.PutText(t, ");");
    Formatter.End(t);
    Formatter.NewLine(t);
  END Call;

PROCEDURE Entry(text: TEXT) =
  BEGIN
    Formatter.Group(t);
    Formatter.PutText(t, text);
    Formatter.End(t);
  END Entry;

PROCEDURE Table(n: CARDINAL; pred: Formatter.AlignPred := NIL; tryOneLine := TRUE) =
  BEGIN
    Formatter.PutText(t, "VAR ");
    Formatter.Align(t, 2, tryOneLine, alignPred := pred);
    FOR i := 1 TO n DO
      Formatter.Group(t);
      Entry(Text.Sub("abcdefghij", 0, 2 * i));
      Entry(": INTEGER;");
      Entry(" -- " & Fmt.Int(i));
      Formatter.End(t);
    END;
    Formatter.NoAlign(t);
    Formatter.PutText(t, "-- not aligned");
    Formatter.End(t);
    Formatter.End(t);
    Formatter.NewLine(t);
  END Table;

TYPE
  Short = Formatter.AlignPred OBJECT OVERRIDES pred := IsShort END;

PROCEDURE IsShort(<*UNUSED*> p: Short; column, maxWidth, width: CARDINAL): BOOLEAN =
  BEGIN
    RETURN column # 0 OR width < maxWidth;
  END IsShort;

PROCEDURE Errors() =
  VAR f := Formatter.New(TextWr.New());
  BEGIN
    TRY
      Formatter.End(f);
    EXCEPT
    | RuntimeError.E => IO.Put("no object is open\n");
    END;
    Formatter.Close(f);
    Formatter.Close(f);
    TRY
      Formatter.PutText(f, "x");
    EXCEPT
    | RuntimeError.E => IO.Put("closed\n");
    END;
  END Errors;

BEGIN
  t := Formatter.New(Stdio.stdout, 40);
  IF Formatter.UnderlyingWr(t) # Stdio.stdout THEN IO.Put("UnderlyingWr\n") END;

  Title("breaks");
  Words(3);
  Formatter.NewLine(t);
  Words(12);
  Formatter.NewLine(t);
  Formatter.Flush(t);
  Words(8, Formatter.BreakType.NonOptimal);
  Formatter.NewLine(t);
  Formatter.NewLine(t);
  Formatter.NewLine(t, 3, FALSE);
  Formatter.PutText(t, "after an empty line   ");
  Formatter.NewLine(t);
  Formatter.Flush(t);

  Title("objects");
  Call("Short", 2);
  Call("Procedure", 5);
  Call("Procedure", 5, TRUE);
  Formatter.Flush(t);
  Formatter.Begin(t, 2, 20);
  Words(6);
  Formatter.End(t);
  Formatter.NewLine(t);
  Formatter.Flush(t);

  Title("partial breaks");
  FOR n := 3 TO 8 BY 5 DO
    Formatter.Begin(t, 2);
    Words(n);
    Formatter.PartialBreak(t);
    Formatter.PutText(t, ".");
    Formatter.End(t);
    Formatter.NewLine(t);
  END;
  Formatter.Flush(t);

  Title("columns");
  Formatter.Begin(t, 4);
  Formatter.PutText(t, "a");
  Formatter.Col(t, 10);
  Formatter.PutText(t, "at 10");
  Formatter.Col(t, 5, FALSE, 2);
  Formatter.PutText(t, "two further");
  Formatter.NewLine(t);
  Formatter.Col(t, 3, TRUE);
  Formatter.PutText(t, "at 7");
  Formatter.End(t);
  Formatter.PutText(t, "\nlines\n\nin a text");
  Formatter.PutText(t, "raw\n", TRUE);
  Formatter.PutChar(t, 'c');
  Formatter.PutChar(t, '\n');
  Formatter.Flush(t);

  Title("tables");
  Table(1);
  Table(4);
  Table(3, NEW(Short));
  Table(1, NIL, FALSE);
  Formatter.Flush(t);

  Title("an open object");
  Formatter.Begin(t, 2);
  Formatter.PutText(t, "begun");
  Formatter.Flush(t);
  Formatter.NewLine(t);
  Formatter.PutText(t, "continued");
  Formatter.NewLine(t);
  Formatter.Close(t);
  IO.Put("\n");
  Errors();
END Main.
(* expect: -- breaks *)
(* expect: word1, word2, word3 *)
(* expect: word1, word2, word3, word4, word5, *)
(* expect: word6, word7, word8, word9, word10, *)
(* expect: word11, word12 *)
(* expect: word1, word2, word3, word4, word5, *)
(* expect: word6, word7, word8 *)
(* expect: *)
(* expect:    after an empty line *)
(* expect: -- objects *)
(* expect: Short(argument1, argument2); *)
(* expect: Procedure(argument1, argument2, *)
(* expect:           argument3, argument4, *)
(* expect:           argument5); *)
(* expect: Procedure(argument1, *)
(* expect:           argument2, *)
(* expect:           argument3, *)
(* expect:           argument4, *)
(* expect:           argument5); *)
(* expect: word1, word2, *)
(* expect:   word3, word4, *)
(* expect:   word5, word6 *)
(* expect: -- partial breaks *)
(* expect: word1, word2, word3. *)
(* expect: word1, word2, word3, word4, word5, *)
(* expect:   word6, word7, word8 *)
(* expect:   . *)
(* expect: -- columns *)
(* expect: a         at 10  two further *)
(* expect:        at 7 *)
(* expect: lines *)
(* expect: *)
(* expect: in a textraw *)
(* expect: c *)
(* expect: -- tables *)
(* expect: VAR ab: INTEGER; -- 1-- not aligned *)
(* expect: VAR ab      : INTEGER; -- 1 *)
(* expect:     abcd    : INTEGER; -- 2 *)
(* expect:     abcdef  : INTEGER; -- 3 *)
(* expect:     abcdefgh: INTEGER; -- 4 *)
(* expect:     -- not aligned *)
(* expect: VAR ab    : INTEGER; -- 1 *)
(* expect:     abcd  : INTEGER; -- 2 *)
(* expect:     abcdef: INTEGER; -- 3 *)
(* expect:     -- not aligned *)
(* expect: VAR ab: INTEGER; -- 1 *)
(* expect:     -- not aligned *)
(* expect: -- an open object *)
(* expect: begun *)
(* expect:        continued *)
(* expect: *)
(* expect: no object is open *)
(* expect: closed *)
