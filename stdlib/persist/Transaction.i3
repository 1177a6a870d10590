(* Transactions: what a program does to persistent objects between begin and commit becomes durable
   as a whole, or not at all. No call says which objects are read or written.

   THREADS. A process has one top-level transaction at a time, or any number that only read (below).
   These threads work in a transaction: the one that began it, those that such a thread forks while
   it is open, and those that join it. A transaction that one of them begins, on another T, is a
   child of the innermost open one. Threads that work in one transaction are not isolated from each
   other.

   In any other thread begin and Run wait for their turn: until the top-level transaction has ended
   and threads that came earlier have had theirs. (Where many threads have short transactions, one
   that begins its next transaction at once may go before them, for a tenth of a millisecond.) So a
   thread of a transaction must not wait for another thread that begins one, unless that thread
   works in the transaction, too. A thread that has waited 10 s for one transaction says so once on
   the standard error: which thread began the transaction, when and where.

   A thread should end what it has begun. If the last thread that works in the top-level transaction
   ends before the transaction does, another thread can still end the transaction, through its T, or
   join it. If none does so within a second, begin and Run of the waiting threads raise
   Database.Failure, which says who began the transaction, when and where.

   The wait for a turn ends only with the turn: use alertBegin or AlertRun for a wait that
   Thread.Alert ends. A thread that waits, for its turn or for the disk, counts as stopped:
   collections do not wait for it.

   COMMITS IN GROUPS. A commit first gets its place among the commits of the process; then the next
   transaction begins, while the thread of the commit waits until the commit is durable: one sync of
   the disk serves all commits that wait. The next transaction sees what is not durable yet, but its
   commit does not return before that is durable, too. If the disk then fails, the store is opened
   anew and asked. A commit that took place returns; another one raises Aborted, or OutcomeUnknown if
   nobody can tell. If any commit did not take place, the objects in memory are ahead of the store:
   the open transaction is rolled back, its thread gets Aborted, and the databases are closed in this
   process; using one raises Database.Failure, which says why. An alert does not end the wait of a
   commit, which cannot be taken back.

   READ-ONLY TRANSACTIONS. beginReadOnly and RunReadOnly begin a transaction in which a write to a
   persistent object, also to a TRANSIENT field of one, and Database.T.setRoot raise ReadOnly. The
   object keeps its value, and the transaction stays open. Top-level read-only transactions of
   several threads are open at the same time, and none together with one that writes: each sees one
   state of the databases. They take turns with transactions that write: a thread that would begin a
   read-only one waits behind a thread that has come earlier and waits to write. In a store that
   several programs share it also waits while another program waits for a page that the open
   read-only transactions may have used.

   The children of a read-only transaction are read-only. In a transaction that writes beginReadOnly
   begins a child in which writes raise ReadOnly.

   A write may go unseen at first: to an object that this program has made and no collection has
   moved yet to where it is stored, if the object lies on a page with objects that are not
   persistent, and one of these has been written since. The next read-only transaction that ends
   finds and undoes such a write. If no other one is open, its commit, chain, checkpoint or abort
   raises ReadOnly, and it has ended. If others are open, any of them may have written: all of them are
   aborted, and the next ones are open alone, for a second at most, so that ReadOnly is raised in the
   one that writes.

   If one read-only transaction is aborted, because another program needs a page, all that are open
   are aborted. Each raises Aborted once: at its commit, chain or checkpoint, or when it touches a
   page that is not in memory. Until then it sees the state that it has begun with, and no top-level
   transaction begins. In a store that several programs share, chain of a read-only transaction may
   let transactions of other threads in between.

   CHILDREN. Only the top-level commit makes what a child did durable. The abort of a child undoes
   what the child did and no more. Ending a transaction, or making a checkpoint of it, first aborts
   its open children.

   WHAT BECOMES PERSISTENT. An object becomes persistent at a top-level commit or checkpoint. The
   abort of a child also undoes what the child did to objects that the parent has made since, if the roots
   of the databases reach them when the child begins. To do so a child's begin copies these objects,
   or compares them with the copies of an earlier child: a checkpoint of the parent before many
   children saves that work. An object that only variables reach is not persistent.

   OUTSIDE A TRANSACTION. A thread that works in no transaction should begin one before it touches
   a persistent object. If it does not: reading a persistent object raises TransactionNotInProgress
   if the object's page is not in memory, and often in a store that several programs share (tenure
   serve). Else it shows the state that was committed last or, while a transaction of other threads
   is open, what these have written so far. Writing raises TransactionNotInProgress, with two
   exceptions. On a page that the open transaction of another thread has written to, the write raises
   nothing and becomes part of that transaction. And an object that this program has made, and that
   no collection has moved yet to where it is stored, may lie on a page with objects that are not
   persistent; after a write to one of these, writing the persistent object raises nothing. The write
   becomes part of a transaction that writes and is open; a read-only one takes it for its own; if none
   is open, the next begin undoes it. Database.T.getRoot and setRoot raise TransactionNotInProgress.

   Objects that are not persistent keep what a transaction stored in them, also when it is aborted.

   Example:

       MODULE Main;
       IMPORT Database, Fmt, IO, Transaction;
       TYPE
         Counter = REF RECORD n := 0 END;
         Add = Transaction.Closure OBJECT counter: Counter OVERRIDES apply := Apply END;
       VAR db: Database.T;  counter := NEW(Counter);
       PROCEDURE Apply(self: Add) =
         BEGIN
           db.setRoot(self.counter);
           INC(self.counter.n);
         END Apply;
       <*FATAL ANY*>
       BEGIN
         Database.Create("example");
         db := Database.Open("example");
         Transaction.Run(NEW(Add, counter := counter));
         Transaction.Run(NEW(Add, counter := counter));
         IO.Put(Fmt.Int(counter.n) & "\n");
       END Main.

   It prints

       2
