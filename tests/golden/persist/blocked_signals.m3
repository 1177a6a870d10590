(* golden: persist, with lib/Store, lib/Check *)
(* A thread in which C code has blocked all signals still reads and writes pages of databases, gets
   run-time errors as exceptions, and stops for collections of other threads. *)
(* unit: Masks.i3 *)
UNSAFE INTERFACE Masks;
TYPE
  Set = ARRAY [0..15] OF INTEGER;
  Int = [-16_80000000 .. 16_7fffffff];
<*EXTERNAL sigfillset*> PROCEDURE Fill(VAR set: Set): Int;
<*EXTERNAL pthread_sigmask*> PROCEDURE OfThread(how: Int; VAR set, old: Set): Int;
<*EXTERNAL sigprocmask*> PROCEDURE OfProcess(how: Int; VAR set, old: Set): Int;
END Masks.
(* unit: Main.m3 *)
UNSAFE MODULE Main;

IMPORT Check, Database, Masks, RTCollector, RuntimeError, Store, Thread, Transaction;

<*FATAL ANY*>

CONST SetMask = 2;

TYPE
  Cell = REF RECORD number: INTEGER; next: Cell; filler: ARRAY [0..499] OF INTEGER END;
  Spinner = Thread.Closure OBJECT OVERRIDES apply := Spin END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  ready, done := FALSE;
  none: Cell := NIL;
  zero := 0;
  mu := NEW(MUTEX);

PROCEDURE Block() =
  VAR all, old, now: Masks.Set;
  BEGIN
    EVAL Masks.Fill(all);
    Check.Int(Masks.OfThread(SetMask, all, old), 0, "pthread_sigmask");
    Check.Int(Masks.OfProcess(SetMask, all, now), 0, "sigprocmask");
    (* All others are blocked: signal 2 is the interrupt from the keyboard. *)
    Check.Int(now[0] DIV 2 MOD 2, 1, "SIGINT is blocked");
  END Block;

PROCEDURE Sum(): INTEGER =
  VAR sum := 0;  cell: Cell;
  BEGIN
    tr.begin();
    cell := db.getRoot();
    WHILE cell # NIL DO INC(sum, cell.number); cell := cell.next END;
    tr.commit();
    RETURN sum;
  END Sum;

PROCEDURE Errors() =
  VAR raised := 0;
  BEGIN
    TRY INC(none.number) EXCEPT RuntimeError.E => INC(raised) END;
    TRY zero := 7 DIV zero EXCEPT RuntimeError.E => INC(raised) END;
    Check.Int(raised, 2, "run-time errors");
  END Errors;

PROCEDURE Spin(<*UNUSED*> s: Spinner): REFANY =
  VAR n := 0;  over := FALSE;
  BEGIN
    Block();
    LOCK mu DO ready := TRUE END;
    REPEAT
      FOR i := 1 TO 100000 DO INC(n, i MOD 7) END;
      LOCK mu DO over := done END;
    UNTIL over;
    Errors();
    RETURN NIL;
  END Spin;

PROCEDURE Make() =
  VAR first: Cell := NIL;
  BEGIN
    tr.begin();
    FOR i := 1 TO 100 DO first := NEW(Cell, number := i, next := first) END;
    db.setRoot(first);
    tr.commit();
  END Make;

PROCEDURE Change() =
  VAR cell: Cell;
  BEGIN
    tr.begin();
    cell := db.getRoot();
    WHILE cell # NIL DO INC(cell.number); cell := cell.next END;
    tr.commit();
  END Change;

VAR spinner: Thread.T;
BEGIN
  Make();
  db.close();
  db := Store.Open();
  Block();
  Check.Int(Sum(), 5050, "read");
  Change();
  Check.Int(Sum(), 5150, "written");
  Errors();
  spinner := Thread.Fork(NEW(Spinner));
  LOOP
    LOCK mu DO IF ready THEN EXIT END END;
    Thread.Pause(0.001d0);
  END;
  FOR i := 1 TO 3 DO RTCollector.Collect() END;
  LOCK mu DO done := TRUE END;
  EVAL Thread.Join(spinner);
  Check.Done();
END Main.
(* expect: all checks hold *)
