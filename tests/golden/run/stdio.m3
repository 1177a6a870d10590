(* golden: run *)
MODULE Main;

IMPORT IO, Rd, Stdio, Thread, Wr;

<*FATAL IO.Error, Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted*>

VAR
  sum := 0;

BEGIN
  IO.Put("name? ");
  IO.Put("hello " & IO.GetLine() & "\n");
  FOR i := 1 TO 3 DO INC(sum, IO.GetInt()) END;
  IO.PutInt(sum);
  IO.PutChar('\n');
  EVAL IO.GetLine();
  WHILE NOT IO.EOF() DO
    Wr.PutText(Stdio.stdout, Rd.GetLine(Stdio.stdin));
    Wr.PutChar(Stdio.stdout, '|');
  END;
  Wr.PutText(Stdio.stderr, "to stderr\n");
END Main.
(* stdin: world *)
(* stdin: 1 20 *)
(* stdin:   -4 *)
(* stdin: a *)
(* stdin: *)
(* stdin: b *)
(* expect: name? hello world *)
(* expect: 17 *)
(* expect: a||b| *)
(* expect-stderr: to stderr *)
