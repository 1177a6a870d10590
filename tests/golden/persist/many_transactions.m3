(* golden: persist, with lib/Store, lib/Check *)
(* A random program against a model: an array of lists in the database and the same outside. Each
   transaction changes some, and is committed, aborted or checkpointed; collections come between. *)
MODULE Main;

IMPORT Check, Database, Fmt, RTCollector, Random, Store, Transaction;

<*FATAL ANY*>

CONST
  Lists = 40;
  Transactions = 60;

TYPE
  Cell = REF RECORD n: INTEGER; next: Cell END;
  Root = REF RECORD
    lists: ARRAY [0..Lists - 1] OF Cell;
    sums: ARRAY [0..Lists - 1] OF INTEGER;  (* numbers of the model, saved so that the next run
                                               can check *)
  END;
  Model = ARRAY [0..Lists - 1] OF REF ARRAY OF INTEGER;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  random := NEW(Random.Default).init(TRUE);
  root: Root;
  model, saved: Model;

PROCEDURE ToArray(c: Cell): REF ARRAY OF INTEGER =
  VAR n := 0;  walk := c;  a: REF ARRAY OF INTEGER;
  BEGIN
    WHILE walk # NIL DO INC(n); walk := walk.next END;
    a := NEW(REF ARRAY OF INTEGER, n);
    FOR i := 0 TO n - 1 DO a[i] := c.n; c := c.next END;
    RETURN a;
  END ToArray;

PROCEDURE Change() =
  VAR i := random.integer(0, Lists - 1);  c := root.lists[i];  m := model[i];
      new: REF ARRAY OF INTEGER;
  BEGIN
    CASE random.integer(0, 4) OF
    | 0, 1 =>  (* a new cell in front *)
      root.lists[i] := NEW(Cell, n := random.integer(0, 999), next := c);
      new := NEW(REF ARRAY OF INTEGER, NUMBER(m^) + 1);
      new[0] := root.lists[i].n;
      SUBARRAY(new^, 1, NUMBER(m^)) := m^;
      model[i] := new;
    | 2 =>  (* another number in some cell *)
      IF NUMBER(m^) > 0 THEN
        new := NEW(REF ARRAY OF INTEGER, NUMBER(m^));
        new^ := m^;
        WITH k = random.integer(0, LAST(m^)), n = random.integer(0, 999) DO
          FOR j := 1 TO k DO c := c.next END;
          c.n := n;
          new[k] := n;
        END;
        model[i] := new;
      END;
    | 3 =>  (* the first cell is removed *)
      IF c # NIL THEN
        root.lists[i] := c.next;
        new := NEW(REF ARRAY OF INTEGER, NUMBER(m^) - 1);
        new^ := SUBARRAY(m^, 1, NUMBER(m^) - 1);
        model[i] := new;
      END;
    ELSE  (* rubbish *)
      FOR j := 1 TO 50 DO c := NEW(Cell, next := c) END;
    END;
  END Change;

PROCEDURE Compare(when: TEXT) =
  VAR right := TRUE;
  BEGIN
    FOR i := 0 TO Lists - 1 DO
      IF ToArray(root.lists[i])^ # model[i]^ THEN right := FALSE END;
    END;
    Check.That(right, when);
  END Compare;

PROCEDURE Sum(c: Cell): INTEGER =
  VAR sum := 0;
  BEGIN
    WHILE c # NIL DO sum := (3 * sum + c.n + 1) MOD 1000003; c := c.next END;
    RETURN sum;
  END Sum;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := NEW(Root);
    db.setRoot(root);
  END;
  FOR i := 0 TO Lists - 1 DO
    Check.Int(Sum(root.lists[i]), root.sums[i], "reopened: list " & Fmt.Int(i));
    model[i] := ToArray(root.lists[i]);
  END;
  tr.commit();
  saved := model;
  FOR t := 1 TO Transactions DO
    tr.begin();
    FOR i := 1 TO random.integer(1, 30) DO Change() END;
    IF random.integer(0, 5) = 0 THEN RTCollector.Collect() END;
    CASE random.integer(0, 3) OF
    | 0 =>
      tr.abort();
      model := saved;
    | 1 =>
      tr.checkpoint();
      saved := model;
      FOR i := 1 TO 10 DO Change() END;
      tr.abort();
      model := saved;
    ELSE
      tr.commit();
      saved := model;
    END;
    Compare("transaction " & Fmt.Int(t));
    IF random.integer(0, 5) = 0 THEN
      RTCollector.Collect();
      Compare("collection after transaction " & Fmt.Int(t));
    END;
  END;
  tr.begin();
  FOR i := 0 TO Lists - 1 DO root.sums[i] := Sum(root.lists[i]) END;
  tr.commit();
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
