(* golden: run *)
(* Counts words of the input by ParseParams, Lex and tables whose keys are the program's own. *)
MODULE Main;

IMPORT Fmt, Lex, ParseParams, Process, Rd, SortedTextIntTbl, Stdio, Text, TextIntTbl, Thread, Wr;
IMPORT PlacePlaceTbl, SortedPlacePlaceTbl, Place;

<*FATAL Rd.Failure, Wr.Failure, Thread.Alerted*>

CONST
  Letters = SET OF CHAR{'a'..'z', 'A'..'Z'};
  Others = SET OF CHAR{'\000'..'\377'} - Letters;

VAR
  least := 1;
  reverse := FALSE;
  table := NEW(TextIntTbl.Default).init();
  out := Stdio.stdout;

PROCEDURE Parameters() =
  BEGIN
    WITH pp = NEW(ParseParams.T).init(Stdio.stderr) DO
      TRY
        IF pp.keywordPresent("-min") THEN least := pp.getNextInt(1, 100) END;
        reverse := pp.keywordPresent("-r") OR pp.keywordPresent("-reverse");
        pp.skipParsed();
        WHILE pp.next <= LAST(pp.parsed^) DO
          Wr.PutText(out, "argument " & pp.getNext() & "\n");
        END;
        pp.finish();
      EXCEPT
      | ParseParams.Error => Process.Exit(2);
      END;
    END;
  END Parameters;

PROCEDURE Count() =
  VAR word: TEXT;  n: INTEGER;
  BEGIN
    LOOP
      Lex.Skip(Stdio.stdin, Others);
      IF Rd.EOF(Stdio.stdin) THEN EXIT END;
      word := Lex.Scan(Stdio.stdin, Letters);
      n := 0;
      EVAL table.get(word, n);
      EVAL table.put(word, n + 1);
    END;
  END Count;

PROCEDURE Print() =
  VAR sorted := NEW(SortedTextIntTbl.Default).init();  it := table.iterate();
      word: TEXT;  n: INTEGER;
  BEGIN
    WHILE it.next(word, n) DO IF n >= least THEN EVAL sorted.put(word, n) END END;
    WITH it = sorted.iterateOrdered(NOT reverse) DO
      WHILE it.next(word, n) DO
        Wr.PutText(out, Fmt.F("%-6s%4s\n", word, Fmt.Int(n)));
      END;
    END;
  END Print;

PROCEDURE Places() =
  VAR t := NEW(PlacePlaceTbl.Default).init(4);  s := NEW(SortedPlacePlaceTbl.Default).init();
      p, q: Place.T;  found := 0;
  BEGIN
    FOR x := -20 TO 20 DO
      FOR y := -20 TO 20 DO
        EVAL t.put(Place.T{x, y}, Place.T{y, x});
        EVAL s.put(Place.T{x, y}, Place.T{y, x});
      END;
    END;
    FOR x := -20 TO 20 BY 2 DO EVAL t.delete(Place.T{x, x}, q) END;
    FOR x := -20 TO 20 DO
      IF t.get(Place.T{x, x}, q) THEN INC(found) END;
      IF NOT t.get(Place.T{x, 5}, q) OR q # Place.T{5, x} THEN <*ASSERT x = 5*> END;
    END;
    Wr.PutText(out, Fmt.F("%s %s %s\n", Fmt.Int(t.size()), Fmt.Int(found), Fmt.Int(s.size())));
    WITH it = s.iterateOrdered() DO
      it.seek(Place.T{3, 19});
      FOR i := 1 TO 4 DO
        IF it.next(p, q) THEN
          Wr.PutText(out, Fmt.FN("(%s,%s)", ARRAY OF TEXT{Fmt.Int(p.x), Fmt.Int(p.y)}));
        END;
      END;
    END;
    Wr.PutText(out, "\n");
  END Places;

BEGIN
  Parameters();
  Count();
  Print();
  Places();
  <*ASSERT Text.Equal(TextIntTbl.Brand, TextIntTbl.Brand)*>
END Main.
(* unit: Place.i3 *)
INTERFACE Place;
IMPORT Word;
CONST Brand = "Place";
TYPE T = RECORD x, y: INTEGER END;
PROCEDURE Equal(READONLY a, b: T): BOOLEAN;
PROCEDURE Hash(READONLY a: T): Word.T;
PROCEDURE Compare(READONLY a, b: T): [-1..1];
END Place.
(* unit: Place.m3 *)
MODULE Place;
IMPORT Integer, Word;
PROCEDURE Equal(READONLY a, b: T): BOOLEAN = BEGIN RETURN a = b END Equal;
PROCEDURE Hash(READONLY a: T): Word.T =
  BEGIN
    RETURN Word.Xor(a.x, Word.Rotate(a.y, 7));
  END Hash;
PROCEDURE Compare(READONLY a, b: T): [-1..1] =
  BEGIN
    IF a.x # b.x THEN RETURN Integer.Compare(a.x, b.x) END;
    RETURN Integer.Compare(a.y, b.y);
  END Compare;
BEGIN
END Place.
(* unit: PlacePlaceTbl.i3 *)
INTERFACE PlacePlaceTbl = Table(Place, Place) END PlacePlaceTbl.
(* unit: PlacePlaceTbl.m3 *)
MODULE PlacePlaceTbl = Table(Place, Place) END PlacePlaceTbl.
(* unit: SortedPlacePlaceTbl.i3 *)
INTERFACE SortedPlacePlaceTbl = SortedTable(Place, PlacePlaceTbl) END SortedPlacePlaceTbl.
(* unit: SortedPlacePlaceTbl.m3 *)
MODULE SortedPlacePlaceTbl = SortedTable(Place, Place, PlacePlaceTbl) END SortedPlacePlaceTbl.
(* args: -min 2 -r first second *)
(* stdin: the cat and the dog and the end *)
(* stdin: (of) it; The End, cat. *)
(* expect: argument first *)
(* expect: argument second *)
(* expect: the      3 *)
(* expect: cat      2 *)
(* expect: and      2 *)
(* expect: 1660 20 1681 *)
(* expect: (3,19)(3,20)(4,-20)(4,-19) *)
