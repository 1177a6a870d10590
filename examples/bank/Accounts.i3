(* Accounts in a database that several programs use at the same time. *)
INTERFACE Accounts;

IMPORT Database;

EXCEPTION
  Refused(TEXT);  (* no money, or no such account; nothing has changed *)

(* Opens the database; makes it if there is none. *)
PROCEDURE Open(name: TEXT): Database.T;

(* Each of these is one transaction, which is repeated after a conflict with another program. *)
PROCEDURE Deposit(db: Database.T; account: TEXT; amount: INTEGER) RAISES {Refused};
PROCEDURE Transfer(db: Database.T; from, to: TEXT; amount: INTEGER) RAISES {Refused};
PROCEDURE Balance(db: Database.T; account: TEXT): INTEGER RAISES {Refused};

(* The sum of all accounts, and their number. *)
PROCEDURE Total(db: Database.T; VAR count: CARDINAL): INTEGER;

(* How often this program has repeated a transaction. *)
PROCEDURE Repeated(): CARDINAL;

END Accounts.
