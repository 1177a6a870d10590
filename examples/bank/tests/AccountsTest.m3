(* The effects of transfers, and of refused ones. *)
MODULE AccountsTest;

IMPORT Accounts, Database, Test;

VAR
  db: Database.T;
  count: CARDINAL;

PROCEDURE SetUp(t: Test.T) RAISES ANY =
  BEGIN
    db := Accounts.Open(t.directory() & "/bank");
    Accounts.Deposit(db, "ada", 100);
    Accounts.Deposit(db, "grace", 5);
  END SetUp;

PROCEDURE TakeDown(<*UNUSED*> t: Test.T) RAISES ANY =
  BEGIN
    db.close();
  END TakeDown;

PROCEDURE TestTransfer(t: Test.T) RAISES ANY =
  BEGIN
    Accounts.Transfer(db, "ada", "grace", 30);
    t.equalInt(Accounts.Balance(db, "ada"), 70);
    t.equalInt(Accounts.Balance(db, "grace"), 35);
    t.equalInt(Accounts.Total(db, count), 105);
    t.equalInt(count, 2);
  END TestTransfer;

PROCEDURE TestARefusedTransferChangesNothing(t: Test.T) RAISES ANY =
  BEGIN
    EVAL t.raises(TakeTooMuch, "Accounts.Refused");
    EVAL t.raises(GiveToNobody, "Accounts.Refused");
    t.equalInt(Accounts.Balance(db, "ada"), 100);
    t.equalInt(Accounts.Total(db, count), 105);
  END TestARefusedTransferChangesNothing;

PROCEDURE TakeTooMuch() RAISES ANY =
  BEGIN
    Accounts.Transfer(db, "ada", "grace", 101);
  END TakeTooMuch;

PROCEDURE GiveToNobody() RAISES ANY =
  BEGIN
    Accounts.Transfer(db, "ada", "nobody", 1);
  END GiveToNobody;

BEGIN
END AccountsTest.
