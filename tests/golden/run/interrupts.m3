(* golden: run, with lib/Check *)
(* RTProcess.OnInterrupt: the handler allocates and locks while the program does the same. *)
UNSAFE MODULE Main;

IMPORT Check, Fmt, Params, Process, RTProcess, Text, Thread, Uprocess, Usignal;

<*FATAL ANY*>

VAR
  mu := NEW(MUTEX);
  struck := NEW(Thread.Condition);
  count, enabled, disabled := 0;
  list: REF ARRAY OF TEXT := NIL;

PROCEDURE Handle() =
  BEGIN
    LOCK mu DO
      INC(count);
      list := NEW(REF ARRAY OF TEXT, 100);
      FOR i := 0 TO 99 DO list[i] := Fmt.Int(i * count) END;
      Thread.Broadcast(struck);
    END;
  END Handle;

PROCEDURE Other() =
  BEGIN
    Handle();
  END Other;

PROCEDURE Enable() = BEGIN INC(enabled) END Enable;

PROCEDURE Disable() = BEGIN INC(disabled) END Disable;

PROCEDURE Strike() =
  BEGIN
    Check.Int(Usignal.kill(Uprocess.getpid(), Usignal.SIGINT), 0, "kill");
  END Strike;

PROCEDURE AwaitCount(n: INTEGER) =
  BEGIN
    LOCK mu DO
      WHILE count < n DO Thread.Wait(mu, struck) END;
      Check.Int(count, n, "interrupts");
      Check.Text(list[99], Fmt.Int(99 * n), "what the handler made");
    END;
  END AwaitCount;

(* A child with no handler, with one that is taken back, with one. *)
PROCEDURE Child(how: TEXT) =
  BEGIN
    IF NOT Text.Equal(how, "none") THEN EVAL RTProcess.OnInterrupt(Handle) END;
    IF Text.Equal(how, "back") THEN EVAL RTProcess.OnInterrupt(NIL) END;
    EVAL Usignal.kill(Uprocess.getpid(), Usignal.SIGINT);
    LOCK mu DO WHILE count = 0 DO Thread.Wait(mu, struck) END END;
    Process.Exit(3);
  END Child;

PROCEDURE Try(how: TEXT; status: INTEGER) =
  BEGIN
    Check.Int(Process.Wait(Process.Create("/proc/self/exe", ARRAY OF TEXT{how})), status, how);
  END Try;

BEGIN
  IF Params.Count > 1 THEN Child(Params.Get(1)) END;
  RTProcess.RegisterInterruptSetup(Enable, Disable);
  Check.That(RTProcess.OnInterrupt(Handle) = NIL, "no handler at first");
  Check.That(enabled = 1 AND disabled = 0, "enable");
  FOR i := 1 TO 20 DO
    Strike();
    FOR k := 1 TO 1000 DO EVAL Fmt.Int(k) & "x" END;
    AwaitCount(i);
  END;
  Check.That(RTProcess.OnInterrupt(Other) = Handle, "the previous handler");
  Check.That(enabled = 1, "another handler");
  Strike();
  AwaitCount(21);
  RTProcess.RegisterInterruptSetup(Enable, NIL);
  Check.Int(enabled, 2, "enable at once");
  RTProcess.RegisterInterruptSetup(Enable, Disable);
  Check.That(RTProcess.OnInterrupt(NIL) = Other, "the last handler");
  Check.Int(disabled, 1, "disable");
  Try("none", 128 + Usignal.SIGINT);
  Try("back", 128 + Usignal.SIGINT);
  Try("handler", 3);
  Check.Done();
END Main.
(* expect: all checks hold *)
