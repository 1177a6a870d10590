MODULE Accounts;

IMPORT Database, TextRefTbl, Transaction;

<*FATAL Database.DatabaseExists, Database.DatabaseNotFound, Database.DatabaseOpen*>
<*FATAL Transaction.TransactionInProgress*>

TYPE
  Account = REF RECORD
    balance: INTEGER := 0;
  END;

  (* The work of one transaction. The number of calls shows how often it was repeated, so a
     task changes nothing but persistent objects and its own results. *)
  Task = Transaction.Closure OBJECT
      db: Database.T;
      calls: CARDINAL := 0;
    METHODS
      do(accounts: TextRefTbl.T) RAISES {Refused};
    OVERRIDES
      apply := Apply;
    END;

VAR
  repeated: CARDINAL := 0;

PROCEDURE Open(name: TEXT): Database.T =
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound =>
      Database.Create(name);
      RETURN Database.Open(name);
    END;
  END Open;

PROCEDURE Apply(task: Task) RAISES {Refused} =
  VAR accounts: TextRefTbl.T := task.db.getRoot();
  BEGIN
    INC(task.calls);
    IF accounts = NIL THEN
      accounts := NEW(TextRefTbl.Default).init();
      task.db.setRoot(accounts);
    END;
    task.do(accounts);
  END Apply;

(* An exception in apply aborts the transaction and comes out of Run. *)
PROCEDURE Run(task: Task) RAISES {Refused} =
  <*FATAL ANY*>
  BEGIN
    TRY
      Transaction.Run(task);
    FINALLY
      INC(repeated, MAX(task.calls, 1) - 1);
    END;
  END Run;

PROCEDURE Find(accounts: TextRefTbl.T; name: TEXT): Account RAISES {Refused} =
  VAR found: REFANY;
  BEGIN
    IF NOT accounts.get(name, found) THEN RAISE Refused("there is no account " & name) END;
    RETURN found;
  END Find;

(* ---- Deposit *)

TYPE
  DepositTask = Task OBJECT
    name: TEXT;
    amount: INTEGER;
  OVERRIDES
    do := DoDeposit;
  END;

PROCEDURE DoDeposit(task: DepositTask; accounts: TextRefTbl.T) =
  VAR found: REFANY;
  BEGIN
    IF NOT accounts.get(task.name, found) THEN
      found := NEW(Account);
      EVAL accounts.put(task.name, found);
    END;
    INC(NARROW(found, Account).balance, task.amount);
  END DoDeposit;

PROCEDURE Deposit(db: Database.T; account: TEXT; amount: INTEGER) RAISES {Refused} =
  BEGIN
    Run(NEW(DepositTask, db := db, name := account, amount := amount));
  END Deposit;

(* ---- Transfer *)

TYPE
  TransferTask = Task OBJECT
    from, to: TEXT;
    amount: INTEGER;
  OVERRIDES
    do := DoTransfer;
  END;

PROCEDURE DoTransfer(task: TransferTask; accounts: TextRefTbl.T) RAISES {Refused} =
  VAR from := Find(accounts, task.from);  to: Account;
  BEGIN
    DEC(from.balance, task.amount);
    (* The exception takes back the subtraction as well. *)
    IF from.balance < 0 THEN RAISE Refused(task.from & " has not enough money") END;
    to := Find(accounts, task.to);
    INC(to.balance, task.amount);
  END DoTransfer;

PROCEDURE Transfer(db: Database.T; from, to: TEXT; amount: INTEGER) RAISES {Refused} =
  BEGIN
    Run(NEW(TransferTask, db := db, from := from, to := to, amount := amount));
  END Transfer;

(* ---- Questions *)

TYPE
  BalanceTask = Task OBJECT
    name: TEXT;
    result: INTEGER := 0;
  OVERRIDES
    do := DoBalance;
  END;

  TotalTask = Task OBJECT
    sum: INTEGER;
    count: CARDINAL;
  OVERRIDES
    do := DoTotal;
  END;

PROCEDURE DoBalance(task: BalanceTask; accounts: TextRefTbl.T) RAISES {Refused} =
  BEGIN
    task.result := Find(accounts, task.name).balance;
  END DoBalance;

PROCEDURE Balance(db: Database.T; account: TEXT): INTEGER RAISES {Refused} =
  VAR task := NEW(BalanceTask, db := db, name := account);
  BEGIN
    Run(task);
    RETURN task.result;
  END Balance;

PROCEDURE DoTotal(task: TotalTask; accounts: TextRefTbl.T) =
  VAR all := accounts.iterate();  name: TEXT;  account: REFANY;
  BEGIN
    task.sum := 0;  (* a task may be repeated *)
    task.count := 0;
    WHILE all.next(name, account) DO
      INC(task.sum, NARROW(account, Account).balance);
      INC(task.count);
    END;
  END DoTotal;

PROCEDURE Total(db: Database.T; VAR count: CARDINAL): INTEGER =
  <*FATAL Refused*>
  VAR task := NEW(TotalTask, db := db);
  BEGIN
    Run(task);
    count := task.count;
    RETURN task.sum;
  END Total;

PROCEDURE Repeated(): CARDINAL =
  BEGIN
    RETURN repeated;
  END Repeated;

BEGIN
END Accounts.
