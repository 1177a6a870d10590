(* Accounts, and transfers between them. bench/transfers/cpp/driver.h has the same numbers. *)
INTERFACE Bank;

IMPORT IntRefBPlusTree;

CONST
  InitialBalance = 1000000;
  FillerBytes = 36;

TYPE
  (* 60 bytes of data. *)
  Account = REF RECORD
    id, balance: INTEGER;
    transfers: INTEGER;  (* that the account took part in *)
    filler: ARRAY [0 .. FillerBytes - 1] OF CHAR;
  END;

  T = REF RECORD
    accounts: INTEGER;  (* number of accounts; their ids begin with 0 *)
    byId: IntRefBPlusTree.T;
  END;

  Sum = RECORD accounts, balance, transfers: INTEGER := 0 END;

PROCEDURE New(accounts: INTEGER): T;

(* The caller is in a transaction. *)
PROCEDURE Transfer(bank: T; from, to: INTEGER; amount: INTEGER);

(* The sums over all accounts. *)
PROCEDURE GetSum(bank: T): Sum;

END Bank.
