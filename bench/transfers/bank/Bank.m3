MODULE Bank;

IMPORT IntRefBPlusTree;

PROCEDURE NewAccount(id: INTEGER): Account =
  VAR account := NEW(Account, id := id, balance := InitialBalance, transfers := 0);
  BEGIN
    FOR i := 0 TO LAST(account.filler) DO account.filler[i] := VAL(ORD('a') + id MOD 26, CHAR) END;
    RETURN account;
  END NewAccount;

PROCEDURE New(accounts: INTEGER): T =
  VAR
    bank := NEW(T, accounts := accounts, byId := NEW(IntRefBPlusTree.T).init());
    ids := NEW(REF ARRAY OF INTEGER, accounts);
    made := NEW(REF ARRAY OF REFANY, accounts);
  BEGIN
    FOR id := 0 TO accounts - 1 DO
      ids[id] := id;
      made[id] := NewAccount(id);
    END;
    IntRefBPlusTree.Load(bank.byId, ids^, made^);
    RETURN bank;
  END New;

PROCEDURE Find(bank: T; id: INTEGER): Account =
  VAR found: REFANY;
  BEGIN
    WITH there = bank.byId.get(id, found) DO <*ASSERT there*> END;
    RETURN found;
  END Find;

PROCEDURE Transfer(bank: T; from, to: INTEGER; amount: INTEGER) =
  VAR payer := Find(bank, from);  payee := Find(bank, to);
  BEGIN
    DEC(payer.balance, amount);
    INC(payer.transfers);
    INC(payee.balance, amount);
    INC(payee.transfers);
  END Transfer;

PROCEDURE GetSum(bank: T): Sum =
  VAR sum: Sum;  all := bank.byId.iterate();  id: INTEGER;  found: REFANY;
  BEGIN
    WHILE all.next(id, found) DO
      WITH account = NARROW(found, Account) DO
        INC(sum.accounts);
        INC(sum.balance, account.balance);
        INC(sum.transfers, account.transfers);
      END;
    END;
    RETURN sum;
  END GetSum;

BEGIN
END Bank.