*)
INTERFACE Transaction;

IMPORT Thread;

EXCEPTION
  TransactionInProgress;

<*IMPLICIT*> EXCEPTION
  TransactionNotInProgress;

  (* The transaction has been undone already: another program or transaction needed a page that it
     had, or its commit could not be carried out. The program may try again. *)
  Aborted;

  (* A persistent object has been written in a read-only transaction. Nothing of it stays. *)
  ReadOnly;

  (* No store can say whether the commit took place: none answers, or it has forgotten, since the
     program was away. The databases are closed in this process. *)
  OutcomeUnknown(TEXT);

TYPE
  LockMode = {READ, WRITE};

  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Opens the transaction. TransactionInProgress: this T is open already. *)
    begin() RAISES {TransactionInProgress};

    (* begin; while the thread waits for its turn, Thread.Alert ends the wait, and nothing has
       begun. *)
    alertBegin() RAISES {TransactionInProgress, Thread.Alerted};

    (* Opens the transaction for reading only. TransactionInProgress: this T is open already. *)
    beginReadOnly() RAISES {TransactionInProgress};

    (* Makes everything durable that the roots of the databases reach, and ends the transaction. The
       commit of a child hands what the child did to its parent. A commit that changes nothing
       returns when all that the transaction may have seen is durable. *)
    commit() RAISES {TransactionNotInProgress};

    (* commit without the wait for the disk: the commit has its place among the commits when this
       returns, and all transactions that begin afterwards see it; the ticket tells when it is
       durable. The ticket of a child has nothing to wait for. *)
    commitLater(): Ticket RAISES {TransactionNotInProgress};

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

  (* A commit on its way to the disk. A thread may have any number of them. Tickets need not be waited
     for: the commits become durable in the order in which they were made, soon and without help,
     and at the latest when a database is closed or the program ends. Any thread may use a ticket. *)
  Ticket <: PublicTicket;
  PublicTicket = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Returns when the commit is durable. Raises what commit would have raised. *)
    wait();

    (* Whether the commit is durable; does not wait. *)
    isDurable(): BOOLEAN;
  END;

  Closure = OBJECT METHODS apply() RAISES ANY END;

(* Waits for each of the tickets that is not NIL; if waiting for some of them raises, raises that of
   the first. *)
PROCEDURE WaitAll(READONLY tickets: ARRAY OF Ticket);

(* begin, c.apply(), commit. Does all of it again when the transaction was aborted, also when apply
   has handled Aborted itself. Any other exception from apply aborts the transaction and goes on to the
   caller. In a thread that works in a transaction, Run makes a child; Aborted then goes on to the
   caller, whose transaction has been aborted with the child. *)
PROCEDURE Run(c: Closure) RAISES ANY;

(* Run with alertBegin: raises Thread.Alerted if the thread is alerted while it waits for its turn. *)
PROCEDURE AlertRun(c: Closure) RAISES ANY;

(* The same with beginReadOnly. *)
PROCEDURE RunReadOnly(c: Closure) RAISES ANY;

END Transaction.
