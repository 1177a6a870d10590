(* golden: run, -w *)
(* C code that blocks, and a thread that computes for long, keep a kernel thread each; the others go
   on meanwhile. Had they to wait for one of these, the program would not end: the thread in C code
   waits for what the last thread does. (language.md 28) *)
UNSAFE MODULE Main;

IMPORT Ctypes, IO, Thread, Unix, Uuio;

TYPE
  Reader = Thread.Closure OBJECT from: Ctypes.int; to: Ctypes.int OVERRIDES apply := Read END;
  Worker = Thread.Closure OBJECT OVERRIDES apply := Compute END;

VAR
  mutex := NEW(MUTEX);
  changed := NEW(Thread.Condition);
  computed := FALSE;
  stop: INTEGER := 0;

(* Blocks in the system until a byte comes, and passes it on. *)
PROCEDURE Read(self: Reader): REFANY =
  VAR byte: ARRAY [0 .. 0] OF CHAR;
  BEGIN
    EVAL Uuio.read(self.from, ADR(byte), 1);
    EVAL Uuio.write(self.to, ADR(byte), 1);
    RETURN NIL;
  END Read;

(* Waits nowhere. *)
PROCEDURE Compute(<*UNUSED*> self: Worker): REFANY =
  VAR seen: INTEGER;
  BEGIN
    REPEAT LOCK mutex DO seen := stop END UNTIL seen # 0;
    LOCK mutex DO computed := TRUE END;
    Thread.Broadcast(changed);
    RETURN NIL;
  END Compute;

PROCEDURE Pipes() =
  CONST Count = 6;
  VAR
    ends: ARRAY [0 .. Count] OF ARRAY [0 .. 1] OF Ctypes.int;
    readers: ARRAY [0 .. Count - 1] OF Thread.T;
    byte := ARRAY [0 .. 0] OF CHAR{'x'};
  BEGIN
    FOR i := 0 TO Count DO EVAL Unix.pipe(ends[i]) END;
    FOR i := 0 TO Count - 1 DO
      readers[i] := Thread.Fork(NEW(Reader, from := ends[i][0], to := ends[i + 1][1]));
    END;
    Thread.Pause(0.05D0);
    EVAL Uuio.write(ends[0][1], ADR(byte), 1);
    EVAL Uuio.read(ends[Count][0], ADR(byte), 1);
    FOR i := 0 TO Count - 1 DO EVAL Thread.Join(readers[i]) END;
    IO.Put("through all pipes\n");
  END Pipes;

PROCEDURE Busy() =
  VAR threads: ARRAY [0 .. 3] OF Thread.T;
  BEGIN
    FOR i := 0 TO LAST(threads) DO threads[i] := Thread.Fork(NEW(Worker)) END;
    Thread.Pause(0.05D0);
    LOCK mutex DO
      stop := 1;
      WHILE NOT computed DO Thread.Wait(mutex, changed) END;
    END;
    FOR i := 0 TO LAST(threads) DO EVAL Thread.Join(threads[i]) END;
    IO.Put("computed\n");
  END Busy;

BEGIN
  Pipes();
  Busy();
END Main.

(* expect: through all pipes *)
(* expect: computed *)
