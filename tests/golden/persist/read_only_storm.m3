(* golden: persist, with lib/Store, stress=200 *)
(* Readers and writers with collections: each transaction sees all of a transfer or nothing of it. *)
MODULE Main;

IMPORT Database, IO, Random, RTCollector, Store, Thread, Transaction;

<*FATAL ANY*>

CONST
  Accounts = 2000;
  Amount = 100;
  Readers = 8;
  Writers = 2;
  Transfers = 40;   (* of each writer *)

TYPE
  Account = REF RECORD
      amount: INTEGER;
      notes: Note := NIL;
      filler: ARRAY [0..9] OF INTEGER;
    END;
  Note = REF RECORD sign: INTEGER; next: Note END;
  Bank = REF ARRAY OF Account;
  Reader = Thread.Closure OBJECT sums := 0 OVERRIDES apply := Read END;
  Adder = Transaction.Closure OBJECT sum, notes := 0 OVERRIDES apply := Add END;
  Writer = Thread.Closure OBJECT OVERRIDES apply := Write END;
  Transfer = Transaction.Closure OBJECT
      random: Random.T;
      fails := FALSE;
    OVERRIDES
      apply := Move;
    END;
  Collector = Thread.Closure OBJECT OVERRIDES apply := Collect END;

EXCEPTION Failed;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  bank: Bank;
  stop := FALSE;
  readers: ARRAY [1..Readers] OF Reader;
  threads: ARRAY [1..Readers + Writers] OF Thread.T;
  collector: Thread.T;
  total := 0;

PROCEDURE Add(a: Adder) =
  VAR note: Note;
  BEGIN
    a.sum := 0;  a.notes := 0;
    FOR i := 0 TO Accounts - 1 DO
      INC(a.sum, bank[i].amount);
      note := bank[i].notes;
      WHILE note # NIL DO INC(a.notes, note.sign);  note := note.next END;
    END;
  END Add;

PROCEDURE Read(r: Reader): REFANY =
  VAR adder := NEW(Adder);
  BEGIN
    WHILE NOT stop OR r.sums = 0 DO
      Transaction.RunReadOnly(adder);
      <*ASSERT adder.sum = Accounts * Amount AND adder.notes = 0*>
      INC(r.sums);
    END;
    RETURN NIL;
  END Read;

PROCEDURE Move(t: Transfer) RAISES {Failed} =
  VAR from := bank[t.random.integer(0, Accounts - 1)];  to := bank[t.random.integer(0, Accounts - 1)];
  BEGIN
    FOR i := 1 TO 10 DO
      DEC(from.amount, i);
      from.notes := NEW(Note, sign := 1, next := from.notes);
      to.notes := NEW(Note, sign := -1, next := to.notes);
      INC(to.amount, i);
    END;
    IF t.fails THEN RAISE Failed END;
  END Move;

PROCEDURE Write(<*UNUSED*> w: Writer): REFANY =
  VAR random := NEW(Random.Default).init(TRUE);
  BEGIN
    FOR i := 1 TO Transfers DO
      TRY
        Transaction.Run(NEW(Transfer, random := random, fails := i MOD 7 = 0));
      EXCEPT
      | Failed =>
      END;
    END;
    RETURN NIL;
  END Write;

PROCEDURE Collect(<*UNUSED*> c: Collector): REFANY =
  BEGIN
    WHILE NOT stop DO RTCollector.Collect(); Thread.Pause(0.002d0) END;
    RETURN NIL;
  END Collect;

BEGIN
  tr.begin();
  bank := db.getRoot();
  IF bank = NIL THEN
    bank := NEW(Bank, Accounts);
    FOR i := 0 TO Accounts - 1 DO bank[i] := NEW(Account, amount := Amount) END;
    db.setRoot(bank);
  END;
  tr.commit();
  collector := Thread.Fork(NEW(Collector));
  FOR i := 1 TO Readers DO
    readers[i] := NEW(Reader);
    threads[i] := Thread.Fork(readers[i]);
  END;
  FOR i := 1 TO Writers DO threads[Readers + i] := Thread.Fork(NEW(Writer)) END;
  FOR i := 1 TO Writers DO EVAL Thread.Join(threads[Readers + i]) END;
  stop := TRUE;
  EVAL Thread.Join(collector);
  FOR i := 1 TO Readers DO
    EVAL Thread.Join(threads[i]);
    INC(total, readers[i].sums);
  END;
  <*ASSERT total >= Readers*>
  IO.Put("all sums are right\n");
END Main.
(* expect: all sums are right *)
(* restart *)
(* expect: all sums are right *)
