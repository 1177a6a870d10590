(* A refused transfer changes nothing. *)
MODULE RefusedTest EXPORTS Main;

IMPORT Accounts, Database, Fmt, Process;

<*FATAL ANY*>

VAR
  name := "/tmp/bank-test-" & Fmt.Int(Process.GetMyID());
  db: Database.T;
  count: CARDINAL;

PROCEDURE IsRefused(from, to: TEXT; amount: INTEGER): BOOLEAN =
  BEGIN
    TRY
      Accounts.Transfer(db, from, to, amount);
      RETURN FALSE;
    EXCEPT
    | Accounts.Refused => RETURN TRUE;
    END;
  END IsRefused;

BEGIN
  db := Accounts.Open(name);
  Accounts.Deposit(db, "ada", 100);
  Accounts.Deposit(db, "grace", 5);
  Accounts.Transfer(db, "ada", "grace", 30);
  <*ASSERT Accounts.Balance(db, "ada") = 70 AND Accounts.Balance(db, "grace") = 35*>
  <*ASSERT IsRefused("ada", "grace", 71)*>
  <*ASSERT IsRefused("ada", "nobody", 1)*>
  <*ASSERT Accounts.Balance(db, "ada") = 70*>
  <*ASSERT Accounts.Total(db, count) = 105 AND count = 2*>
  db.close();
  Database.Delete(name);
END RefusedTest.
