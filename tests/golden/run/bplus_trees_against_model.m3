(* golden: run, with lib/Check, lib/Dice *)
(* Random operations on B+ trees with small nodes and on an array that gives the expected
   results. *)
MODULE Main;

IMPORT Check, Dice, Fmt, IntIntBPlusTree, Integer, RefIntBPlusTree, RuntimeError, SortedIntIntTbl,
  Text, TextRefBPlusTree;

CONST
  Keys = 500;

TYPE
  Model = ARRAY [0..Keys - 1] OF RECORD present := FALSE; value := 0 END;

PROCEDURE Same(t: IntIntBPlusTree.T; READONLY model: Model; size: INTEGER): BOOLEAN =
  VAR it: SortedIntIntTbl.Iterator;  k, v := 0;  n: INTEGER;
  BEGIN
    IntIntBPlusTree.Validate(t);
    IF t.size() # size THEN RETURN FALSE END;
    it := t.iterateOrdered();
    FOR i := 0 TO Keys - 1 DO
      IF model[i].present AND NOT (it.next(k, v) AND k = 3 * i AND v = model[i].value) THEN
        RETURN FALSE;
      END;
    END;
    IF it.next(k, v) THEN RETURN FALSE END;
    it := t.iterateOrdered(FALSE);
    FOR i := Keys - 1 TO 0 BY -1 DO
      IF model[i].present AND NOT (it.next(k, v) AND k = 3 * i AND v = model[i].value) THEN
        RETURN FALSE;
      END;
    END;
    IF it.next(k, v) THEN RETURN FALSE END;
    FOR trial := 1 TO 20 DO
      n := Dice.Roll(Keys + 2) - 1;
      it := t.iterateOrdered(TRUE);
      it.seek(3 * n - Dice.Roll(3));
      n := MAX(n, 0);
      WHILE n < Keys AND NOT model[n].present DO INC(n) END;
      IF it.next(k, v) # (n < Keys) OR n < Keys AND k # 3 * n THEN RETURN FALSE END;
      n := Dice.Roll(Keys + 2) - 1;
      it := t.iterateOrdered(FALSE);
      it.seek(3 * n + Dice.Roll(3));
      n := MIN(n, Keys - 1);
      WHILE n >= 0 AND NOT model[n].present DO DEC(n) END;
      IF it.next(k, v) # (n >= 0) OR n >= 0 AND k # 3 * n THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END Same;

PROCEDURE Operate(t: IntIntBPlusTree.T; VAR model: Model; VAR size: INTEGER; what: TEXT) =
  VAR n, v := 0;  right := TRUE;  deletes: CARDINAL;
  BEGIN
    FOR step := 1 TO 4000 DO
      n := Dice.Roll(Keys);
      v := -1;
      (* Phases of growing and of shrinking. *)
      IF step DIV 800 MOD 2 = 0 THEN deletes := 2 ELSE deletes := 7 END;
      IF Dice.Roll(10) >= deletes THEN
        IF t.put(3 * n, step) # model[n].present THEN right := FALSE END;
        IF NOT model[n].present THEN INC(size) END;
        model[n].present := TRUE;
        model[n].value := step;
        IF NOT t.get(3 * n, v) OR v # step THEN right := FALSE END;
      ELSE
        IF t.delete(3 * n, v) # model[n].present THEN right := FALSE END;
        IF model[n].present THEN
          DEC(size);
          IF v # model[n].value THEN right := FALSE END;
        END;
        model[n].present := FALSE;
        IF t.get(3 * n, v) OR t.get(3 * n + 1, v) THEN right := FALSE END;
      END;
      IF step MOD 200 = 0 AND NOT Same(t, model, size) THEN right := FALSE END;
    END;
    Check.That(right, Dice.With(what));
  END Operate;

PROCEDURE Empty(t: IntIntBPlusTree.T; what: TEXT) =
  VAR k, v := 0;  it: IntIntBPlusTree.Iterator := t.iterate();
  BEGIN
    FOR i := 0 TO Keys - 1 DO EVAL t.delete(3 * i, v) END;
    IntIntBPlusTree.Validate(t);
    it.reset();
    Check.That(t.size() = 0 AND NOT it.next(k, v), what & ": empty at the end");
    it.seek(5);
    Check.That(NOT it.next(k, v), what & ": seek in an empty tree");
  END Empty;

