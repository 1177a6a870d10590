MODULE TableGen EXPORTS Main;

(* Reads productions `Left -> Symbol ... ;` and writes an interface with their symbols. *)

IMPORT FileRd, FileWr, Fmt, IntSet, IntSetDef, Lex, OSError, Params, Process, Rd, Text, TextIntTbl,
       TextSeq, Thread, Wr;

<* FATAL Thread.Alerted *>

TYPE
  Production = REF RECORD left: TEXT; right: REF ARRAY OF TEXT; next: Production END;

CONST
  Blank = SET OF CHAR {' ', '\t', '\r', '\n'};
  NonBlank = SET OF CHAR {FIRST(CHAR) .. LAST(CHAR)} - Blank;

VAR
  productions: Production := NIL;
  count := 0;
  names := NEW(TextSeq.T).init();
  index := NEW(TextIntTbl.Default).init();

PROCEDURE Number (name: TEXT): INTEGER =
  VAR i: INTEGER;
  BEGIN
    IF index.get(name, i) THEN RETURN i END;
    i := names.size();
    names.addhi(name);
    EVAL index.put(name, i);
    RETURN i
  END Number;

PROCEDURE Parse (rd: Rd.T) RAISES {Rd.Failure, Lex.Error} =
  VAR p: Production;  words: TextSeq.T;  word: TEXT;
  BEGIN
    LOOP
      Lex.Skip(rd, Blank);
      IF Rd.EOF(rd) THEN EXIT END;
      p := NEW(Production, left := Lex.Scan(rd, NonBlank), next := productions);
      productions := p;
      INC(count);
      Lex.Skip(rd, Blank);
      Lex.Match(rd, "->");
      words := NEW(TextSeq.T).init();
      LOOP
        Lex.Skip(rd, Blank);
        word := Lex.Scan(rd, NonBlank);
        IF Text.Equal(word, ";") OR Text.Empty(word) THEN EXIT END;
        words.addhi(word)
      END;
      EVAL Number(p.left);
      p.right := NEW(REF ARRAY OF TEXT, words.size());
      FOR i := FIRST(p.right^) TO LAST(p.right^) DO
        WITH symbol = p.right[i] DO symbol := words.get(i); EVAL Number(symbol) END
      END
    END
  END Parse;

PROCEDURE Emit (wr: Wr.T; name: TEXT) RAISES {Wr.Failure} =
  VAR p := productions;  nonterminals: IntSet.T := NEW(IntSetDef.T).init();
  BEGIN
    Wr.PutText(wr, "INTERFACE " & name & ";\nTYPE Symbol = {");
    FOR i := 0 TO names.size() - 1 DO
      IF i # 0 THEN Wr.PutText(wr, ", ") END;
      Wr.PutText(wr, names.get(i))
    END;
    Wr.PutText(wr, "};\nCONST Left = ARRAY OF Symbol {");
    WHILE p # NIL DO
      EVAL nonterminals.insert(Number(p.left));
      Wr.PutText(wr, "Symbol." & p.left);
      p := p.next;
      IF p # NIL THEN Wr.PutText(wr, ", ") END
    END;
    Wr.PutText(wr, "};\nCONST NonTerminals = " & Fmt.Int(nonterminals.size()) & ";\n");
    Wr.PutText(wr, "END " & name & ".\n")
  END Emit;

VAR rd: Rd.T;  wr: Wr.T;
BEGIN
  TRY
    rd := FileRd.Open(Params.Get(1));
    Parse(rd);
    Rd.Close(rd);
    wr := FileWr.Open(Params.Get(2));
    Emit(wr, Params.Get(3));
    Wr.Close(wr)
  EXCEPT
  | OSError.E, Rd.Failure, Wr.Failure => Process.Crash("tablegen: a file is not to be had")
  | Lex.Error => Process.Crash("tablegen: a production needs ->")
  END
END TableGen.
