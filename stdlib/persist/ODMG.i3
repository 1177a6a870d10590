(* Databases by the names of their objects, in the style of the ODMG standard. The names are the
   named roots of Database, so programs that use either interface see the same ones. *)
INTERFACE ODMG;

IMPORT Database, Transaction;

EXCEPTION
  ObjectNameNotFound;
  ObjectNameNotUnique;

(* Makes an empty database. *)
CONST Create = Database.Create;

TYPE
  (* An open database. *)
  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Ends the use of the database in this process. A second time, or any other method after it,
       raises Database.Failure. *)
    close() RAISES {Transaction.TransactionInProgress};

    (* Gives object the name, which must not be in use; what object reaches becomes persistent at the
       next commit. *)
    bind(object: REFANY; name: TEXT)
      RAISES {ObjectNameNotUnique, Transaction.TransactionNotInProgress};

    (* Takes the name away and returns the object that had it. *)
    unbind(name: TEXT): REFANY
      RAISES {ObjectNameNotFound, Transaction.TransactionNotInProgress};

    (* The object with this name. *)
    lookup(lookup: TEXT): REFANY
      RAISES {ObjectNameNotFound, Transaction.TransactionNotInProgress};
  END;

(* Opens a database that exists. *)
PROCEDURE Open(database_name: TEXT): T
  RAISES {Database.DatabaseNotFound, Database.DatabaseOpen, Transaction.TransactionInProgress};

END ODMG.
