(* The database of a golden test, in the directory in which the test runs. *)
INTERFACE Store;

IMPORT Database;

(* The database, made if it does not exist. *)
PROCEDURE Open(): Database.T;

END Store.
