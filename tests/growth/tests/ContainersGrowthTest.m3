(* The costs of the other containers, and of sorting. *)
MODULE ContainersGrowthTest;

IMPORT Atom, AtomIntTbl, Cost, Fmt, IntArraySort, IntIntBPlusTree, IntIntTbl, IntList, IntListSort, IntPQ, IntSeq, IntSetList,
  Integer, Random, SortedIntIntTbl, Test, Text, TextArraySort, Word;

VAR
  dice := NEW(Random.Default);
  sorted, sorted2: SortedIntIntTbl.T;
  tree: IntIntBPlusTree.T;
  seq: IntSeq.T;
  queue: IntPQ.Default;
  elements: REF ARRAY OF IntPQ.Elt;
  list: IntList.T;
  array: REF ARRAY OF INTEGER;
  texts: REF ARRAY OF TEXT;
  sink: INTEGER;

(* Sorted tables: the same operations on both kinds. *)

PROCEDURE NewTreap(<*UNUSED*> n: CARDINAL) =
  BEGIN
    sorted := NEW(SortedIntIntTbl.Default).init();
  END NewTreap;

PROCEDURE NewTree(<*UNUSED*> n: CARDINAL) =
  BEGIN
    sorted := NEW(IntIntBPlusTree.T).init(8);
  END NewTree;

