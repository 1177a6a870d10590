(* Ways to read and to commit that a library may have; commit_storm.py chooses the implementation. *)
INTERFACE Ways;

IMPORT Transaction;

(* Whether Commit returns before the commit is durable. *)
PROCEDURE CommitsLater(): BOOLEAN;

(* The ticket, for Wait. *)
PROCEDURE Commit(t: Transaction.T): REFANY;

(* Returns when the commit is durable; raises what commit raises. *)
PROCEDURE Wait(ticket: REFANY);

(* Transaction.Run for a closure that only reads. *)
PROCEDURE Read(c: Transaction.Closure) RAISES ANY;

END Ways.
