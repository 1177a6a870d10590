(* golden: persist, with lib/Store, lib/Check, --barriers=software *)
(* Code at each store marks what was stored to (docs/stabilization.md, "Store barriers"): every kind of
   store is in the next commit, and an abort undoes it. *)
MODULE Main;

IMPORT Check, Database, Fmt, RTCollector, Store, Transaction;

<*FATAL ANY*>

TYPE
  Small = [0 .. 255];
  Set = SET OF [0 .. 199];
  Flags = RECORD a: BITS 1 FOR BOOLEAN; b: BITS 5 FOR [0 .. 31]; c: BITS 10 FOR [0 .. 1023] END;
  Inner = RECORD x, y: INTEGER; name: TEXT END;
  T = OBJECT
    number: INTEGER := 0;
    small: Small := 0;
    real: REAL := 0.0;
    long: LONGREAL := 0.0d0;
    flags := Flags {FALSE, 0, 0};
    set := Set {};
    inner := Inner {0, 0, ""};
    numbers := ARRAY [0 .. 40] OF INTEGER {0, ..};
    next: T := NIL;
    rest: REF ARRAY OF CHAR := NIL;
  METHODS
    change(by: INTEGER) := Change;
  END;
  Root = REF ARRAY OF T;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;

PROCEDURE Add(VAR number: INTEGER; by: INTEGER) =
  BEGIN
    INC(number, by);
  END Add;

PROCEDURE Fill(VAR a: ARRAY OF INTEGER; by: INTEGER) =
  BEGIN
    FOR i := FIRST(a) TO LAST(a) DO a[i] := by + i END;
  END Fill;

(* Values depend on `by` only. *)
PROCEDURE Change(t: T; by: INTEGER) =
  BEGIN
    t.number := 0;
    Add(t.number, by);
    t.small := by MOD 256;
    t.real := FLOAT(by, REAL);
    t.long := FLOAT(by, LONGREAL);
    t.flags.a := by MOD 2 = 1;
    t.flags.b := by MOD 32;
    WITH c = t.flags.c DO c := by MOD 1024 END;
    t.set := Set {by MOD 200, (by + 1) MOD 200};
    t.inner := Inner {by, -by, Fmt.Int(by)};
    t.inner.y := by + 1;
    Fill(t.numbers, by);
    SUBARRAY(t.numbers, 1, 20) := SUBARRAY(t.numbers, 2, 20);
    Fill(SUBARRAY(t.numbers, 30, 5), 3 * by);
    t.next := NEW(T, number := by);
    IF t.rest = NIL THEN t.rest := NEW(REF ARRAY OF CHAR, 3000) END;
    FOR i := 0 TO LAST(t.rest^) DO t.rest[i] := VAL(ORD('a') + (by + i) MOD 26, CHAR) END;
    SUBARRAY(t.rest^, 5, 1000) := SUBARRAY(t.rest^, 0, 1000);
  END Change;

PROCEDURE CheckOne(t: T; by: INTEGER; what: TEXT) =
  VAR like := NEW(T);
  BEGIN
    like.change(by);
    Check.Int(t.number, by, what & ": number");
    Check.Int(t.small, like.small, what & ": small");
    Check.That(t.real = like.real AND t.long = like.long, what & ": real numbers");
    Check.That(t.flags = like.flags, what & ": flags");
    Check.That(t.set = like.set, what & ": set");
    Check.Int(t.inner.x, by, what & ": x");
    Check.Int(t.inner.y, by + 1, what & ": y");
    Check.Text(t.inner.name, Fmt.Int(by), what & ": name");
    Check.That(t.numbers = like.numbers, what & ": numbers");
    Check.Int(t.next.number, by, what & ": next");
    Check.That(t.rest^ = like.rest^, what & ": characters");
  END CheckOne;

PROCEDURE CheckAll(by: INTEGER; what: TEXT) =
  BEGIN
    FOR i := 0 TO LAST(root^) DO CheckOne(root[i], by + i, what) END;
  END CheckAll;

PROCEDURE ChangeAll(by: INTEGER) =
  BEGIN
    FOR i := 0 TO LAST(root^) DO root[i].change(by + i) END;
  END ChangeAll;

VAR first: INTEGER;
BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := NEW(Root, 20);
    FOR i := 0 TO LAST(root^) DO root[i] := NEW(T) END;
    db.setRoot(root);
    ChangeAll(5);
  END;
  first := root[0].number;
  CheckAll(first, "begin");
  tr.commit();
  RTCollector.Collect();

  FOR round := 1 TO 3 DO
    tr.begin();
    ChangeAll(first + 100 * round);
    CheckAll(first + 100 * round, "in the transaction");
    tr.commit();
    tr.begin();
    ChangeAll(7000);
    IF round = 2 THEN RTCollector.Collect() END;
    tr.abort();
    CheckAll(first + 100 * round, "behind the abort");
    tr.begin();
    ChangeAll(7001);
    tr.checkpoint();
    ChangeAll(first + 100 * round);
    tr.chain();
    root[3].change(8000);
    tr.abort();
  END;

  (* Outside of a transaction. *)
  TRY
    root[2].number := 9000;
    Check.That(FALSE, "a store without a transaction");
  EXCEPT Transaction.TransactionNotInProgress => (* as it should be *)
  END;
  tr.begin();
  CheckAll(first + 300, "at the end");
  tr.commit();
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
