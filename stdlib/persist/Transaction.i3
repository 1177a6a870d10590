(* Transactions: what a program does to persistent objects between begin and commit becomes durable
   as a whole, or not at all. No call says which objects are read or written.

   THREADS. A process has one top-level transaction at a time. These threads work in it: the one that
   began it, those that such a thread forks while it is open, and those that join it. A transaction
   that one of them begins, on another T, is a child of the innermost open one.

   In any other thread begin and Run wait for their turn: until the top-level transaction has ended
   and threads that came earlier have had theirs. So a thread of a transaction must not wait for
   another thread that begins one, unless that thread works in the transaction, too. A thread that
   has waited 10 s for one transaction says so once on the standard error: which thread began the
   transaction, when and where.

   A thread should end what it has begun. If the last thread that works in the top-level transaction
   ends before the transaction does, another thread can still end the transaction, through its T, or
   join it. If none does so within a second, begin and Run of the waiting threads raise
   Database.Failure, which says who began the transaction, when and where.

   CHILDREN. Only the top-level commit makes what a child did durable. The abort of a child undoes
   what the child did and no more. Ending a transaction, or making a checkpoint of it, first aborts
   its open children.

   WHAT BECOMES PERSISTENT. An object becomes persistent at a top-level commit or checkpoint. The
   abort of a child also undoes what the child did to objects that the parent has made since, if the roots
   of the databases reach them when the child begins. To do so a child's begin copies these objects,
   or compares them with the copies of an earlier child: a checkpoint of the parent before many
   children saves that work. An object that only variables reach is not persistent.

   OUTSIDE A TRANSACTION. Reading a persistent object shows the state that was committed last, if the
   object's page is still in memory; otherwise, and often in a store that several programs share
   (tenure serve), reading raises TransactionNotInProgress. Writing a persistent object raises
   TransactionNotInProgress, with one exception: an object that this program has made, and that no
   collection has moved yet to where it is stored, may lie on a page with objects that are not
   persistent; after a write to one of these, writing the persistent object raises nothing, and the
   next begin undoes the write.

   Objects that are not persistent keep what a transaction stored in them, also when it is aborted. *)
INTERFACE Transaction;

EXCEPTION
  TransactionInProgress;

<*IMPLICIT*> EXCEPTION
  TransactionNotInProgress;

  (* The transaction has been undone already: another program or transaction needed a page that it
     had, or its commit could not be carried out. The program may try again. *)
  Aborted;

  (* No store can say whether the commit took place. The databases are closed in this process. *)
  OutcomeUnknown(TEXT);

TYPE
  LockMode = {READ, WRITE};

  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Opens the transaction. TransactionInProgress: this T is open already. *)
    begin() RAISES {TransactionInProgress};

    (* Makes everything durable that the roots of the databases reach, and ends the transaction. The
       commit of a child hands what the child did to its parent. *)
    commit() RAISES {TransactionNotInProgress};

    (* commit, then begin, without letting another transaction of this process in between. *)
    chain() RAISES {TransactionNotInProgress};

    (* Makes everything durable and leaves the transaction open; a later abort restores the state of
       this moment. *)
    checkpoint() RAISES {TransactionNotInProgress};

    (* Undoes what was done to persistent objects since begin, or since the last checkpoint, and
       ends the transaction. *)
    abort() RAISES {TransactionNotInProgress};

    (* Whether begin has been called on this T, and its end has not come yet. *)
    isOpen(): BOOLEAN;

    (* Gets the permission to read or write the object's page now instead of at the first access.
       Never necessary. *)
    lock(object: REFANY; mode: LockMode) RAISES {TransactionNotInProgress};

    (* Makes the calling thread work inside this transaction until the transaction ends; what the
       thread begins meanwhile is a child. *)
    join() RAISES {TransactionInProgress, TransactionNotInProgress};
  END;

  Closure = OBJECT METHODS apply() RAISES ANY END;

(* begin, c.apply(), commit. Does all of it again when the transaction was aborted, also when apply
   has handled Aborted itself. Any other exception from apply aborts the transaction and goes on to the
   caller. In a thread that works in a transaction, Run makes a child; Aborted then goes on to the
   caller, whose transaction has been aborted with the child. *)
PROCEDURE Run(c: Closure) RAISES ANY;

END Transaction.
