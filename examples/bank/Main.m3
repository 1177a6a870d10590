(* A bank for several programs: bank DATABASE deposit NAME AMOUNT | transfer FROM TO AMOUNT |
   balance NAME | total | work COUNT. `work` makes COUNT random transfers between the accounts that
   are called a0 to a9. *)
MODULE Main;

IMPORT Accounts, Database, FloatMode, Fmt, IO, Lex, Params, Process, Random, Scan, Stdio, Text, Thread,
  Wr;

PROCEDURE Fail(message: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "bank: " & message & "\n");
    Process.Exit(1);
  END Fail;

PROCEDURE Amount(text: TEXT): CARDINAL =
  VAR n := -1;
  BEGIN
    TRY n := Scan.Int(text) EXCEPT Lex.Error, FloatMode.Trap => END;
    IF n < 0 THEN Fail(text & " is not an amount") END;
    RETURN n;
  END Amount;

PROCEDURE Work(db: Database.T; count: CARDINAL) =
  VAR
    random := NEW(Random.Default).init();
    done, refused: CARDINAL := 0;
  PROCEDURE Any(): TEXT =
    BEGIN
      RETURN "a" & Fmt.Int(random.integer(0, 9));
    END Any;
  BEGIN
    FOR i := 1 TO count DO
      TRY
        Accounts.Transfer(db, Any(), Any(), random.integer(1, 50));
        INC(done);
      EXCEPT
      | Accounts.Refused => INC(refused);
      END;
    END;
    IO.Put(Fmt.F("%s transfers, %s refused, %s repeated\n", Fmt.Int(done), Fmt.Int(refused),
                 Fmt.Int(Accounts.Repeated())));
  END Work;

PROCEDURE Execute(db: Database.T) RAISES {Accounts.Refused} =
  VAR command := Params.Get(2);  count: CARDINAL;
  BEGIN
    IF Text.Equal(command, "deposit") AND Params.Count = 5 THEN
      Accounts.Deposit(db, Params.Get(3), Amount(Params.Get(4)));
    ELSIF Text.Equal(command, "transfer") AND Params.Count = 6 THEN
      Accounts.Transfer(db, Params.Get(3), Params.Get(4), Amount(Params.Get(5)));
    ELSIF Text.Equal(command, "balance") AND Params.Count = 4 THEN
      IO.Put(Fmt.Int(Accounts.Balance(db, Params.Get(3))) & "\n");
    ELSIF Text.Equal(command, "total") AND Params.Count = 3 THEN
      WITH sum = Accounts.Total(db, count) DO
        IO.Put(Fmt.F("%s in %s accounts\n", Fmt.Int(sum), Fmt.Int(count)));
      END;
    ELSIF Text.Equal(command, "work") AND Params.Count = 4 THEN
      Work(db, Amount(Params.Get(3)));
    ELSE
      Fail("unknown command " & command);
    END;
  END Execute;

BEGIN
  IF Params.Count < 3 THEN
    Fail("usage: bank DATABASE deposit NAME AMOUNT | transfer FROM TO AMOUNT | balance NAME | total"
         & " | work COUNT");
  END;
  TRY
    Execute(Accounts.Open(Params.Get(1)));
  EXCEPT
  | Accounts.Refused (why) => Fail(why);
  | Database.Failure (why) => Fail(why);
  | Database.TypeMismatch (why) => Fail(why);
  END;
END Main.
