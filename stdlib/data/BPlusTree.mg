(* B+ trees (Comer 1979): all entries are in the leaves, which are at the same depth and linked in
   the order of their keys. Tbl is the instance of Table(Key, Value) that SortedTbl is over. *)
GENERIC MODULE BPlusTree(Key, Value, Tbl, SortedTbl);

TYPE
  Node = OBJECT
    count: CARDINAL := 0;  (* of items or branches *)
  END;

  Leaf = Node OBJECT
    items: Items;
    previous, next: Leaf := NIL;
  END;
  Items = REF ARRAY OF Item;
  Item = RECORD key: Key.T; value: Value.T END;

  Inner = Node OBJECT
    branches: Branches;
  END;
  Branches = REF ARRAY OF Branch;
  (* All keys below child are >= key, and all keys below earlier branches are < key. The key of
     the first branch of a node is not used. *)
  Branch = RECORD key: Key.T; child: Node END;

REVEAL
  T = Public BRANDED Brand OBJECT
      min: CARDINAL := 0;  (* of items or branches in a node; see Room *)
      root: Node := NIL;   (* NIL before init *)
      total: CARDINAL := 0;
    OVERRIDES
      init := Init;
      keyCompare := KeyCompare;
      get := Get;
      put := Put;
      delete := Delete;
      size := Size;
      iterate := Iterate;
      iterateOrdered := IterateOrdered;
    END;

  Iterator = IteratorPublic BRANDED Brand & ".Iterator" OBJECT
      tree: T;
      up: BOOLEAN;
      leaf: Leaf := NIL;  (* the leaf with the next item, at `at`; NIL at the end *)
      at: CARDINAL := 0;
      done := FALSE;
    OVERRIDES
      init := IterInit;
      next := IterNext;
      seek := IterSeek;
      reset := IterReset;
    END;

VAR
  blank: Item;  (* the contents of unused places, so that they keep nothing alive *)
  blankBranch: Branch;

PROCEDURE Init(t: T; n: INTEGER): T =
  BEGIN
    t.min := MAX(n, 2);
    t.root := NewLeaf(t);
    t.total := 0;
    RETURN t;
  END Init;

PROCEDURE KeyCompare(<*UNUSED*> t: T; READONLY k1, k2: Key.T): [-1..1] =
  BEGIN
    RETURN Key.Compare(k1, k2);
  END KeyCompare;

(* Whether keys are compared by Key.Compare, which can be inlined. *)
PROCEDURE IsPlain(t: T): BOOLEAN =
  BEGIN
    RETURN TYPECODE(t) = TYPECODE(T);
  END IsPlain;

PROCEDURE Order(t: T; plain: BOOLEAN; READONLY k1, k2: Key.T): [-1..1] =
  BEGIN
    IF plain THEN RETURN Key.Compare(k1, k2) ELSE RETURN t.keyCompare(k1, k2) END;
  END Order;

(* The number of entries for which a new node has room: 2 * n - 1. With the default n and one
   word for each key and value, two arrays with header and length then fill a page of 8 KB.
   Nodes in databases may have room for one more. *)
PROCEDURE Room(t: T): CARDINAL =
  BEGIN
    RETURN 2 * t.min - 1;
  END Room;

PROCEDURE NewLeaf(t: T): Leaf =
  BEGIN
    RETURN NEW(Leaf, items := NEW(Items, Room(t)));
  END NewLeaf;

PROCEDURE NewInner(t: T): Inner =
  BEGIN
    RETURN NEW(Inner, branches := NEW(Branches, Room(t)));
  END NewInner;

(* The first item whose key is not less than k, or count. *)
PROCEDURE FirstItem(t: T; leaf: Leaf; READONLY k: Key.T): CARDINAL =
  BEGIN
    IF IsPlain(t) THEN
      RETURN SearchItems(t, TRUE, leaf, k);
    ELSE
      RETURN SearchItems(t, FALSE, leaf, k);
    END;
  END FirstItem;

