(* The run time's procedures for databases. An INTEGER result of a procedure that acts is a status. *)
UNSAFE INTERFACE RTDatabase;

CONST
  Ok = 0;
  DatabaseExists = 1;
  DatabaseNotFound = 2;
  DatabaseOpen = 3;
  NameInUse = 4;
  NameNotFound = 5;
  Failure = 6;
  TypeMismatch = 7;
  Missing = 8;
  TransactionInProgress = 9;
  TransactionNotInProgress = 10;
  Aborted = 11;
  OutcomeUnknown = 12;
  Alerted = 13;
  ReadOnly = 14;

(* Raises the IMPLICIT exception that belongs to the status, with the run time's message. For another
   status, which the caller should have handled, raises Database.Failure. *)
PROCEDURE Raise(status: INTEGER);

(* The text to this thread's last status other than Ok. *)
<*EXTERNAL "tn_database_message"*> PROCEDURE Message(): TEXT;

<*EXTERNAL "tn_database_create"*> PROCEDURE Create(READONLY name: ARRAY OF CHAR): INTEGER;
<*EXTERNAL "tn_database_open"*>
PROCEDURE Open(READONLY name: ARRAY OF CHAR; VAR handle: ADDRESS): INTEGER;
<*EXTERNAL "tn_database_delete"*> PROCEDURE Delete(READONLY name: ARRAY OF CHAR): INTEGER;
<*EXTERNAL "tn_database_close"*> PROCEDURE Close(handle: ADDRESS): INTEGER;
<*EXTERNAL "tn_database_get_root"*>
PROCEDURE GetRoot(handle: ADDRESS; VAR root: REFANY): INTEGER;
<*EXTERNAL "tn_database_set_root"*> PROCEDURE SetRoot(handle: ADDRESS; root: REFANY): INTEGER;

(* The handle is NIL before the first Begin. *)
<*EXTERNAL "tn_transaction_begin"*> PROCEDURE Begin(VAR handle: ADDRESS): INTEGER;
(* Begin, called from the sleep of a ThreadAlert.Sleeper; also Alerted. *)
<*EXTERNAL "tn_transaction_alert_begin"*>
PROCEDURE AlertBegin(VAR handle: ADDRESS; VAR permit: INTEGER; VAR alerted: BOOLEAN): INTEGER;
<*EXTERNAL "tn_transaction_begin_read_only"*>
PROCEDURE BeginReadOnly(VAR handle: ADDRESS): INTEGER;
<*EXTERNAL "tn_transaction_commit"*> PROCEDURE Commit(VAR handle: ADDRESS): INTEGER;
(* A ticket is the number of a commit; 0: all that the transaction wrote or has seen is durable. *)
<*EXTERNAL "tn_transaction_commit_later"*>
PROCEDURE CommitLater(VAR handle: ADDRESS; VAR ticket: INTEGER): INTEGER;
<*EXTERNAL "tn_ticket_wait"*> PROCEDURE WaitFor(ticket: INTEGER): INTEGER;
<*EXTERNAL "tn_ticket_is_durable"*> PROCEDURE IsDurable(ticket: INTEGER): BOOLEAN;
<*EXTERNAL "tn_transaction_chain"*> PROCEDURE Chain(VAR handle: ADDRESS): INTEGER;
<*EXTERNAL "tn_transaction_checkpoint"*>
PROCEDURE Checkpoint(VAR handle: ADDRESS): INTEGER;
<*EXTERNAL "tn_transaction_abort"*> PROCEDURE Abort(VAR handle: ADDRESS): INTEGER;
<*EXTERNAL "tn_transaction_is_open"*> PROCEDURE IsOpen(handle: ADDRESS): BOOLEAN;
<*EXTERNAL "tn_transaction_lock"*>
PROCEDURE Lock(handle: ADDRESS; object: REFANY; write: BOOLEAN): INTEGER;
<*EXTERNAL "tn_transaction_join"*> PROCEDURE Join(handle: ADDRESS): INTEGER;

(* How many transactions are open in the one that the calling thread works in, children included. *)
<*EXTERNAL "tn_transaction_depth"*> PROCEDURE Depth(): INTEGER;

(* A counter of this process: the position in DatabaseStatistics.Kind says which. *)
<*EXTERNAL "tn_database_statistic"*> PROCEDURE Statistic(which: INTEGER): INTEGER;

(* See DatabaseStatistics. Turn returns where the transaction began, and by whom. *)
<*EXTERNAL "tn_database_turn"*>
PROCEDURE Turn(VAR thread: INTEGER; VAR since: LONGREAL; VAR waiting: INTEGER): TEXT;
<*EXTERNAL "tn_database_commit_report"*> PROCEDURE CommitReport(): TEXT;
<*EXTERNAL "tn_database_report_commits"*> PROCEDURE ReportCommits(on: BOOLEAN);

END RTDatabase.