PROCEDURE Loading() =
  VAR t := NEW(IntIntBPlusTree.T);  n: CARDINAL;  keys, values: REF ARRAY OF INTEGER;
      model: Model;  size := 0;  k, v := 0;  failed: CARDINAL := 0;
  BEGIN
    FOR trial := 0 TO 40 DO
      n := trial + Dice.Roll(trial + 1) * 6;
      keys := NEW(REF ARRAY OF INTEGER, n);
      values := NEW(REF ARRAY OF INTEGER, n);
      FOR i := 0 TO n - 1 DO
        keys[i] := 3 * i;
        values[i] := -i;
      END;
      IF trial > 0 THEN EVAL t.init(2 + Dice.Roll(4)) END;
      IntIntBPlusTree.Load(t, keys^, values^);
      FOR i := 0 TO Keys - 1 DO
        model[i].present := i < n;
        model[i].value := -i;
      END;
      Check.That(Same(t, model, n), Dice.With("Load of " & Fmt.Int(n)));
    END;
    size := n;
    Operate(t, model, size, "after Load");
    TRY
      IntIntBPlusTree.Load(t, ARRAY OF INTEGER{1, 1}, ARRAY OF INTEGER{1, 2});
    EXCEPT RuntimeError.E => INC(failed)
    END;
    TRY
      IntIntBPlusTree.Load(t, ARRAY OF INTEGER{1, 2}, ARRAY OF INTEGER{1});
    EXCEPT RuntimeError.E => INC(failed)
    END;
    Check.Int(failed, 2, "Load of what is not sorted");
    WITH it = NARROW(NEW(IntIntBPlusTree.T).init().iterateOrdered(), IntIntBPlusTree.Iterator) DO
      EVAL it.next(k, v);
      TRY EVAL it.next(k, v) EXCEPT RuntimeError.E => INC(failed) END;
      EVAL it.init();
      it.reset();
      Check.That(failed = 3 AND NOT it.next(k, v), "next after the end");
    END;
  END Loading;

TYPE
  ByNumber = RefIntBPlusTree.T OBJECT OVERRIDES keyCompare := Compare END;

PROCEDURE Compare(<*UNUSED*> t: ByNumber; READONLY k1, k2: REFANY): [-1..1] =
  BEGIN
    RETURN Integer.Compare(NARROW(k1, REF INTEGER)^, NARROW(k2, REF INTEGER)^);
  END Compare;

PROCEDURE Others() =
  VAR t := NEW(TextRefBPlusTree.T).init(3);  boxes := NEW(ByNumber);  box := NEW(REF INTEGER);
      r: REFANY;  k: TEXT;  previous := "";  count, v := 0;
  BEGIN
    FOR i := 1 TO 1000 DO EVAL t.put(Fmt.Int(i), t) END;
    WITH it = t.iterateOrdered() DO
      WHILE it.next(k, r) DO
        IF Text.Compare(previous, k) < 0 AND r = t THEN INC(count) END;
        previous := k;
      END;
    END;
    Check.Int(count, 1000, "texts");
    box^ := 7;
    Check.That(NOT boxes.get(box, v) AND NOT boxes.delete(box, v) AND boxes.size() = 0,
               "before init");
    EVAL boxes.put(box, 70);
    box := NEW(REF INTEGER);
    box^ := 7;
    Check.That(boxes.get(box, v) AND v = 70, "an order of one's own");
    Check.Text(IntIntBPlusTree.Brand, "(BPlusTree Integer Integer)", "Brand");
  END Others;

VAR
  model: Model;
  size := 0;
  t: IntIntBPlusTree.T;

BEGIN
  FOR n := 1 TO 5 DO
    size := 0;
    FOR i := 0 TO Keys - 1 DO model[i].present := FALSE END;
    t := NEW(IntIntBPlusTree.T).init(n);
    Operate(t, model, size, "nodes of " & Fmt.Int(n));
    Empty(t, "nodes of " & Fmt.Int(n));
  END;
  Loading();
  Others();
  Check.Done();
END Main.
(* expect: all checks hold *)
