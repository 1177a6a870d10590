(* golden: run, -w *)
(* A dereference of NIL in a TRY body reaches the handlers with the variables of the body. *)
MODULE Main;

IMPORT IO, RuntimeError;

TYPE List = REF RECORD value: INTEGER; next: List END;

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

(* Runs over the end of the list. *)
PROCEDURE Sum(list: List; steps: INTEGER): INTEGER =
  VAR sum := 0;  count := 0;
  BEGIN
    TRY
      FOR i := 1 TO steps DO
        sum := sum + list.value;
        list := list.next;
        INC(count);
      END;
    EXCEPT
      RuntimeError.E(e) =>
      IF e = RuntimeError.T.BadMemoryReference THEN RETURN sum * 100 + count END;
    END;
    RETURN sum;
  END Sum;

PROCEDURE Cleanup(list: List; VAR log: INTEGER) =
  VAR level := 1;
  BEGIN
    TRY
      level := 2;
      TRY
        level := 3;
        list.value := 1;
        level := 4;
      FINALLY
        log := log * 10 + level;
      END;
    FINALLY
      log := log * 10 + level;
    END;
  END Cleanup;

VAR list: List;  log := 0;

BEGIN
  FOR i := 1 TO 5 DO list := NEW(List, value := i, next := list) END;
  Int(Sum(list, 5)); Int(Sum(list, 6)); Int(Sum(NIL, 1)); IO.Put(".\n");
  TRY Cleanup(NIL, log) EXCEPT RuntimeError.E => Int(log) END; IO.Put(".\n");
  (* One handler in a loop: no state is left over from one iteration to the next. *)
  FOR i := 1 TO 10000 DO
    TRY list := NIL; list.value := i EXCEPT RuntimeError.E => INC(log) END;
  END;
  Int(log); IO.Put(".\n");
END Main.
(* expect: 15 1505 0 . *)
(* expect: 33 . *)
(* expect: 10033 . *)
