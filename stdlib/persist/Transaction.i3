(* Transactions: what a program does to persistent objects between begin and commit becomes durable
   as a whole, or not at all. No call says which objects are read or written.

   A process has one top-level transaction at a time. The thread that began it works in it, and so do
   the threads that such a thread forks while it is open, and those that join it. What these begin on
   another T is a child of the innermost one. Begin, and Run, in any other thread wait for their turn:
   until the top-level transaction has ended, and those that came earlier have had theirs. So a thread
   of a transaction must not wait for another thread that begins one, unless it has forked that thread
   inside the transaction, or that thread has joined it. After 10 s of waiting for one transaction that
   is said once on the standard error: which thread began it, when and where.

   A thread should end what it has begun. When the last thread that works in the top-level transaction
   has ended, another thread can still end that, through its T, or join it; if that is not done within a
   second, Begin, and Run, of those that wait for their turn raise Database.Failure, which says who
   began it, when and where.

   What a child does becomes durable only with the top-level commit, and its
   abort undoes what it did and no more. Ending a transaction, or making a checkpoint of it, aborts
   its open children first. Reading a persistent object outside a transaction shows the state that
   was committed last if its page is still there, else, and often in a store that several programs
   share (tenure serve), it raises TransactionNotInProgress. Writing one raises that, too; but an
   object that this program has made, and no collection has moved since to where it is stored, may
   lie on a page with others that are not persistent, and after a write to one of these it can be
   written: the next begin undoes that. Objects that are not persistent keep what a transaction stored in them, also when it is aborted. An object
   becomes persistent at a top-level commit or checkpoint; but the abort of a child also undoes what
   it did to objects that the parent has made since, and that the roots of the databases reach when
   the child begins. Those that only variables lead to then are not persistent. To begin a child
   copies what the parent has made and reached so, or compares it with the copies that an earlier
   child needed: a checkpoint of the parent before many children saves that. *)
INTERFACE Transaction;

EXCEPTION
  TransactionInProgress;

<*IMPLICIT*> EXCEPTION
  TransactionNotInProgress;

  (* The transaction has been undone already: somebody else needed what it had, or its commit could
     not be carried out. It may be tried again. *)
  Aborted;

  (* Nobody can say now whether the commit took place; the database is closed in this process. *)
  OutcomeUnknown(TEXT);

TYPE
  LockMode = {READ, WRITE};

  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    begin() RAISES {TransactionInProgress};

    (* Makes everything durable that the roots of the databases reach, and ends the transaction. That of
       a child leaves what it did to its parent. *)
    commit() RAISES {TransactionNotInProgress};

    (* The same, and begins again. *)
    chain() RAISES {TransactionNotInProgress};

    (* Makes everything durable and leaves the transaction open; a later abort comes back to
       here. *)
    checkpoint() RAISES {TransactionNotInProgress};

    (* Undoes what was done to persistent objects since begin, or since the last checkpoint, and
       ends the transaction. *)
    abort() RAISES {TransactionNotInProgress};

    isOpen(): BOOLEAN;

    (* Gets the right to read or write the object now. This is never necessary. *)
    lock(object: REFANY; mode: LockMode) RAISES {TransactionNotInProgress};

    (* Makes the calling thread work inside this transaction until that ends: what it begins then is a
       child. *)
    join() RAISES {TransactionInProgress, TransactionNotInProgress};
  END;

  Closure = OBJECT METHODS apply() RAISES ANY END;

(* begin, c.apply(), commit; all again when the transaction was aborted, also when apply has handled
   Aborted itself. Any other exception from apply aborts the transaction and goes on to the caller.
   In a thread that works in a transaction it runs a child; then Aborted goes on to the caller, whose transaction has been
   aborted with it. *)
PROCEDURE Run(c: Closure) RAISES ANY;

END Transaction.