<*INLINE*> PROCEDURE SearchItems(t: T; plain: BOOLEAN; leaf: Leaf; READONLY k: Key.T): CARDINAL =
  VAR low, high, middle: CARDINAL;  items := leaf.items;
  BEGIN
    low := 0;
    high := leaf.count;
    WHILE low < high DO
      middle := (low + high) DIV 2;
      IF Order(t, plain, items[middle].key, k) < 0 THEN
        low := middle + 1;
      ELSE
        high := middle;
      END;
    END;
    RETURN low;
  END SearchItems;

(* The branch below which k belongs. *)
PROCEDURE BranchFor(t: T; inner: Inner; READONLY k: Key.T): CARDINAL =
  BEGIN
    IF IsPlain(t) THEN
      RETURN SearchBranches(t, TRUE, inner, k);
    ELSE
      RETURN SearchBranches(t, FALSE, inner, k);
    END;
  END BranchFor;

<*INLINE*> PROCEDURE SearchBranches(t: T; plain: BOOLEAN; inner: Inner;
                                    READONLY k: Key.T): CARDINAL =
  VAR low, high, middle: CARDINAL;  branches := inner.branches;
  BEGIN
    low := 1;
    high := inner.count;
    WHILE low < high DO
      middle := (low + high) DIV 2;
      IF Order(t, plain, branches[middle].key, k) <= 0 THEN
        low := middle + 1;
      ELSE
        high := middle;
      END;
    END;
    RETURN low - 1;
  END SearchBranches;

PROCEDURE LeafFor(t: T; READONLY k: Key.T): Leaf =
  VAR node := t.root;
  BEGIN
    LOOP
      TYPECASE node OF
      | NULL => RETURN NIL;
      | Leaf (leaf) => RETURN leaf;
      | Inner (inner) => node := inner.branches[BranchFor(t, inner, k)].child;
      ELSE <*ASSERT FALSE*>
      END;
    END;
  END LeafFor;

