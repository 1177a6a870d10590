(* A list of primes that grows from run to run. The list is an ordinary linked list: all objects
   that the database's root reaches when the transaction commits are there in the next run. *)
MODULE Main;

IMPORT Database, FloatMode, Fmt, IO, Lex, Params, Process, Scan, Stdio, Thread, Transaction, Wr;

TYPE
  Prime = REF RECORD
    number: INTEGER;
    next: Prime := NIL;
  END;

  (* The root of the database. *)
  List = REF RECORD
    first, last: Prime;
    count: CARDINAL;
  END;

(* Whether n is a prime, given all primes up to its square root. *)
PROCEDURE IsPrime(n: INTEGER; primes: Prime): BOOLEAN =
  BEGIN
    WHILE primes # NIL AND primes.number * primes.number <= n DO
      IF n MOD primes.number = 0 THEN RETURN FALSE END;
      primes := primes.next;
    END;
    RETURN TRUE;
  END IsPrime;

PROCEDURE Append(list: List; n: INTEGER) =
  VAR cell := NEW(Prime, number := n);
  BEGIN
    list.last.next := cell;
    list.last := cell;
    INC(list.count);
  END Append;

PROCEDURE Grow(list: List; more: CARDINAL) =
  VAR n := list.last.number;
  BEGIN
    FOR i := 1 TO more DO
      REPEAT INC(n) UNTIL IsPrime(n, list.first);
      Append(list, n);
    END;
  END Grow;

PROCEDURE Open(name: TEXT): Database.T =
  <*FATAL Database.DatabaseExists, Database.DatabaseNotFound, Database.DatabaseOpen*>
  <*FATAL Transaction.TransactionInProgress*>
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound =>
      Database.Create(name);
      RETURN Database.Open(name);
    END;
  END Open;

PROCEDURE Run(name: TEXT; more: CARDINAL) =
  <*FATAL Transaction.TransactionInProgress*>
  VAR db := Open(name);  tr := NEW(Transaction.T);  list: List;
  BEGIN
    tr.begin();
    list := db.getRoot();
    IF list = NIL THEN
      WITH two = NEW(Prime, number := 2) DO
        list := NEW(List, first := two, last := two, count := 1);
      END;
      db.setRoot(list);
    END;
    Grow(list, more);
    IO.Put(Fmt.F("%s primes, the last is %s\n", Fmt.Int(list.count), Fmt.Int(list.last.number)));
    tr.commit();
    db.close();
  END Run;

PROCEDURE Fail(message: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "primes: " & message & "\n");
    Process.Exit(1);
  END Fail;

PROCEDURE Count(t: TEXT): CARDINAL =
  VAR n := -1;
  BEGIN
    TRY
      n := Scan.Int(t);
    EXCEPT
    | Lex.Error, FloatMode.Trap =>
    END;
    IF n < 0 THEN Fail(t & " is not a number of primes") END;
    RETURN n;
  END Count;

VAR
  name: TEXT := "primes.db";
  more: CARDINAL := 1000;

BEGIN
  IF Params.Count > 3 THEN Fail("usage: primes [DATABASE [COUNT]]") END;
  IF Params.Count > 1 THEN name := Params.Get(1) END;
  IF Params.Count > 2 THEN more := Count(Params.Get(2)) END;
  TRY
    Run(name, more);
  EXCEPT
  | Database.Failure (why) => Fail(why);
  | Database.TypeMismatch (why) => Fail(why);
  END;
END Main.
