(* golden: run, with lib/Check *)
(* Each way to end a program, in a child: the exit status, the output on standard error, whether
   the exitors run. *)
UNSAFE MODULE Main;

IMPORT Check, Cstdlib, FS, File, FileRd, IO, M3toC, Params, Pipe, Process, RTError, RTIO, RTProcess, Rd,
  Stdio, Text, TextExtras, Unix, Wr;

<*FATAL ANY*>

PROCEDURE Exitor() =
  BEGIN
    RTIO.PutText("exitor\n");
    RTIO.Flush();
  END Exitor;

PROCEDURE AtExit() =
  BEGIN
    RTIO.PutText("atexit\n");
    RTIO.Flush();
  END AtExit;

PROCEDURE End(how: TEXT) =
  BEGIN
    RTProcess.RegisterExitor(Exitor);
    IF Text.Equal(how, "Process.Crash") THEN Process.Crash("crashing");
    ELSIF Text.Equal(how, "RTProcess.Crash") THEN RTProcess.Crash("crashing too");
    ELSIF Text.Equal(how, "MsgS") THEN RTError.MsgS(M3toC.CopyTtoS("F.m3"), 12, "a", "b", "c");
    ELSIF Text.Equal(how, "MsgI") THEN RTError.MsgI("G.m3", 13, "number ", -5);
    ELSIF Text.Equal(how, "MsgPC") THEN RTError.MsgPC(16_1234, "at ", "code");
    ELSIF Text.Equal(how, "Cstdlib.exit") THEN
      EVAL Cstdlib.atexit(AtExit);
      Cstdlib.exit(5);
    ELSIF Text.Equal(how, "Unix.exit") THEN Unix.exit(6);
    ELSIF Text.Equal(how, "_exit") THEN Unix.underscore_exit(7);
    ELSIF Text.Equal(how, "abort") THEN Cstdlib.abort();
    ELSIF Text.Equal(how, "success") THEN
      Wr.PutText(Stdio.stdout, "buffered");
      Process.Exit(0);
    ELSIF Text.Equal(how, "normal") THEN
      IO.Put("buffered ");
      Check.Int(Cstdlib.atexit(AtExit), 0, "atexit");
      RETURN;
    END;
    Process.Exit(99);
  END End;

PROCEDURE Try(how: TEXT; status: Process.ExitCode; a, b: TEXT; exitors := TRUE) =
  VAR r, w: Pipe.T;  p: Process.T;  output: TEXT;
  BEGIN
    Pipe.Open(r, w);
    p := Process.Create("/proc/self/exe", ARRAY OF TEXT{how}, NIL, NIL, NIL, w, w);
    w.close();
    output := Rd.GetText(NEW(FileRd.T).init(r), LAST(CARDINAL));
    Check.Int(Process.Wait(p), status, how);
    Check.That(Contains(output, a) AND Contains(output, b), how & " prints: " & output);
    Check.That(Contains(output, "exitor") = exitors, how & ", exitors: " & output);
  END Try;

(* The status and the message of a program whose standard output cannot be written at the end. *)
PROCEDURE LoseOutput(stdout: File.T; VAR said: TEXT): Process.ExitCode =
  VAR r, w: Pipe.T;  p: Process.T;
  BEGIN
    Pipe.Open(r, w);
    p := Process.Create("/proc/self/exe", ARRAY OF TEXT{"success"}, NIL, NIL, NIL, stdout, w);
    w.close();
    said := Rd.GetText(NEW(FileRd.T).init(r), LAST(CARDINAL));
    RETURN Process.Wait(p);
  END LoseOutput;

PROCEDURE LostOutput() =
  VAR r, w: Pipe.T;  said: TEXT;
  BEGIN
    Check.Int(LoseOutput(FS.OpenFile("/dev/full", truncate := FALSE), said), 1, "a full disk");
    Check.That(Contains(said, "*** cannot write the standard output: No space left on device\n"),
               "it is said: " & said);
    Check.That(Contains(said, "exitor"), "the exitors run");
    Pipe.Open(r, w);
    r.close();
    Check.Int(LoseOutput(w, said), 128 + 13, "a pipe that nobody reads: SIGPIPE");
    Check.That(NOT Contains(said, "***"), "nothing is said: " & said);
    w.close();
  END LostOutput;

PROCEDURE Contains(t, part: TEXT): BOOLEAN =
  VAR at: CARDINAL := 0;
  BEGIN
    RETURN TextExtras.FindSub(t, part, at);
  END Contains;

BEGIN
  IF Params.Count > 1 THEN End(Params.Get(1)); Process.Exit(8) END;
  Try("Process.Crash", 4, "crashing", "");
  Try("RTProcess.Crash", 4, "crashing too", "");
  Try("MsgS", 4, "abc", "F.m3:12");
  Try("MsgI", 4, "number -5", "G.m3:13");
  Try("MsgPC", 4, "at code", "1234");
  Try("Cstdlib.exit", 5, "atexit", "");
  Try("Unix.exit", 6, "", "");
  Try("_exit", 7, "", "", FALSE);
  Try("normal", 8, "atexit", "buffered");
  Try("abort", 128 + 6, "", "", FALSE);
  LostOutput();
  Check.Done();
END Main.
(* expect: all checks hold *)