PROCEDURE Up(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO EVAL sorted.put(i, i) END;
  END Up;

PROCEDURE Down(n: CARDINAL) =
  BEGIN
    FOR i := n TO 1 BY -1 DO EVAL sorted.put(i, i) END;
  END Down;

PROCEDURE AtRandom(n: CARDINAL) =
  BEGIN
    EVAL dice.init(TRUE);
    FOR i := 1 TO n DO EVAL sorted.put(dice.integer(), i) END;
  END AtRandom;

PROCEDURE FullTreap(n: CARDINAL) =
  BEGIN
    NewTreap(n);
    Up(n);
  END FullTreap;

PROCEDURE FullTree(n: CARDINAL) =
  BEGIN
    NewTree(n);
    Up(n);
  END FullTree;

PROCEDURE GetAll(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO EVAL sorted.get(i, sink) END;
  END GetAll;

PROCEDURE DeleteUp(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO EVAL sorted.delete(i, sink) END;
  END DeleteUp;

PROCEDURE DeleteDown(n: CARDINAL) =
  BEGIN
    FOR i := n TO 1 BY -1 DO EVAL sorted.delete(i, sink) END;
  END DeleteDown;

PROCEDURE TakeFirst(<*UNUSED*> n: CARDINAL) =
  VAR k, v: INTEGER;
  BEGIN
    WHILE sorted.iterate().next(k, v) DO EVAL sorted.delete(k, v) END;
  END TakeFirst;

PROCEDURE BothWays(<*UNUSED*> n: CARDINAL) =
  VAR k, v: INTEGER;
  BEGIN
    FOR up := FALSE TO TRUE DO
      WITH it = sorted.iterateOrdered(up) DO
        WHILE it.next(k, v) DO END;
      END;
    END;
  END BothWays;

PROCEDURE Seek(n: CARDINAL) =
  VAR k, v: INTEGER;
  BEGIN
    WITH it = sorted.iterateOrdered() DO
      FOR i := 1 TO n DO it.seek(i); EVAL it.next(k, v) END;
    END;
  END Seek;

PROCEDURE CopyTable(<*UNUSED*> n: CARDINAL) =
  VAR it := sorted.iterate();  k, v: INTEGER;
  BEGIN
    sorted2 := NEW(SortedIntIntTbl.Default).init();
    WHILE it.next(k, v) DO EVAL sorted2.put(k, v) END;
    IF sorted2.size() # sorted.size() THEN <*ASSERT FALSE*> END;
  END CopyTable;

(* Keys in the order of the weights that SortedTable's generator has from 0 on: if it began there, the
   tree would be a list. *)
PROCEDURE InOrderOfWeights(n: CARDINAL) =
  VAR weights := NEW(REF ARRAY OF INTEGER, n);  keys := NEW(REF ARRAY OF INTEGER, n);
      state, z: Word.T := 0;
  PROCEDURE Descending(a, b: INTEGER): [-1..1] =
    BEGIN
      IF Word.GT(weights[a], weights[b]) THEN RETURN -1 END;
      RETURN ORD(weights[a] # weights[b]);
    END Descending;
  BEGIN
    FOR i := 0 TO n - 1 DO
      state := Word.Plus(Word.Times(state, 16_5851F42D4C957F2D), 16_14057B7EF767814F);
      z := Word.Xor(state, Word.RightShift(state, 32));
      z := Word.Times(z, 16_D6E8FEB86659FD93);
      weights[i] := Word.Xor(z, Word.RightShift(z, 32));
      keys[i] := i;
    END;
    IntArraySort.Sort(keys^, Descending);
    array := NEW(REF ARRAY OF INTEGER, n);
    FOR i := 0 TO n - 1 DO array[keys[i]] := i END;
    NewTreap(n);
  END InOrderOfWeights;

PROCEDURE PutArray(n: CARDINAL) =
  BEGIN
    FOR i := 0 TO n - 1 DO EVAL sorted.put(array[i], i) END;
  END PutArray;

PROCEDURE TestSortedTables(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "treap: put, ascending", 260, Up, NewTreap);
    Cost.Check(t, "treap: put, descending", 260, Down, NewTreap);
    Cost.Check(t, "treap: put, random", 400, AtRandom, NewTreap);
    Cost.Check(t, "treap: put, in the order of weights", 420, PutArray, InOrderOfWeights);
    Cost.Check(t, "treap: get", 160, GetAll, FullTreap);
    Cost.Check(t, "treap: delete, ascending", 120, DeleteUp, FullTreap);
    Cost.Check(t, "treap: delete, descending", 120, DeleteDown, FullTreap);
    Cost.Check(t, "treap: empty, an iterator for each", 340, TakeFirst, FullTreap);
    Cost.Check(t, "treap: iterate both ways", 80, BothWays, FullTreap);
    Cost.Check(t, "treap: seek", 360, Seek, FullTreap);
    Cost.Check(t, "treap: copy", 280, CopyTable, FullTreap);
  END TestSortedTables;

PROCEDURE Load(<*UNUSED*> n: CARDINAL) =
  BEGIN
    tree := NEW(IntIntBPlusTree.T).init(8);
    IntIntBPlusTree.Load(tree, array^, array^);
  END Load;

PROCEDURE TestBPlusTrees(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "B+ tree: put, ascending", 320, Up, NewTree);
    Cost.Check(t, "B+ tree: put, descending", 360, Down, NewTree);
    Cost.Check(t, "B+ tree: put, random", 320, AtRandom, NewTree);
    Cost.Check(t, "B+ tree: get", 180, GetAll, FullTree);
    Cost.Check(t, "B+ tree: delete, ascending", 340, DeleteUp, FullTree);
    Cost.Check(t, "B+ tree: delete, descending", 300, DeleteDown, FullTree);
    Cost.Check(t, "B+ tree: empty, an iterator for each", 420, TakeFirst, FullTree);
    Cost.Check(t, "B+ tree: iterate both ways", 40, BothWays, FullTree);
    Cost.Check(t, "B+ tree: seek", 300, Seek, FullTree);
    Cost.Check(t, "B+ tree: Load", 15, Load, Ascending);
  END TestBPlusTrees;

(* Sequences. *)

PROCEDURE AddBoth(n: CARDINAL) =
  BEGIN
    seq := NEW(IntSeq.T).init();
    FOR i := 1 TO n DIV 2 DO seq.addhi(i); seq.addlo(i) END;
  END AddBoth;

PROCEDURE RemoveBoth(<*UNUSED*> n: CARDINAL) =
  BEGIN
    WHILE seq.size() > 1 DO EVAL seq.remhi(); EVAL seq.remlo() END;
  END RemoveBoth;

PROCEDURE Queue(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO seq.addhi(seq.remlo()) END;
  END Queue;

PROCEDURE Pieces(<*UNUSED*> n: CARDINAL) =
  BEGIN
    seq := IntSeq.Cat(IntSeq.Sub(seq, 0, seq.size() DIV 2), IntSeq.Sub(seq, seq.size() DIV 2));
    FOR i := 0 TO seq.size() - 1 DO seq.put(i, seq.get(i)) END;
  END Pieces;

PROCEDURE TestSequences(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "sequence: addhi, addlo", 30, AddBoth);
    Cost.Check(t, "sequence: remhi, remlo", 35, RemoveBoth, AddBoth);
    Cost.Check(t, "sequence: remlo, addhi", 55, Queue, AddBoth);
    Cost.Check(t, "sequence: Sub, Cat, get, put", 120, Pieces, AddBoth);
  END TestSequences;

(* Priority queues. *)

PROCEDURE MakeElements(n: CARDINAL) =
  BEGIN
    queue := NEW(IntPQ.Default).init();
    elements := NEW(REF ARRAY OF IntPQ.Elt, n);
    EVAL dice.init(TRUE);
    FOR i := 0 TO n - 1 DO elements[i] := NEW(IntPQ.Elt, priority := dice.integer(1, n)) END;
  END MakeElements;

PROCEDURE InsertAll(n: CARDINAL) =
  BEGIN
    FOR i := 0 TO n - 1 DO queue.insert(elements[i]) END;
  END InsertAll;

PROCEDURE InsertDescending(n: CARDINAL) =
  BEGIN
    FOR i := 0 TO n - 1 DO
      elements[i].priority := -i;
      queue.insert(elements[i]);
    END;
  END InsertDescending;

PROCEDURE FullQueue(n: CARDINAL) =
  BEGIN
    MakeElements(n);
    EVAL queue.fromArray(elements^);
  END FullQueue;

PROCEDURE QueueFromArray(<*UNUSED*> n: CARDINAL) =
  BEGIN
    EVAL queue.fromArray(elements^);
  END QueueFromArray;

PROCEDURE DeleteMins(n: CARDINAL) RAISES ANY =
  BEGIN
    FOR i := 1 TO n DO EVAL queue.deleteMin() END;
  END DeleteMins;

PROCEDURE ChangeAll(n: CARDINAL) RAISES ANY =
  BEGIN
    FOR i := 0 TO n - 1 DO queue.change(elements[i], n - elements[i].priority) END;
  END ChangeAll;

PROCEDURE DeleteAll(n: CARDINAL) RAISES ANY =
  BEGIN
    FOR i := 0 TO n - 1 DO queue.delete(elements[i]) END;
  END DeleteAll;

PROCEDURE TestPriorityQueues(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "queue: insert, random", 65, InsertAll, MakeElements);
    Cost.Check(t, "queue: insert, descending", 220, InsertDescending, MakeElements);
    Cost.Check(t, "queue: fromArray", 50, QueueFromArray, MakeElements);
    Cost.Check(t, "queue: deleteMin", 320, DeleteMins, FullQueue);
    Cost.Check(t, "queue: change", 90, ChangeAll, FullQueue);
    Cost.Check(t, "queue: delete", 95, DeleteAll, FullQueue);
  END TestPriorityQueues;

(* Lists. *)

PROCEDURE MakeList(n: CARDINAL) =
  BEGIN
    list := NIL;
    EVAL dice.init(TRUE);
    FOR i := 1 TO n DO list := IntList.Cons(dice.integer(), list) END;
  END MakeList;

PROCEDURE UseList(<*UNUSED*> n: CARDINAL) =
  BEGIN
    list := IntList.Append(IntList.Reverse(list), IntList.List1(1));
    list := IntList.AppendD(IntList.ReverseD(list), IntList.List1(2));
    <*ASSERT IntList.Member(list, 2) AND IntList.Length(list) > 2*>
  END UseList;

PROCEDURE SortList(<*UNUSED*> n: CARDINAL) =
  BEGIN
    list := IntListSort.Sort(list);
    list := IntListSort.SortD(IntList.Reverse(list));
  END SortList;

PROCEDURE IsEmptyOften(n: CARDINAL) =
  VAR s := NEW(IntSetList.T).init();
  BEGIN
    FOR i := 1 TO 300 DO EVAL s.insert(i) END;
    FOR i := 1 TO n DO <*ASSERT NOT s.isEmpty()*> END;
  END IsEmptyOften;

PROCEDURE TestLists(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "list: Append, Reverse, Member, Length", 40, UseList, MakeList);
    Cost.Check(t, "list: Sort, SortD", 260, SortList, MakeList);
    Cost.Check(t, "list set of 300: isEmpty", 15, IsEmptyOften, first := 4000);
  END TestLists;

(* Arrays that are sorted. *)

PROCEDURE Ascending(n: CARDINAL) =
  BEGIN
    array := NEW(REF ARRAY OF INTEGER, n);
    FOR i := 0 TO n - 1 DO array[i] := i END;
  END Ascending;

PROCEDURE Descending(n: CARDINAL) =
  BEGIN
    Ascending(n);
    FOR i := 0 TO n - 1 DO array[i] := -i END;
  END Descending;

PROCEDURE Random1(n: CARDINAL) =
  BEGIN
    Ascending(n);
    EVAL dice.init(TRUE);
    FOR i := 0 TO n - 1 DO array[i] := dice.integer() END;
  END Random1;

PROCEDURE FewValues(n: CARDINAL) =
  BEGIN
    Ascending(n);
    EVAL dice.init(TRUE);
    FOR i := 0 TO n - 1 DO array[i] := dice.integer(1, 3) END;
  END FewValues;

PROCEDURE Pipe(n: CARDINAL) =
  BEGIN
    Ascending(n);
    FOR i := 0 TO n - 1 DO array[i] := MIN(i, n - i) END;
  END Pipe;

(* An order that an adversary finds out while the array is sorted: elements get values only when
   they are compared, so that each pivot is one of the least (McIlroy 1999). *)
VAR
  values: REF ARRAY OF INTEGER;
  solid: INTEGER;
  candidate: INTEGER;
  gas: INTEGER;

PROCEDURE Adversary(a, b: INTEGER): [-1..1] =
  BEGIN
    IF values[a] = gas AND values[b] = gas THEN
      IF a = candidate THEN values[a] := solid ELSE values[b] := solid END;
      INC(solid);
    END;
    IF values[a] = gas THEN candidate := a ELSIF values[b] = gas THEN candidate := b END;
    RETURN Integer.Compare(values[a], values[b]);
  END Adversary;

PROCEDURE StartAdversary(n: CARDINAL) =
  BEGIN
    Ascending(n);
    values := NEW(REF ARRAY OF INTEGER, n);
    gas := n;
    FOR i := 0 TO n - 1 DO values[i] := gas END;
    solid := 0;
    candidate := 0;
  END StartAdversary;

PROCEDURE SortByAdversary(<*UNUSED*> n: CARDINAL) =
  BEGIN
    IntArraySort.Sort(array^, Adversary);
  END SortByAdversary;

(* The order that the adversary has found. *)
PROCEDURE Found(n: CARDINAL) =
  BEGIN
    StartAdversary(n);
    SortByAdversary(n);
    array := values;
  END Found;

PROCEDURE Sort(<*UNUSED*> n: CARDINAL) =
  BEGIN
    IntArraySort.Sort(array^);
  END Sort;

PROCEDURE Backward(a, b: INTEGER): [-1..1] =
  BEGIN
    RETURN Integer.Compare(b, a);
  END Backward;

PROCEDURE SortBackward(<*UNUSED*> n: CARDINAL) =
  BEGIN
    IntArraySort.Sort(array^, Backward);
  END SortBackward;

PROCEDURE MakeTexts(n: CARDINAL) =
  BEGIN
    texts := NEW(REF ARRAY OF TEXT, n);
    EVAL dice.init(TRUE);
    FOR i := 0 TO n - 1 DO texts[i] := "the same beginning " & Fmt.Int(dice.integer()) END;
  END MakeTexts;

PROCEDURE SortTexts(<*UNUSED*> n: CARDINAL) =
  BEGIN
    TextArraySort.Sort(texts^);
  END SortTexts;

PROCEDURE TestSorting(t: Test.T) RAISES ANY =
  TYPE Row = RECORD name: TEXT; prepare: Cost.Operation END;
  CONST Rows = ARRAY OF Row{Row{"ascending", Ascending}, Row{"descending", Descending}, Row{"random", Random1},
                            Row{"few values", FewValues}, Row{"up and down", Pipe}, Row{"hostile", Found}};
  BEGIN
    FOR i := 0 TO LAST(Rows) DO
      Cost.Check(t, "sort: " & Rows[i].name, 460, Sort, Rows[i].prepare);
      Cost.Check(t, "sort backward: " & Rows[i].name, 320, SortBackward, Rows[i].prepare);
    END;
    Cost.Check(t, "sort: an adversary compares", 840, SortByAdversary, StartAdversary);
    Cost.Check(t, "sort: texts", 600, SortTexts, MakeTexts);
  END TestSorting;

(* Atoms: many, and many whose texts have hashes that end in the same bits. *)

VAR
  atomNames: REF ARRAY OF TEXT;
  round := 0;

PROCEDURE NameAtoms(n: CARDINAL) =
  BEGIN
    INC(round);
    atomNames := NEW(REF ARRAY OF TEXT, n);
    FOR i := 0 TO n - 1 DO atomNames[i] := "atom " & Fmt.Int(round) & "." & Fmt.Int(i) END;
  END NameAtoms;

(* Names whose hashes by Text.Hash end in the same 14 bits: two pieces at each of the places lead from
   the same bits to the same bits (Joux 2004). *)
PROCEDURE NameHostileAtoms(n: CARDINAL) =
  CONST Bits = 14;
  VAR state: CARDINAL := Word.Extract(16_CBF29CE484222325, 0, Bits);  pieces: ARRAY [0..15], [0..1] OF TEXT;

  PROCEDURE Piece(i: CARDINAL): TEXT =
    VAR piece := Fmt.Int(round);
    BEGIN
      FOR k := 1 TO 4 DO
        piece := Text.FromChar(VAL(ORD('a') + i MOD 26, CHAR)) & piece;
        i := i DIV 26;
      END;
      RETURN piece;
    END Piece;

  PROCEDURE After(piece: TEXT): CARDINAL =
    VAR hash: Word.T := state;
    BEGIN
      FOR i := 0 TO Text.Length(piece) - 1 DO
        hash := Word.Extract(Word.Times(Word.Xor(hash, ORD(Text.GetChar(piece, i))), 16_100000001B3), 0, Bits);
      END;
      RETURN hash;
    END After;

  PROCEDURE FindTwo(VAR two: ARRAY [0..1] OF TEXT) =
    VAR seen := NEW(IntIntTbl.Default).init();  i: CARDINAL := 0;  first: INTEGER;
    BEGIN
      WHILE NOT seen.get(After(Piece(i)), first) DO
        EVAL seen.put(After(Piece(i)), i);
        INC(i);
      END;
      two[0] := Piece(first);
      two[1] := Piece(i);
      state := After(two[0]);
    END FindTwo;

  BEGIN
    INC(round);
    FOR i := 0 TO LAST(pieces) DO FindTwo(pieces[i]) END;
    atomNames := NEW(REF ARRAY OF TEXT, n);
    FOR i := 0 TO n - 1 DO
      atomNames[i] := "";
      FOR k := 0 TO LAST(pieces) DO atomNames[i] := atomNames[i] & pieces[k][Word.Extract(i, k, 1)] END;
    END;
    <*ASSERT Word.Extract(Word.Xor(Text.Hash(atomNames[0]), Text.Hash(atomNames[n - 1])), 0, Bits) = 0*>
  END NameHostileAtoms;

PROCEDURE MakeAtoms(n: CARDINAL) =
  VAR table := NEW(AtomIntTbl.Default).init();
  BEGIN
    FOR i := 0 TO n - 1 DO EVAL table.put(Atom.FromText(atomNames[i]), i) END;
  END MakeAtoms;

PROCEDURE TestAtoms(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "atoms", 300, MakeAtoms, NameAtoms);
    Cost.Check(t, "atoms, hashes that end alike", 700, MakeAtoms, NameHostileAtoms);
  END TestAtoms;

BEGIN
END ContainersGrowthTest.
