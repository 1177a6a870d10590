GENERIC MODULE Twins(Key, Values, IntTbl, SortedTbl, Tree, Set, SetDef, SetList, List, ListSort, ArraySort, PQ);

IMPORT Dice;

TYPE
  Elt = PQ.Elt BRANDED "(Elt " & Brand & ")" OBJECT rank: INTEGER END;

  (* By rank: the value of the key in the tables, -1 if it is in none; whether it is in the sets; the number of elements
     in the queue. *)
  Model = REF ARRAY OF RECORD value := -1;  member := FALSE;  queued: CARDINAL := 0 END;

REVEAL
  T = BRANDED Brand OBJECT
      table: IntTbl.Default;
      sorted: SortedTbl.Default;
      tree: Tree.T;
      set, list: Set.T;
      queue: PQ.Default;
      elts: REF ARRAY OF Elt;  (* some are in the queue *)
      model: Model;
    END;

PROCEDURE New(): T =
  VAR t := NEW(T);
  BEGIN
    t.table := NEW(IntTbl.Default).init();
    t.sorted := NEW(SortedTbl.Default).init();
    t.tree := NEW(Tree.T).init(2);
    t.set := NEW(SetDef.T).init();
    t.list := NEW(SetList.T).init();
    t.queue := NEW(PQ.Default).init();
    t.elts := NEW(REF ARRAY OF Elt, 30);
    t.model := NEW(Model, Values.Ranks());
    RETURN t;
  END New;

PROCEDURE Operate(t: T; steps: CARDINAL): CARDINAL =
  VAR wrong: CARDINAL := 0;

  PROCEDURE Expect(right: BOOLEAN) =
    BEGIN
      IF NOT right THEN INC(wrong) END;
    END Expect;

  PROCEDURE InTable(x: IntTbl.T; how, step: INTEGER; READONLY k: Key.T; value: INTEGER) =
    VAR v := -1;
    BEGIN
      CASE how OF
      | 0 => Expect(x.put(k, step) = (value >= 0));
      | 1 => Expect(x.delete(k, v) = (value >= 0) AND v = value);
      ELSE Expect(x.get(k, v) = (value >= 0) AND v = value);
      END;
    END InTable;

  PROCEDURE InSet(s: Set.T; how: INTEGER; READONLY k: Key.T; member: BOOLEAN) =
    BEGIN
      CASE how OF
      | 0 => Expect(s.insert(k) = member);
      | 1 => Expect(s.delete(k) = member);
      ELSE Expect(s.member(k) = member);
      END;
    END InSet;

  PROCEDURE InQueue(how: INTEGER; READONLY k: Key.T; rank: INTEGER) =
    VAR n := Dice.Roll(NUMBER(t.elts^));  elt: Elt;  least := 0;
    BEGIN
      TRY
        WITH e = t.elts[n], m = t.model^ DO
          IF e = NIL THEN
            e := NEW(Elt, priority := k, rank := rank);
            t.queue.insert(e);
            INC(m[rank].queued);
          ELSIF how = 0 THEN
            t.queue.change(e, k);
            DEC(m[e.rank].queued);
            INC(m[rank].queued);
            e.rank := rank;
          ELSIF how = 1 THEN
            t.queue.delete(e);
            DEC(m[e.rank].queued);
            e := NIL;
          ELSE
            WHILE m[least].queued = 0 DO INC(least) END;
            elt := t.queue.deleteMin();
            Expect(elt.rank = least);
            DEC(m[elt.rank].queued);
            FOR i := 0 TO LAST(t.elts^) DO IF t.elts[i] = elt THEN t.elts[i] := NIL END END;
          END;
        END;
      EXCEPT PQ.Empty, PQ.NotInQueue => Expect(FALSE)
      END;
    END InQueue;

  VAR how: INTEGER;  i, rank: CARDINAL;  k: Key.T;
  BEGIN
    FOR step := 1 TO steps DO
      i := Dice.Roll(Values.Count());
      k := Values.At(i);
      rank := Values.Rank(i);
      how := Dice.Roll(4);
      WITH m = t.model[rank] DO
        InTable(t.table, how, step, k, m.value);
        InTable(t.sorted, how, step, k, m.value);
        InTable(t.tree, how, step, k, m.value);
        IF how = 0 THEN m.value := step ELSIF how = 1 THEN m.value := -1 END;
        InSet(t.set, how, k, m.member);
        InSet(t.list, how, k, m.member);
        IF how = 0 THEN m.member := TRUE ELSIF how = 1 THEN m.member := FALSE END;
      END;
      InQueue(how, k, rank);
      IF step MOD 50 = 0 THEN Sort(wrong) END;
    END;
    RETURN wrong;
  END Operate;

(* The rank of a value that is equal to k. *)
PROCEDURE RankOf(READONLY k: Key.T): INTEGER =
  BEGIN
    FOR i := 0 TO Values.Count() - 1 DO
      IF Key.Equal(Values.At(i), k) THEN RETURN Values.Rank(i) END;
    END;
    RETURN -1;
  END RankOf;

