(* The common part of the transfer programs: their commands, threads that make transfers for some
   seconds, and lines that report what they did. bench/transfers/cpp/driver.h is the same in C++ and
   says what the commands and the lines are. *)
INTERFACE Driver;

IMPORT Tick, Transaction;

TYPE
  (* What one thread did. *)
  Tally <: PublicTally;
  PublicTally = <*TRANSIENT*> ROOT OBJECT METHODS
    (* A transfer that began then is durable now. *)
    durable(began: Tick.T);
  END;

  (* The way in which a thread ends its transactions. Each thread has its own. *)
  Ender = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Ends the transaction of a transfer that began then, and calls tally.durable, now or later. *)
    end(tr: Transaction.T; began: Tick.T; tally: Tally) RAISES {Transaction.TransactionNotInProgress};

    (* Returns when tally.durable has been called for all. *)
    finish(tally: Tally) RAISES {Transaction.TransactionNotInProgress};
  END;

  NewEnder = PROCEDURE (): Ender;

(* Does what the program's arguments say. *)
PROCEDURE Main(newEnder: NewEnder);

END Driver.
