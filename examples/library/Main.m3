(* A catalogue of Unicode characters in a database: loaded once from a file, then searched and
   annotated, run after run.

     library DATABASE load FILE         adds the characters of a file
     library DATABASE search WORD ...   the characters with all these words in name or note
     library DATABASE show CODE         everything about one character; CODE is hexadecimal
     library DATABASE note CODE TEXT    sets a character's note; "" removes it
     library DATABASE stats             the size of the catalogue *)
MODULE Main;

IMPORT Catalogue, Database, FileRd, FloatMode, Fmt, IO, Lex, OSError, Params, Process, Rd, RdUtils,
  RefList, Scan, Stdio, Text, Thread, Transaction, Wr;

TYPE
  (* The root of the database. *)
  Library = REF RECORD
    catalogue: Catalogue.T;
    loads, notes: CARDINAL := 0;  (* number of loads and annotations *)
  END;

CONST
  MaxShown = 20;

PROCEDURE Fail(message: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "library: " & message & "\n");
    Process.Exit(1);
  END Fail;

PROCEDURE Usage() =
  BEGIN
    Fail("usage: library DATABASE "
         & "load FILE | search WORD ... | show CODE | note CODE TEXT | stats");
  END Usage;

(* ---- Loading *)

(* The field of line that starts at position at; moves at behind the field's tab. *)
PROCEDURE NextField(line: TEXT; VAR at: CARDINAL): TEXT =
  VAR start := at;  tab := Text.FindChar(line, '\t', at);
  BEGIN
    IF tab < 0 THEN tab := Text.Length(line) END;
    at := tab + 1;
    RETURN Text.Sub(line, start, tab - start);
  END NextField;

(* The entry described by a line: code, category, name, value. *)
PROCEDURE ParseLine(line: TEXT): Catalogue.Entry RAISES {Lex.Error, FloatMode.Trap} =
  VAR entry := NEW(Catalogue.Entry, note := "");  at: CARDINAL := 0;
  BEGIN
    entry.code := Scan.Unsigned(NextField(line, at), 16);
    entry.category := NextField(line, at);
    entry.name := NextField(line, at);
    entry.value := NextField(line, at);
    IF Text.Empty(entry.name) THEN RAISE Lex.Error END;
    RETURN entry;
  END ParseLine;

PROCEDURE Load(library: Library; path: TEXT) =
  <*FATAL Thread.Alerted*>
  VAR rd: Rd.T;  count: CARDINAL := 0;
  BEGIN
    TRY
      rd := FileRd.Open(path);
      TRY
        LOOP
          WITH entry = ParseLine(Rd.GetLine(rd)) DO
            (* A note is kept when its character is loaded again. *)
            WITH old = library.catalogue.find(entry.code) DO
              IF old # NIL THEN entry.note := old.note END;
            END;
            library.catalogue.add(entry);
          END;
          INC(count);
        END;
      FINALLY
        Rd.Close(rd);
      END;
    EXCEPT
    | Rd.EndOfFile =>
    | Lex.Error, FloatMode.Trap =>
      Fail(Fmt.F("%s: line %s is not of the form CODE CATEGORY NAME VALUE", path,
                 Fmt.Int(count + 1)));
    | OSError.E (why) => Fail(RdUtils.FailureText(why));
    | Rd.Failure (why) => Fail(path & ": " & RdUtils.FailureText(why));
    END;
    INC(library.loads);
    IO.Put(Fmt.F("%s characters loaded\n", Fmt.Int(count)));
  END Load;

(* ---- Showing *)

(* The character itself, in UTF-8. *)
PROCEDURE Utf8(code: CARDINAL): TEXT =
  VAR bytes: ARRAY [0..3] OF CHAR;  n: CARDINAL;
  BEGIN
    IF code < 16_80 THEN RETURN Text.FromChar(VAL(code, CHAR)) END;
    IF code < 16_800 THEN n := 2 ELSIF code < 16_10000 THEN n := 3 ELSE n := 4 END;
    FOR i := n - 1 TO 1 BY -1 DO
      bytes[i] := VAL(16_80 + code MOD 16_40, CHAR);
      code := code DIV 16_40;
    END;
    CASE n OF
    | 2 => bytes[0] := VAL(16_C0 + code, CHAR);
    | 3 => bytes[0] := VAL(16_E0 + code, CHAR);
    ELSE bytes[0] := VAL(16_F0 + code, CHAR);
    END;
    RETURN Text.FromChars(SUBARRAY(bytes, 0, n));
  END Utf8;

PROCEDURE Code(e: Catalogue.Entry): TEXT =
  BEGIN
    RETURN Fmt.F("U+%04s", Fmt.Unsigned(e.code));
  END Code;

PROCEDURE ShowLine(e: Catalogue.Entry) =
  BEGIN
    IO.Put(Fmt.F("%-7s %s  %s", Code(e), Utf8(e.code), e.name));
    IF NOT Text.Empty(e.note) THEN IO.Put(" (" & e.note & ")") END;
    IO.Put("\n");
  END ShowLine;

PROCEDURE Show(e: Catalogue.Entry) =
  BEGIN
    ShowLine(e);
    IO.Put("  category " & e.category & "\n");
    IF NOT Text.Empty(e.value) THEN IO.Put("  value " & e.value & "\n") END;
  END Show;

PROCEDURE Search(library: Library; READONLY words: ARRAY OF TEXT) =
  VAR found := library.catalogue.search(words);  count := RefList.Length(found);
  BEGIN
    FOR i := 1 TO MIN(count, MaxShown) DO
      ShowLine(found.head);
      found := found.tail;
    END;
    IF count > MaxShown THEN IO.Put("...\n") END;
    IO.Put(Fmt.F("%s found\n", Fmt.Int(count)));
  END Search;

(* The entry for a code as the user writes it. *)
PROCEDURE Find(library: Library; code: TEXT): Catalogue.Entry =
  VAR entry: Catalogue.Entry := NIL;
  BEGIN
    TRY
      entry := library.catalogue.find(Scan.Unsigned(code, 16));
    EXCEPT
    | Lex.Error, FloatMode.Trap => Fail(code & " is not a hexadecimal number");
    END;
    IF entry = NIL THEN Fail("there is no character " & code) END;
    RETURN entry;
  END Find;

(* ---- Commands *)

PROCEDURE Arguments(from: CARDINAL): REF ARRAY OF TEXT =
  VAR result := NEW(REF ARRAY OF TEXT, Params.Count - from);
  BEGIN
    FOR i := from TO Params.Count - 1 DO result[i - from] := Params.Get(i) END;
    RETURN result;
  END Arguments;

PROCEDURE Execute(library: Library) =
  VAR command := Params.Get(2);
  BEGIN
    IF Text.Equal(command, "load") AND Params.Count = 4 THEN
      Load(library, Params.Get(3));
    ELSIF Text.Equal(command, "search") AND Params.Count > 3 THEN
      Search(library, Arguments(3)^);
    ELSIF Text.Equal(command, "show") AND Params.Count = 4 THEN
      Show(Find(library, Params.Get(3)));
    ELSIF Text.Equal(command, "note") AND Params.Count = 5 THEN
      library.catalogue.setNote(Find(library, Params.Get(3)), Params.Get(4));
      INC(library.notes);
    ELSIF Text.Equal(command, "stats") AND Params.Count = 3 THEN
      IO.Put(Fmt.F("%s characters, %s words, loaded %s times, annotated %s times\n",
                   Fmt.Int(library.catalogue.size()), Fmt.Int(library.catalogue.wordCount()),
                   Fmt.Int(library.loads), Fmt.Int(library.notes)));
    ELSE
      Usage();
    END;
  END Execute;

PROCEDURE Open(name: TEXT): Database.T =
  <*FATAL Database.DatabaseExists, Database.DatabaseNotFound, Database.DatabaseOpen*>
  <*FATAL Transaction.TransactionInProgress*>
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound =>
      Database.Create(name);
      RETURN Database.Open(name);
    END;
  END Open;

PROCEDURE Run() =
  <*FATAL Transaction.TransactionInProgress*>
  VAR db := Open(Params.Get(1));  tr := NEW(Transaction.T);  library: Library;
  BEGIN
    tr.begin();
    library := db.getRoot();
    IF library = NIL THEN
      library := NEW(Library, catalogue := NEW(Catalogue.T).init());
      db.setRoot(library);
    END;
    Execute(library);  (* a Fail during the transaction ends the process, and nothing is
                          committed *)
    tr.commit();
    db.close();
  END Run;

BEGIN
  IF Params.Count < 3 THEN Usage() END;
  TRY
    Run();
  EXCEPT
  | Database.Failure (why) => Fail(why);
  | Database.TypeMismatch (why) => Fail(why);
  END;
END Main.
