(* Transfers whose threads go on while earlier commits are not durable yet: each thread has as many
   commits on their way as its window has places. *)
MODULE Main;

IMPORT Database, Driver, Tick, Transaction;

CONST
  Window = 256;

TYPE
  Waiting = RECORD ticket: Transaction.Ticket; began: Tick.T END;

  Ender = Driver.Ender OBJECT
    waiting: ARRAY [0 .. Window - 1] OF Waiting;  (* a ring *)
    first, count := 0;
  METHODS
    takeFirst(tally: Driver.Tally) := TakeFirst;
  OVERRIDES
    end := End;
    finish := Finish;
  END;

(* Waits for the oldest commit. *)
PROCEDURE TakeFirst(e: Ender; tally: Driver.Tally) =
  BEGIN
    WITH oldest = e.waiting[e.first] DO
      TRY
        oldest.ticket.wait();
      EXCEPT
      (* To the caller Aborted would mean that its present transaction was undone. *)
      | Transaction.Aborted => RAISE Database.Failure("a commit on its way did not become durable");
      END;
      tally.durable(oldest.began);
      oldest.ticket := NIL;
    END;
    e.first := (e.first + 1) MOD Window;
    DEC(e.count);
  END TakeFirst;

PROCEDURE End(e: Ender; tr: Transaction.T; began: Tick.T; tally: Driver.Tally)
  RAISES {Transaction.TransactionNotInProgress} =
  VAR ticket := tr.commitLater();
  BEGIN
    IF e.count = Window THEN TakeFirst(e, tally) END;
    WITH place = e.waiting[(e.first + e.count) MOD Window] DO
      place.ticket := ticket;
      place.began := began;
    END;
    INC(e.count);
    WHILE e.count > 0 AND e.waiting[e.first].ticket.isDurable() DO TakeFirst(e, tally) END;
  END End;

PROCEDURE Finish(e: Ender; tally: Driver.Tally) =
  BEGIN
    WHILE e.count > 0 DO TakeFirst(e, tally) END;
  END Finish;

PROCEDURE New(): Driver.Ender =
  BEGIN
    RETURN NEW(Ender);
  END New;

BEGIN
  Driver.Main(New);
END Main.
