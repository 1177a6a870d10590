(* Raises an exception ten calls deep and handles it. Usage: Main N, the number of times. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan;

<*FATAL ANY*>

EXCEPTION Deep(INTEGER);

VAR depth := 0;

PROCEDURE Down(n: INTEGER): INTEGER RAISES {Deep} =
  BEGIN
    INC(depth);
    IF n = 0 THEN RAISE Deep(depth) END;
    RETURN Down(n - 1) + depth MOD 3;
  END Down;

VAR sum := 0;
BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO
    TRY INC(sum, Down(10)) EXCEPT Deep (d) => INC(sum, d MOD 7) END;
  END;
  IO.Put(Fmt.Int(sum) & "\n");
END Main.
