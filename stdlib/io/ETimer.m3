MODULE ETimer;

IMPORT Fmt, Text, TextRep, Thread, Time, Wr;

REVEAL
  T = BRANDED "ETimer.T" REF RECORD
    label: TEXT;
    elapsed := 0.0d0;
    next: T := NIL;
  END;

TYPE
  Stack = REF RECORD
    timer: T;
    below: Stack;
  END;

VAR
  mu := NEW(MUTEX);  (* protects the variables below and the timers *)
  first, last: T := NIL;
  top: Stack := NIL;
  enabled := FALSE;
  since := 0.0d0;  (* when the timer on top began to run, or was last charged *)

(* Charges the elapsed time to the timer on top. *)
PROCEDURE Charge() =
  VAR now := Time.Now();
  BEGIN
    IF enabled AND top # NIL THEN
      top.timer.elapsed := top.timer.elapsed + (now - since);
    END;
    since := now;
  END Charge;

(* The timers outlive a database in which the caller's text may lie. *)
PROCEDURE Own(label: TEXT): TEXT =
  BEGIN
    RETURN TextRep.Copy(label, 0, Text.Length(label));
  END Own;

PROCEDURE New(lab: TEXT): T =
  VAR t := NEW(T, label := Own(lab));
  BEGIN
    LOCK mu DO
      IF first = NIL THEN first := t ELSE last.next := t END;
      last := t;
    END;
    RETURN t;
  END New;

PROCEDURE Relabel(t: T; lab: TEXT) =
  BEGIN
    LOCK mu DO t.label := Own(lab) END;
  END Relabel;

PROCEDURE Push(t: T) =
  BEGIN
    LOCK mu DO
      Charge();
      top := NEW(Stack, timer := t, below := top);
    END;
  END Push;

PROCEDURE Pop() =
  BEGIN
    LOCK mu DO
      Charge();
      IF top # NIL THEN top := top.below END;
    END;
  END Pop;

PROCEDURE Append(t: T; duration: LONGREAL) =
  BEGIN
    LOCK mu DO t.elapsed := t.elapsed + duration END;
  END Append;

PROCEDURE Dump(wr: Wr.T) =
  VAR t: T;
  BEGIN
    LOCK mu DO
      Charge();
      t := first;
    END;
    TRY
      WHILE t # NIL DO
        IF t.elapsed # 0.0d0 THEN
          Wr.PutText(wr, Fmt.F("%10s  %s\n", Fmt.LongReal(t.elapsed, Fmt.Style.Fix, 3), t.label));
        END;
        t := t.next;
      END;
      Wr.Flush(wr);
    EXCEPT
    | Wr.Failure, Thread.Alerted =>
    END;
  END Dump;

PROCEDURE Elapsed(t: T): LONGREAL =
  BEGIN
    LOCK mu DO
      Charge();
      RETURN t.elapsed;
    END;
  END Elapsed;

PROCEDURE TotalElapsed(): LONGREAL =
  VAR sum := 0.0d0;  t: T;
  BEGIN
    LOCK mu DO
      Charge();
      t := first;
      WHILE t # NIL DO
        sum := sum + t.elapsed;
        t := t.next;
      END;
    END;
    RETURN sum;
  END TotalElapsed;

PROCEDURE Next(prev: T): T =
  BEGIN
    LOCK mu DO
      IF prev = NIL THEN RETURN first ELSE RETURN prev.next END;
    END;
  END Next;

PROCEDURE Enable() =
  BEGIN
    LOCK mu DO
      Charge();
      enabled := TRUE;
    END;
  END Enable;

PROCEDURE Reset(t: T) =
  BEGIN
    LOCK mu DO
      Charge();
      t.elapsed := 0.0d0;
    END;
  END Reset;

PROCEDURE ResetAll() =
  VAR t: T;
  BEGIN
    LOCK mu DO
      Charge();
      t := first;
      WHILE t # NIL DO
        t.elapsed := 0.0d0;
        t := t.next;
      END;
    END;
  END ResetAll;

BEGIN
END ETimer.
