(* golden: persist, with lib/Store, stress=200 *)
(* Threads read and change one database at the same time, while another one collects and the first
   one commits. *)
MODULE Main;

IMPORT Database, IO, RTCollector, Store, Thread, Transaction;

<*FATAL ANY*>

CONST Lists = 8;  Length = 2000;  Rounds = 6;

TYPE
  Cell = REF RECORD number, check: INTEGER; fresh: Cell := NIL; next: Cell END;
  Root = REF ARRAY OF Cell;
  Worker = Thread.Closure OBJECT root: Root; id: INTEGER OVERRIDES apply := Work END;
  Collector = Thread.Closure OBJECT OVERRIDES apply := Collect END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;
  stop := FALSE;
  collector: Thread.T;
  workers: ARRAY [1..4] OF Thread.T;

PROCEDURE List(n: INTEGER): Cell =
  VAR c: Cell := NIL;
  BEGIN
    FOR i := n TO 1 BY -1 DO c := NEW(Cell, number := i, check := 3 * i, next := c) END;
    RETURN c;
  END List;

(* All workers read all lists; two of them change each, cells of their own. *)
PROCEDURE Work(w: Worker): REFANY =
  VAR c: Cell;  at: INTEGER;
  BEGIN
    FOR l := 0 TO Lists - 1 DO
      c := w.root[(l + 2 * w.id) MOD Lists];
      at := 0;
      WHILE c # NIL DO
        IF c.fresh # NIL THEN <*ASSERT c.fresh.check = 3 * c.fresh.number*> END;
        IF at MOD 4 = w.id - 1 THEN
          <*ASSERT c.check = 3 * c.number*>
          c.number := c.number + 1;
          c.check := 3 * c.number;
          c.fresh := NEW(Cell, number := at, check := 3 * at, next := c.fresh);
        END;
        INC(at);
        c := c.next;
      END;
      <*ASSERT at = Length*>
    END;
    RETURN NIL;
  END Work;

PROCEDURE Collect(<*UNUSED*> c: Collector): REFANY =
  BEGIN
    WHILE NOT stop DO RTCollector.Collect(); Thread.Pause(0.0005d0) END;
    RETURN NIL;
  END Collect;

PROCEDURE Sum(): INTEGER =
  VAR sum := 0;  c: Cell;
  BEGIN
    FOR l := 0 TO Lists - 1 DO
      c := root[l];
      WHILE c # NIL DO INC(sum, c.number); c := c.next END;
    END;
    RETURN sum;
  END Sum;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := NEW(Root, Lists);
    FOR l := 0 TO Lists - 1 DO root[l] := List(Length) END;
    db.setRoot(root);
  END;
  tr.commit();
  collector := Thread.Fork(NEW(Collector));
  FOR round := 1 TO Rounds DO
    tr.begin();
    FOR i := 1 TO 4 DO workers[i] := Thread.Fork(NEW(Worker, root := root, id := i)) END;
    (* These changes coincide with the commits. *)
    IF round MOD 3 # 0 THEN FOR i := 1 TO 5 DO tr.checkpoint() END END;
    FOR i := 1 TO 4 DO EVAL Thread.Join(workers[i]) END;
    IF round MOD 3 = 0 THEN tr.abort() ELSE tr.commit() END;
  END;
  stop := TRUE;
  EVAL Thread.Join(collector);
  tr.begin();
  IO.PutInt(root[0].next.number - 2); IO.Put(" ");
  IO.PutInt(root[Lists - 1].number - 1); IO.Put(" ");
  IO.PutInt((Sum() - Lists * (Length * (Length + 1) DIV 2)) DIV (Lists * Length)); IO.Put("\n");
  tr.commit();
END Main.
(* expect: 4 4 4 *)
(* restart *)
(* expect: 8 8 8 *)
