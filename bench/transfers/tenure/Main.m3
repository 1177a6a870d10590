(* Transfers whose threads wait until each commit is durable. *)
MODULE Main;

IMPORT Driver, Tick, Transaction;

TYPE
  Ender = Driver.Ender OBJECT
  OVERRIDES
    end := End;
    finish := Finish;
  END;

PROCEDURE End(<*UNUSED*> e: Ender; tr: Transaction.T; began: Tick.T; tally: Driver.Tally)
  RAISES {Transaction.TransactionNotInProgress} =
  BEGIN
    tr.commit();
    tally.durable(began);
  END End;

PROCEDURE Finish(<*UNUSED*> e: Ender; <*UNUSED*> tally: Driver.Tally) =
  BEGIN
    (* end has waited for each commit. *)
  END Finish;

PROCEDURE New(): Driver.Ender =
  BEGIN
    RETURN NEW(Ender);
  END New;

BEGIN
  Driver.Main(New);
END Main.
