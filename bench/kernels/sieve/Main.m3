(* The sieve of Eratosthenes, again and again. Usage: Main N, the number of times. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan;

<*FATAL ANY*>

PROCEDURE Primes(n: CARDINAL): INTEGER =
  VAR composite := NEW(REF ARRAY OF BOOLEAN, n + 1);  found := 0;  j: CARDINAL;
  BEGIN
    FOR i := 2 TO n DO
      IF NOT composite[i] THEN
        INC(found);
        j := i + i;
        WHILE j <= n DO composite[j] := TRUE; INC(j, i) END;
      END;
    END;
    RETURN found;
  END Primes;

VAR found := 0;
BEGIN
  FOR round := 1 TO Scan.Int(Params.Get(1)) DO INC(found, Primes(300000 + round)) END;
  IO.Put(Fmt.Int(found) & "\n");
END Main.