PROCEDURE Get(t: T; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  BEGIN
    IF IsPlain(t) THEN RETURN PlainGet(t, k, v) ELSE RETURN OrderedGet(t, k, v) END;
  END Get;

PROCEDURE OrderedGet(t: T; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR leaf: Leaf;  i: CARDINAL;
  BEGIN
    leaf := LeafFor(t, k);
    IF leaf = NIL THEN RETURN FALSE END;
    i := FirstItem(t, leaf, k);
    IF i = leaf.count OR t.keyCompare(k, leaf.items[i].key) # 0 THEN RETURN FALSE END;
    v := leaf.items[i].value;
    RETURN TRUE;
  END OrderedGet;

(* The same for keys compared by Key.Compare, in one loop. *)
PROCEDURE PlainGet(t: T; READONLY key: Key.T; VAR v: Value.T): BOOLEAN =
  VAR node := t.root;  k := key;  low, n, half: INTEGER;
  BEGIN
    IF node = NIL THEN RETURN FALSE END;
    LOOP
      (* The result is at low or at one of the n - 1 places behind it. *)
      low := 0;
      TYPECASE node OF
      | Inner (inner) =>
        n := inner.count;
        WITH branches = inner.branches^ DO
          WHILE n > 1 DO
            half := n DIV 2;
            IF Key.Compare(branches[low + half].key, k) <= 0 THEN INC(low, half) END;
            DEC(n, half);
          END;
          node := branches[low].child;
        END;
      | Leaf (leaf) =>
        n := leaf.count;
        IF n = 0 THEN RETURN FALSE END;
        WITH items = leaf.items^ DO
          WHILE n > 1 DO
            half := n DIV 2;
            IF Key.Compare(items[low + half].key, k) <= 0 THEN INC(low, half) END;
            DEC(n, half);
          END;
          IF Key.Compare(items[low].key, k) # 0 THEN RETURN FALSE END;
          v := items[low].value;
          RETURN TRUE;
        END;
      ELSE <*ASSERT FALSE*>
      END;
    END;
  END PlainGet;

(* Insertion. *)

PROCEDURE Put(t: T; READONLY k: Key.T; READONLY v: Value.T): BOOLEAN =
  VAR split: Branch;  root: Inner;
  BEGIN
    IF t.root = NIL THEN EVAL t.init() END;
    split.child := NIL;
    IF Insert(t, t.root, k, v, split) THEN RETURN TRUE END;
    INC(t.total);
    IF split.child # NIL THEN
      root := NewInner(t);
      root.branches[0].child := t.root;
      root.branches[1] := split;
      root.count := 2;
      t.root := root;
    END;
    RETURN FALSE;
  END Put;

(* Returns whether k was in the tree. If the node had to be split, sets `split` to the new node
   after it. *)
PROCEDURE Insert(t: T; node: Node; READONLY k: Key.T; READONLY v: Value.T; VAR split: Branch):
  BOOLEAN =
  VAR below: Branch;  i: CARDINAL;
  BEGIN
    TYPECASE node OF
    | Leaf (leaf) => RETURN InsertItem(t, leaf, k, v, split);
    | Inner (inner) =>
      i := BranchFor(t, inner, k);
      below.child := NIL;
      IF Insert(t, inner.branches[i].child, k, v, below) THEN RETURN TRUE END;
      IF below.child # NIL THEN InsertBranch(t, inner, i + 1, below, split) END;
      RETURN FALSE;
    ELSE <*ASSERT FALSE*>
    END;
  END Insert;

PROCEDURE InsertItem(t: T; leaf: Leaf; READONLY k: Key.T; READONLY v: Value.T; VAR split: Branch):
  BOOLEAN =
  VAR i := FirstItem(t, leaf, k);  stay: CARDINAL;  new: Leaf;
  BEGIN
    IF i < leaf.count AND Order(t, IsPlain(t), k, leaf.items[i].key) = 0 THEN
      leaf.items[i].value := v;
      RETURN TRUE;
    END;
    IF leaf.count = NUMBER(leaf.items^) THEN
      stay := Staying(t, leaf, i);
      new := NewLeaf(t);
      MoveItems(new, 0, leaf, stay, leaf.count - stay);
      new.next := leaf.next;
      new.previous := leaf;
      IF new.next # NIL THEN new.next.previous := new END;
      leaf.next := new;
      split.child := new;
      IF i >= t.min THEN
        leaf := new;
        DEC(i, stay);
      END;
    END;
    SUBARRAY(leaf.items^, i + 1, leaf.count - i) := SUBARRAY(leaf.items^, i, leaf.count - i);
    leaf.items[i].key := k;
    leaf.items[i].value := v;
    INC(leaf.count);
    IF split.child # NIL THEN split.key := new.items[0].key END;
    RETURN FALSE;
  END InsertItem;

(* The number of entries that stay in a full node when it is split for a new entry at i: with the
   new entry both nodes have at least t.min. *)
PROCEDURE Staying(t: T; node: Node; i: CARDINAL): CARDINAL =
  BEGIN
    IF i >= t.min THEN RETURN t.min ELSE RETURN node.count - t.min END;
  END Staying;

PROCEDURE InsertBranch(t: T; inner: Inner; i: CARDINAL; READONLY branch: Branch;
                       VAR split: Branch) =
  VAR stay: CARDINAL;  new: Inner;
  BEGIN
    IF inner.count = NUMBER(inner.branches^) THEN
      stay := Staying(t, inner, i);
      new := NewInner(t);
      split.child := new;
      MoveBranches(new, 0, inner, stay, inner.count - stay);
      IF i >= t.min THEN
        inner := new;
        DEC(i, stay);
      END;
    END;
    SUBARRAY(inner.branches^, i + 1, inner.count - i) :=
      SUBARRAY(inner.branches^, i, inner.count - i);
    inner.branches[i] := branch;
    INC(inner.count);
    IF split.child # NIL THEN split.key := new.branches[0].key END;
  END InsertBranch;

(* Moves n items from one end of `from` to the other end of `to`. *)
PROCEDURE MoveItems(to: Leaf; at: CARDINAL; from: Leaf; start, n: CARDINAL) =
  VAR rest := from.count - n;
  BEGIN
    IF at < to.count THEN
      SUBARRAY(to.items^, at + n, to.count - at) := SUBARRAY(to.items^, at, to.count - at);
    END;
    SUBARRAY(to.items^, at, n) := SUBARRAY(from.items^, start, n);
    INC(to.count, n);
    IF start = 0 THEN SUBARRAY(from.items^, 0, rest) := SUBARRAY(from.items^, n, rest) END;
    FOR i := rest TO from.count - 1 DO from.items[i] := blank END;
    from.count := rest;
  END MoveItems;

(* The same for branches. *)
PROCEDURE MoveBranches(to: Inner; at: CARDINAL; from: Inner; start, n: CARDINAL) =
  VAR rest := from.count - n;
  BEGIN
    IF at < to.count THEN
      SUBARRAY(to.branches^, at + n, to.count - at) := SUBARRAY(to.branches^, at, to.count - at);
    END;
    SUBARRAY(to.branches^, at, n) := SUBARRAY(from.branches^, start, n);
    INC(to.count, n);
    IF start = 0 THEN SUBARRAY(from.branches^, 0, rest) := SUBARRAY(from.branches^, n, rest) END;
    FOR i := rest TO from.count - 1 DO from.branches[i] := blankBranch END;
    from.count := rest;
  END MoveBranches;

(* Deletion. *)

PROCEDURE Delete(t: T; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  BEGIN
    IF t.root = NIL OR NOT Remove(t, t.root, k, v) THEN RETURN FALSE END;
    DEC(t.total);
    TYPECASE t.root OF
    | Inner (inner) => IF inner.count = 1 THEN t.root := inner.branches[0].child END;
    ELSE
    END;
    RETURN TRUE;
  END Delete;

(* Afterwards the node may have one entry too few. *)
PROCEDURE Remove(t: T; node: Node; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR i: CARDINAL;
  BEGIN
    TYPECASE node OF
    | Leaf (leaf) =>
      i := FirstItem(t, leaf, k);
      IF i = leaf.count OR Order(t, IsPlain(t), k, leaf.items[i].key) # 0 THEN RETURN FALSE END;
      v := leaf.items[i].value;
      DEC(leaf.count);
      SUBARRAY(leaf.items^, i, leaf.count - i) := SUBARRAY(leaf.items^, i + 1, leaf.count - i);
      leaf.items[leaf.count] := blank;
      RETURN TRUE;
    | Inner (inner) =>
      i := BranchFor(t, inner, k);
      IF NOT Remove(t, inner.branches[i].child, k, v) THEN RETURN FALSE END;
      IF inner.branches[i].child.count < t.min THEN Refill(t, inner, i) END;
      RETURN TRUE;
    ELSE <*ASSERT FALSE*>
    END;
  END Remove;

(* The child of branch i has one entry too few: takes one from a neighbour that can spare it, or
   merges the two nodes. *)
PROCEDURE Refill(t: T; inner: Inner; i: CARDINAL) =
  VAR left := MAX(i, 1) - 1;  right := left + 1;  rest: CARDINAL;
  BEGIN
    WITH separator = inner.branches[right].key DO
      TYPECASE inner.branches[left].child OF
      | Leaf (a) =>
        WITH b = NARROW(inner.branches[right].child, Leaf) DO
          IF a.count + b.count <= NUMBER(a.items^) THEN
            MoveItems(a, a.count, b, 0, b.count);
            a.next := b.next;
            IF b.next # NIL THEN b.next.previous := a END;
          ELSIF a.count < b.count THEN
            MoveItems(a, a.count, b, 0, 1);
            separator := b.items[0].key;
          ELSE
            MoveItems(b, 0, a, a.count - 1, 1);
            separator := b.items[0].key;
          END;
        END;
      | Inner (a) =>
        WITH b = NARROW(inner.branches[right].child, Inner) DO
          (* The unused key of the first branch comes into use. *)
          b.branches[0].key := separator;
          IF a.count + b.count <= NUMBER(a.branches^) THEN
            MoveBranches(a, a.count, b, 0, b.count);
          ELSIF a.count < b.count THEN
            MoveBranches(a, a.count, b, 0, 1);
            separator := b.branches[0].key;
          ELSE
            MoveBranches(b, 0, a, a.count - 1, 1);
            separator := b.branches[0].key;
          END;
        END;
      ELSE <*ASSERT FALSE*>
      END;
    END;
    IF inner.branches[right].child.count = 0 THEN
      DEC(inner.count);
      rest := inner.count - right;
      SUBARRAY(inner.branches^, right, rest) := SUBARRAY(inner.branches^, right + 1, rest);
      inner.branches[inner.count] := blankBranch;
    END;
  END Refill;

PROCEDURE Size(t: T): CARDINAL =
  BEGIN
    RETURN t.total;
  END Size;

(* Iteration. *)

PROCEDURE Iterate(t: T): Tbl.Iterator =
  BEGIN
    RETURN IterateOrdered(t, TRUE);
  END Iterate;

PROCEDURE IterateOrdered(t: T; up: BOOLEAN): SortedTbl.Iterator =
  VAR i := NEW(Iterator, tree := t, up := up);
  BEGIN
    IterReset(i);
    RETURN i;
  END IterateOrdered;

PROCEDURE IterInit(i: Iterator): Tbl.Iterator =
  BEGIN
    IterReset(i);
    RETURN i;
  END IterInit;

PROCEDURE IterReset(i: Iterator) =
  VAR node := i.tree.root;
  BEGIN
    i.done := FALSE;
    i.leaf := NIL;
    WHILE node # NIL DO
      TYPECASE node OF
      | Inner (inner) =>
        IF i.up THEN
          node := inner.branches[0].child;
        ELSE
          node := inner.branches[inner.count - 1].child;
        END;
      | Leaf (leaf) =>
        i.leaf := leaf;
        IF leaf.count = 0 THEN
          i.leaf := NIL;
        ELSIF i.up THEN
          i.at := 0;
        ELSE
          i.at := leaf.count - 1;
        END;
        RETURN;
      ELSE <*ASSERT FALSE*>
      END;
    END;
  END IterReset;

PROCEDURE IterNext(i: Iterator; VAR k: Key.T; VAR v: Value.T): BOOLEAN =
  BEGIN
    <*ASSERT NOT i.done WITH "BPlusTree: the iterator has come to its end"*>
    IF i.leaf = NIL THEN
      i.done := TRUE;
      RETURN FALSE;
    END;
    k := i.leaf.items[i.at].key;
    v := i.leaf.items[i.at].value;
    IF i.up THEN
      INC(i.at);
      IF i.at = i.leaf.count THEN
        i.leaf := i.leaf.next;
        i.at := 0;
      END;
    ELSIF i.at > 0 THEN
      DEC(i.at);
    ELSE
      StepBack(i);
    END;
    RETURN TRUE;
  END IterNext;

(* Moves to the last item of the previous leaf. *)
PROCEDURE StepBack(i: Iterator) =
  BEGIN
    i.leaf := i.leaf.previous;
    IF i.leaf # NIL THEN i.at := i.leaf.count - 1 END;
  END StepBack;

PROCEDURE IterSeek(i: Iterator; READONLY key: Key.T) =
  VAR t := i.tree;
  BEGIN
    i.done := FALSE;
    i.leaf := LeafFor(t, key);
    IF i.leaf = NIL THEN RETURN END;
    i.at := FirstItem(t, i.leaf, key);
    IF i.up THEN
      IF i.at = i.leaf.count THEN
        i.leaf := i.leaf.next;
        i.at := 0;
      END;
    ELSIF i.at = i.leaf.count OR t.keyCompare(i.leaf.items[i.at].key, key) # 0 THEN
      IF i.at > 0 THEN DEC(i.at) ELSE StepBack(i) END;
    END;
  END IterSeek;

(* Loading. *)

PROCEDURE Load(t: T; READONLY keys: ARRAY OF Key.T; READONLY values: ARRAY OF Value.T) =
  VAR level, above: Branches;  leaf, previous: Leaf := NIL;  inner: Inner;  n, start, end: CARDINAL;
  BEGIN
    <*ASSERT NUMBER(keys) = NUMBER(values) WITH "BPlusTree.Load: the arrays differ in length"*>
    FOR i := 1 TO LAST(keys) DO
      <*ASSERT t.keyCompare(keys[i - 1], keys[i]) < 0
               WITH "BPlusTree.Load: the keys do not ascend"*>
    END;
    IF t.min = 0 THEN EVAL t.init() ELSE EVAL t.init(t.min) END;
    IF NUMBER(keys) = 0 THEN RETURN END;
    t.total := NUMBER(keys);
    (* The entries are spread evenly over as few nodes as possible, so each node is at least half
       full. *)
    n := (NUMBER(keys) + Room(t) - 1) DIV Room(t);
    level := NEW(Branches, n);
    FOR i := 0 TO n - 1 DO
      start := i * NUMBER(keys) DIV n;
      end := (i + 1) * NUMBER(keys) DIV n;
      leaf := NewLeaf(t);
      leaf.count := end - start;
      FOR k := start TO end - 1 DO
        leaf.items[k - start].key := keys[k];
        leaf.items[k - start].value := values[k];
      END;
      leaf.previous := previous;
      IF previous # NIL THEN previous.next := leaf END;
      previous := leaf;
      level[i].key := keys[start];
      level[i].child := leaf;
    END;
    WHILE NUMBER(level^) > 1 DO
      n := (NUMBER(level^) + Room(t) - 1) DIV Room(t);
      above := NEW(Branches, n);
      FOR i := 0 TO n - 1 DO
        start := i * NUMBER(level^) DIV n;
        end := (i + 1) * NUMBER(level^) DIV n;
        inner := NewInner(t);
        inner.count := end - start;
        SUBARRAY(inner.branches^, 0, inner.count) := SUBARRAY(level^, start, inner.count);
        above[i].key := level[start].key;
        above[i].child := inner;
      END;
      level := above;
    END;
    t.root := level[0].child;
  END Load;

(* Checking. *)

PROCEDURE Validate(t: T) =
  VAR last: Leaf := NIL;  total: CARDINAL := 0;  depth: INTEGER := -1;

  (* low is the first key below node, unless node is the first one; returns the depth. *)
  PROCEDURE Walk(node: Node; at: CARDINAL; READONLY low: Branch) =
    BEGIN
      <*ASSERT node = t.root OR node.count >= t.min*>
      TYPECASE node OF
      | Leaf (leaf) =>
        <*ASSERT depth = -1 OR depth = at*>
        depth := at;
        <*ASSERT leaf.previous = last*>
        <*ASSERT last = NIL OR last.next = leaf*>
        FOR i := 0 TO leaf.count - 1 DO
          IF i > 0 THEN
            <*ASSERT t.keyCompare(leaf.items[i - 1].key, leaf.items[i].key) < 0*>
          END;
          IF low.child # NIL THEN <*ASSERT t.keyCompare(low.key, leaf.items[i].key) <= 0*> END;
        END;
        IF last # NIL AND leaf.count > 0 THEN
          <*ASSERT t.keyCompare(last.items[last.count - 1].key, leaf.items[0].key) < 0*>
        END;
        last := leaf;
        INC(total, leaf.count);
      | Inner (inner) =>
        <*ASSERT inner.count >= 2*>
        FOR i := 0 TO inner.count - 1 DO
          IF i = 0 THEN
            Walk(inner.branches[0].child, at + 1, low);
          ELSE
            Walk(inner.branches[i].child, at + 1, inner.branches[i]);
            IF last # NIL AND i < inner.count - 1 THEN
              <*ASSERT t.keyCompare(last.items[last.count - 1].key,
                                    inner.branches[i + 1].key) < 0*>
            END;
          END;
        END;
      ELSE <*ASSERT FALSE*>
      END;
    END Walk;

  BEGIN
    IF t.root # NIL THEN Walk(t.root, 0, Branch{key := blankBranch.key, child := NIL}) END;
    <*ASSERT last = NIL OR last.next = NIL*>
    <*ASSERT total = t.total*>
  END Validate;

BEGIN
END BPlusTree.
