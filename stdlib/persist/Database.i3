(* Databases: sets of objects that outlive the program. An object is in a database when its root
   reaches it, by references that are not transient, at some commit.

   A database lies in a store, a directory. `name` is the store's path, and then the database is
   called main, or it is path:database. A process can have some 500 databases open at a time, if the
   system gives it so many files (ulimit -n): each takes four. *)
INTERFACE Database;

IMPORT Transaction;

EXCEPTION
  DatabaseExists;
  DatabaseNotFound;
  DatabaseOpen;  (* it is open in this process *)
  NameInUse;
  NameNotFound;

<*IMPLICIT*> EXCEPTION
  (* Never raised: whatever uses a database that was closed raises Failure. For programs written for
     PM3, which handle it. *)
  Closed;

  (* Damage, input or output, no space, closed, held by another process, ... *)
  Failure(TEXT);

  (* The program's type is not laid out as the stored one. *)
  TypeMismatch(TEXT);

  (* A reference to another database, or to something in it, that is not there. *)
  Missing(TEXT);

TYPE
  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* The root, NIL in a new database. *)
    getRoot(): REFANY RAISES {Transaction.TransactionNotInProgress};

    (* Makes object the root. What it reaches becomes persistent at the next commit. *)
    setRoot(object: REFANY) RAISES {Transaction.TransactionNotInProgress};

    (* Named roots: what has a name is persistent as what the root is. A name may be given to NIL. *)
    bind(name: TEXT; object: REFANY) RAISES {NameInUse, Transaction.TransactionNotInProgress};
    unbind(name: TEXT) RAISES {NameNotFound, Transaction.TransactionNotInProgress};
    lookup(name: TEXT): REFANY RAISES {NameNotFound, Transaction.TransactionNotInProgress};

    (* Ends the use of the database in this process. Its objects can no longer be touched; those that
       this program has made, and no collection has moved since to where they are stored, are
       objects of the heap again instead. *)
    close() RAISES {Transaction.TransactionInProgress};
  END;

(* Makes an empty database, and the store if it does not exist. *)
PROCEDURE Create(name: TEXT) RAISES {DatabaseExists, Transaction.TransactionInProgress};

PROCEDURE Open(name: TEXT): T
  RAISES {DatabaseNotFound, DatabaseOpen, Transaction.TransactionInProgress};

PROCEDURE Delete(name: TEXT)
  RAISES {DatabaseNotFound, DatabaseOpen, Transaction.TransactionInProgress};

(* Every commit is durable when it returns, so there is nothing to do; for programs written for PM3,
   whose commits could wait for this. *)
PROCEDURE Checkpoint();

END Database.
