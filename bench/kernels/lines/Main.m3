(* Copies the lines of a file to another, numbered. Usage: Main N FILE, which is copied N times. *)
MODULE Main;

IMPORT FileRd, FileWr, Fmt, IO, Params, Rd, Scan, Text, Wr;

<*FATAL ANY*>

VAR lines, length := 0;  rd: Rd.T;  wr: Wr.T;  line: TEXT;
BEGIN
  FOR round := 1 TO Scan.Int(Params.Get(1)) DO
    rd := FileRd.Open(Params.Get(2));
    wr := FileWr.Open("/dev/null");
    WHILE NOT Rd.EOF(rd) DO
      line := Rd.GetLine(rd);
      INC(lines);
      INC(length, Text.Length(line));
      Wr.PutText(wr, line);
      Wr.PutChar(wr, '\n');
    END;
    Rd.Close(rd);
    Wr.Close(wr);
  END;
  IO.Put(Fmt.Int(lines) & " " & Fmt.Int(length) & "\n");
END Main.
