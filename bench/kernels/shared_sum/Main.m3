(* Four threads add to sums that a mutex guards. Usage: Main N additions by each. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Thread;

<*FATAL ANY*>

CONST Threads = 4;  Batch = 50;

TYPE Adder = Thread.Closure OBJECT first: INTEGER OVERRIDES apply := Add END;

VAR
  additions := Scan.Int(Params.Get(1));
  mutex := NEW(MUTEX);
  sums: ARRAY [0..9] OF INTEGER;
  threads: ARRAY [0..Threads - 1] OF Thread.T;
  total := 0;

PROCEDURE Add(a: Adder): REFANY =
  VAR local := 0;
  BEGIN
    FOR i := 1 TO additions DO
      local := (local * 31 + i + a.first) MOD 65537;
      IF i MOD Batch = 0 THEN
        LOCK mutex DO INC(sums[i DIV Batch MOD 10], local) END;
      END;
    END;
    RETURN NIL;
  END Add;

BEGIN
  FOR i := 0 TO LAST(sums) DO sums[i] := 0 END;
  FOR i := 0 TO Threads - 1 DO threads[i] := Thread.Fork(NEW(Adder, first := i)) END;
  FOR i := 0 TO Threads - 1 DO EVAL Thread.Join(threads[i]) END;
  FOR i := 0 TO LAST(sums) DO INC(total, sums[i]) END;
  IO.Put(Fmt.Int(total) & "\n");
END Main.
