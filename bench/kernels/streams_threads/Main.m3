(* Characters through readers and writers while a second thread waits. Usage: Main N FILE. *)
MODULE Main;

IMPORT FileRd, Fmt, IO, Params, Rd, Scan, Text, TextWr, Thread, Wr;

<*FATAL ANY*>

VAR mutex := NEW(MUTEX);  done := FALSE;  condition := NEW(Thread.Condition);

PROCEDURE Idle(<*UNUSED*> c: Thread.Closure): REFANY =
  BEGIN
    LOCK mutex DO WHILE NOT done DO Thread.Wait(mutex, condition) END END;
    RETURN NIL;
  END Idle;

VAR
  thread := Thread.Fork(NEW(Thread.Closure, apply := Idle));
  length, letters := 0;
  rd: Rd.T;
  wr: TextWr.T;
  ch: CHAR;
BEGIN
  FOR round := 1 TO Scan.Int(Params.Get(1)) DO
    rd := FileRd.Open(Params.Get(2));
    wr := TextWr.New();
    WHILE NOT Rd.EOF(rd) DO
      ch := Rd.GetChar(rd);
      IF ch IN SET OF CHAR{'a'..'z'} THEN INC(letters); Wr.PutChar(wr, ch) END;
    END;
    INC(length, Text.Length(TextWr.ToText(wr)));
    Rd.Close(rd);
  END;
  LOCK mutex DO done := TRUE END;
  Thread.Signal(condition);
  EVAL Thread.Join(thread);
  IO.Put(Fmt.Int(letters) & " " & Fmt.Int(length) & "\n");
END Main.
