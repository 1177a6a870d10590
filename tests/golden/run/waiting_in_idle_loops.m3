(* golden: run *)
(* A loop that only tests a variable sees the changes of another thread. *)
MODULE Main;

IMPORT IO, Thread;

TYPE
  Setter = Thread.Closure OBJECT OVERRIDES apply := Set END;

VAR
  done: BOOLEAN;
  cell := NEW(REF BOOLEAN);
  thread: Thread.T;

PROCEDURE Set(<*UNUSED*> self: Setter): REFANY =
  BEGIN
    Thread.Pause(0.05D0);
    done := TRUE;
    cell^ := TRUE;
    RETURN NIL;
  END Set;

PROCEDURE Begin() =
  BEGIN
    done := FALSE;
    cell^ := FALSE;
    thread := Thread.Fork(NEW(Setter));
  END Begin;

PROCEDURE End(what: TEXT) =
  BEGIN
    EVAL Thread.Join(thread);
    IO.Put(what & "\n");
  END End;

BEGIN
  Begin();
  WHILE NOT done DO END;
  End("WHILE");
  Begin();
  REPEAT UNTIL done;
  End("REPEAT");
  Begin();
  LOOP IF cell^ THEN EXIT END END;
  End("LOOP");
END Main.
(* expect: WHILE *)
(* expect: REPEAT *)
(* expect: LOOP *)
