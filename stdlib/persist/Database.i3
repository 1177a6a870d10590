(* Databases: sets of objects that outlive the program. An object is in a database if the database's
   root reaches the object, by references that are not transient, at some commit.

   A database lies in a store, which is a directory. The parameter `name` is the store's path, which
   means the database called main, or `path:database`. A process can have about 500 databases open at
   a time; each takes four open files (ulimit -n).

   Example:

       MODULE Main;
       IMPORT Database, Fmt, IO, Transaction;
       TYPE Counter = REF RECORD n := 0 END;
       VAR db: Database.T;  tr := NEW(Transaction.T);  counter := NEW(Counter);
       <*FATAL ANY*>
       BEGIN
         Database.Create("example");
         db := Database.Open("example");
         tr.begin();
         db.setRoot(counter);
         INC(counter.n);
         tr.commit();
         db.close();
         db := Database.Open("example");
         tr.begin();
         counter := db.getRoot();
         IO.Put(Fmt.Int(counter.n) & "\n");
         tr.commit();
       END Main.

   It prints

       1
*)
INTERFACE Database;

IMPORT Transaction;

EXCEPTION
  DatabaseExists;
  DatabaseNotFound;
  DatabaseOpen;  (* the database is open in this process *)
  NameInUse;
  NameNotFound;

<*IMPLICIT*> EXCEPTION
  (* Never raised: using a database that was closed raises Failure. Declared for programs written for
     PM3 that handle it. *)
  Closed;

  (* The text says what has failed: damage, input or output, no space, a database that is closed, a
     store held by another process, ... *)
  Failure(TEXT);

  (* The program's type has another layout than the stored one; the text shows both. *)
  TypeMismatch(TEXT);

  (* A touched reference leads to another database, and the database or the object is not there. *)
  Missing(TEXT);

TYPE
  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* The root, NIL in a new database. *)
    getRoot(): REFANY RAISES {Transaction.TransactionNotInProgress};

    (* Makes object the root. What it reaches becomes persistent at the next commit. *)
    setRoot(object: REFANY) RAISES {Transaction.TransactionNotInProgress};

    (* Named roots. A named object is persistent, like the root. A name may be given to NIL. *)
    bind(name: TEXT; object: REFANY) RAISES {NameInUse, Transaction.TransactionNotInProgress};
    unbind(name: TEXT) RAISES {NameNotFound, Transaction.TransactionNotInProgress};
    lookup(name: TEXT): REFANY RAISES {NameNotFound, Transaction.TransactionNotInProgress};

    (* Ends the use of the database in this process. A touch of its objects raises Failure, except of
       those that this program has made and no collection has moved yet to where they are stored:
       these are ordinary objects of the heap again. *)
    close() RAISES {Transaction.TransactionInProgress};
  END;

(* Makes an empty database, and the store if there is none. *)
PROCEDURE Create(name: TEXT) RAISES {DatabaseExists, Transaction.TransactionInProgress};

(* Opens a database. *)
PROCEDURE Open(name: TEXT): T
  RAISES {DatabaseNotFound, DatabaseOpen, Transaction.TransactionInProgress};

(* Opens a database, and makes it first if it does not exist: what most programs begin with. Of programs that do so at the
   same time one makes it. *)
PROCEDURE OpenOrCreate(name: TEXT): T RAISES {DatabaseOpen, Transaction.TransactionInProgress};

(* Deletes a database with all its objects. *)
PROCEDURE Delete(name: TEXT)
  RAISES {DatabaseNotFound, DatabaseOpen, Transaction.TransactionInProgress};

(* Does nothing: a commit is durable when it returns, and a Transaction.Ticket says when the commit of
   commitLater is. Declared for programs written for PM3, whose commits could wait for a checkpoint. *)
PROCEDURE Checkpoint();

END Database.