PROCEDURE Sort(VAR wrong: CARDINAL) =
  VAR a := NEW(REF ARRAY OF Key.T, Dice.Roll(60));  l: List.T := NIL;
      count := NEW(REF ARRAY OF INTEGER, Values.Ranks());

  PROCEDURE Take(READONLY k: Key.T; VAR last: INTEGER; by: INTEGER) =
    VAR rank := RankOf(k);
    BEGIN
      IF rank < last THEN INC(wrong) ELSE last := rank; INC(count[rank], by) END;
    END Take;

  VAR last := 0;
  BEGIN
    FOR i := 0 TO LAST(count^) DO count[i] := 0 END;
    FOR i := 0 TO LAST(a^) DO
      a[i] := Values.At(Dice.Roll(Values.Count()));
      l := List.Cons(a[i], l);
      DEC(count[RankOf(a[i])], 3);
    END;
    ArraySort.Sort(a^);
    FOR i := 0 TO LAST(a^) DO Take(a[i], last, 1) END;
    FOR way := 1 TO 2 DO
      IF way = 1 THEN l := ListSort.SortD(l) ELSE l := ListSort.Sort(List.Reverse(l)) END;
      last := 0;
      VAR at := l;
      BEGIN
        WHILE at # NIL DO Take(at.head, last, 1);  at := at.tail END;
      END;
    END;
    FOR i := 0 TO LAST(count^) DO IF count[i] # 0 THEN INC(wrong) END END;
    FOR i := 0 TO LAST(a^) DO IF NOT List.Member(l, a[i]) THEN INC(wrong) END END;
  END Sort;

PROCEDURE Differences(t: T): CARDINAL =
  VAR wrong, size, members: CARDINAL := 0;  m := t.model;

  PROCEDURE Expect(right: BOOLEAN) =
    BEGIN
      IF NOT right THEN INC(wrong) END;
    END Expect;

  (* Each entry comes once, and in order if the table is ordered. *)
  PROCEDURE Table(x: IntTbl.T; it: IntTbl.Iterator; order: [-1..1]) =
    VAR k: Key.T;  v: INTEGER;  rank: INTEGER;  last := -1;  n: CARDINAL := 0;
    BEGIN
      IF order < 0 THEN last := LAST(INTEGER) END;
      Expect(x.size() = size);
      WHILE it.next(k, v) DO
        INC(n);
        rank := RankOf(k);
        Expect(rank >= 0 AND m[rank].value = v);
        Expect(order = 0 OR order > 0 AND rank > last OR order < 0 AND rank < last);
        last := rank;
      END;
      Expect(n = size);
      FOR i := 0 TO Values.Count() - 1 DO
        v := -1;
        Expect(x.get(Values.At(i), v) = (m[Values.Rank(i)].value >= 0) AND v = m[Values.Rank(i)].value);
      END;
    END Table;

  (* From each value on. *)
  PROCEDURE Seeks(x: SortedTbl.T) =
    VAR k: Key.T;  v: INTEGER;  rank: INTEGER;  it: SortedTbl.Iterator;
    BEGIN
      FOR i := 0 TO Values.Count() - 1 DO
        it := x.iterateOrdered(TRUE);
        it.seek(Values.At(i));
        rank := Values.Rank(i);
        WHILE rank < NUMBER(m^) AND m[rank].value < 0 DO INC(rank) END;
        Expect(it.next(k, v) = (rank < NUMBER(m^)) AND (rank = NUMBER(m^) OR RankOf(k) = rank));
        it := x.iterateOrdered(FALSE);
        it.seek(Values.At(i));
        rank := Values.Rank(i);
        WHILE rank >= 0 AND m[rank].value < 0 DO DEC(rank) END;
        Expect(it.next(k, v) = (rank >= 0) AND (rank < 0 OR RankOf(k) = rank));
      END;
    END Seeks;

  PROCEDURE Members(s: Set.T) =
    VAR it := s.iterate();  k: Key.T;  n: CARDINAL := 0;
    BEGIN
      Expect(s.size() = members);
      WHILE it.next(k) DO INC(n);  Expect(m[RankOf(k)].member) END;
      Expect(n = members);
      FOR i := 0 TO Values.Count() - 1 DO Expect(s.member(Values.At(i)) = m[Values.Rank(i)].member) END;
    END Members;

  BEGIN
    FOR i := 0 TO LAST(m^) DO
      IF m[i].value >= 0 THEN INC(size) END;
      IF m[i].member THEN INC(members) END;
    END;
    Table(t.table, t.table.iterate(), 0);
    Table(t.sorted, t.sorted.iterateOrdered(TRUE), 1);
    Table(t.sorted, t.sorted.iterateOrdered(FALSE), -1);
    Table(t.tree, t.tree.iterateOrdered(TRUE), 1);
    Table(t.tree, t.tree.iterateOrdered(FALSE), -1);
    Seeks(t.sorted);
    Seeks(t.tree);
    Tree.Validate(t.tree);
    Members(t.set);
    Members(t.list);
    Expect(t.set.equal(t.list) AND t.list.equal(t.set));
    RETURN wrong;
  END Differences;

BEGIN
END Twins.
