(* Reads the blank-separated words of a file with Lex. Usage: Main N FILE, which is read N times. *)
MODULE Main;

IMPORT FileRd, Fmt, IO, Lex, Params, Rd, Scan, Text;

<*FATAL ANY*>

VAR words, length, sum: INTEGER := 0;  rd: Rd.T;  word: TEXT;
BEGIN
  FOR round := 1 TO Scan.Int(Params.Get(1)) DO
    rd := FileRd.Open(Params.Get(2));
    LOOP
      Lex.Skip(rd);
      IF Rd.EOF(rd) THEN EXIT END;
      word := Lex.Scan(rd);
      INC(words);
      INC(length, Text.Length(word));
      INC(sum, ORD(Text.GetChar(word, 0)));
    END;
    Rd.Close(rd);
  END;
  IO.Put(Fmt.Int(words) & " " & Fmt.Int(length) & " " & Fmt.Int(sum) & "\n");
END Main.
