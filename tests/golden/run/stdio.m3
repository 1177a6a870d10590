(* golden: run *)
MODULE Main;

IMPORT IO, Rd, Stdio, Thread, Wr, WrClass;

<*FATAL IO.Error, Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted*>

VAR
  name: TEXT;
  sum := 0;

BEGIN
  IO.Put("name? ");
  (* Output is flushed before a reader waits, also if the reading thread holds
     the writer's lock. *)
  WrClass.Lock(Stdio.stdout);
  name := IO.GetLine();
  WrClass.Unlock(Stdio.stdout);
  IO.Put("hello " & name & "\n");
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
