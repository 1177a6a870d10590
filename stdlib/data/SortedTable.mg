(* Treaps (Seidel & Aragon 1996): search trees by key that are also heaps by a random number;
   this keeps them flat for any order of insertion. Tbl is the instance of Table(Key, Value). *)
GENERIC MODULE SortedTable(Key, Value, Tbl);

IMPORT Random, Word;

TYPE
  Node = REF RECORD
    key: Key.T;
    value: Value.T;
    weight: Word.T;  (* not smaller than the children's, as unsigned numbers *)
    left, right: Node := NIL;
  END;

  Path = REF ARRAY OF Node;

  Iter = Iterator OBJECT
      table: Default;
      up: BOOLEAN;
      (* path[0..depth-1] are the nodes still to be visited among the next node and its
         ancestors; the last of them is the next node. *)
      path: Path;
      depth: CARDINAL := 0;
      done := FALSE;
    OVERRIDES
      init := IterInit;
      next := IterNext;
      seek := IterSeek;
    END;

REVEAL
  Default = T OBJECT METHODS
      init(): Default;
      keyCompare(READONLY k1, k2: Key.T): [-1..1];
    END BRANDED DefaultBrand OBJECT
      root: Node := NIL;
      count: CARDINAL := 0;
      state: Word.T := 0;  (* of the generator of weights *)
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

PROCEDURE Init(t: Default): Default =
  BEGIN
    t.root := NIL;
    t.count := 0;
    RETURN t;
  END Init;

PROCEDURE KeyCompare(<*UNUSED*> t: Default; READONLY k1, k2: Key.T): [-1..1] =
  BEGIN
    RETURN Key.Compare(k1, k2);
  END KeyCompare;

VAR
  (* Where the weights of a table begin. Another number in each run, which nobody knows who chooses
     keys: an order of keys that is the order of their weights would make the tree a list. *)
  seed: Word.T := NEW(Random.Default).init().integer();

(* A linear congruential generator whose bits are mixed. Not the generator of Random: keys may come
   from that. *)
PROCEDURE NewWeight(t: Default): Word.T =
  VAR z: Word.T;
  BEGIN
    IF t.state = 0 THEN t.state := seed END;
    t.state := Word.Plus(Word.Times(t.state, 16_5851F42D4C957F2D), 16_14057B7EF767814F);
    z := Word.Xor(t.state, Word.RightShift(t.state, 32));
    z := Word.Times(z, 16_D6E8FEB86659FD93);
    RETURN Word.Xor(z, Word.RightShift(z, 32));
  END NewWeight;

PROCEDURE Find(t: Default; READONLY k: Key.T): Node =
  VAR node := t.root;
  BEGIN
    WHILE node # NIL DO
      CASE t.keyCompare(k, node.key) OF
      | -1 => node := node.left;
      | 1 => node := node.right;
      | 0 => RETURN node;
      END;
    END;
    RETURN NIL;
  END Find;

PROCEDURE Get(t: Default; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR node := Find(t, k);
  BEGIN
    IF node = NIL THEN RETURN FALSE END;
    v := node.value;
    RETURN TRUE;
  END Get;

PROCEDURE Put(t: Default; READONLY k: Key.T; READONLY v: Value.T): BOOLEAN =
  VAR node := Find(t, k);
  BEGIN
    IF node # NIL THEN
      node.value := v;
      RETURN TRUE;
    END;
    node := NEW(Node, key := k, value := v, weight := NewWeight(t));
    Insert(t, t.root, node);
    INC(t.count);
    RETURN FALSE;
  END Put;

(* Puts node into the subtree at root, which does not have its key. *)
PROCEDURE Insert(t: Default; VAR root: Node; node: Node) =
  BEGIN
    IF root = NIL THEN
      root := node;
    ELSIF Word.GT(node.weight, root.weight) THEN
      Split(t, root, node.key, node.left, node.right);
      root := node;
    ELSIF t.keyCompare(node.key, root.key) < 0 THEN
      Insert(t, root.left, node);
    ELSE
      Insert(t, root.right, node);
    END;
  END Insert;

(* Splits a tree into two: the nodes before key, and the nodes after it. *)
PROCEDURE Split(t: Default; node: Node; READONLY key: Key.T; VAR before, after: Node) =
  BEGIN
    IF node = NIL THEN
      before := NIL;
      after := NIL;
    ELSIF t.keyCompare(key, node.key) < 0 THEN
      after := node;
      Split(t, node.left, key, before, node.left);
    ELSE
      before := node;
      Split(t, node.right, key, node.right, after);
    END;
  END Split;

PROCEDURE Delete(t: Default; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  BEGIN
    IF NOT Remove(t, t.root, k, v) THEN RETURN FALSE END;
    DEC(t.count);
    RETURN TRUE;
  END Delete;

PROCEDURE Remove(t: Default; VAR root: Node; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  BEGIN
    IF root = NIL THEN RETURN FALSE END;
    CASE t.keyCompare(k, root.key) OF
    | -1 => RETURN Remove(t, root.left, k, v);
    | 1 => RETURN Remove(t, root.right, k, v);
    | 0 =>
      v := root.value;
      root := Join(root.left, root.right);
      RETURN TRUE;
    END;
  END Remove;

(* Joins two trees; all keys of a come before those of b. *)
PROCEDURE Join(a, b: Node): Node =
  BEGIN
    IF a = NIL THEN RETURN b END;
    IF b = NIL THEN RETURN a END;
    IF Word.GT(a.weight, b.weight) THEN
      a.right := Join(a.right, b);
      RETURN a;
    ELSE
      b.left := Join(a, b.left);
      RETURN b;
    END;
  END Join;

PROCEDURE Size(t: Default): CARDINAL =
  BEGIN
    RETURN t.count;
  END Size;

PROCEDURE Iterate(t: Default): Tbl.Iterator =
  BEGIN
    RETURN IterateOrdered(t, TRUE);
  END Iterate;

PROCEDURE IterateOrdered(t: Default; up: BOOLEAN): Iterator =
  BEGIN
    RETURN NEW(Iter, table := t, up := up, path := NEW(Path, 32)).init();
  END IterateOrdered;

PROCEDURE IterInit(i: Iter): Tbl.Iterator =
  BEGIN
    i.depth := 0;
    i.done := FALSE;
    Descend(i, i.table.root);
    RETURN i;
  END IterInit;

PROCEDURE Push(i: Iter; node: Node) =
  VAR longer: Path;
  BEGIN
    IF i.depth = NUMBER(i.path^) THEN
      longer := NEW(Path, 2 * i.depth);
      SUBARRAY(longer^, 0, i.depth) := i.path^;
      i.path := longer;
    END;
    i.path[i.depth] := node;
    INC(i.depth);
  END Push;

(* Pushes node and the nodes on the way to the one that comes first in the order. *)
PROCEDURE Descend(i: Iter; node: Node) =
  BEGIN
    WHILE node # NIL DO
      Push(i, node);
      IF i.up THEN node := node.left ELSE node := node.right END;
    END;
  END Descend;

PROCEDURE IterNext(i: Iter; VAR k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR node: Node;
  BEGIN
    <*ASSERT NOT i.done WITH "SortedTable: the iterator has come to its end"*>
    IF i.depth = 0 THEN
      i.done := TRUE;
      RETURN FALSE;
    END;
    DEC(i.depth);
    node := i.path[i.depth];
    i.path[i.depth] := NIL;
    IF i.up THEN Descend(i, node.right) ELSE Descend(i, node.left) END;
    k := node.key;
    v := node.value;
    RETURN TRUE;
  END IterNext;

PROCEDURE IterSeek(i: Iter; READONLY key: Key.T) =
  VAR node := i.table.root;  order: [-1..1];
  BEGIN
    i.depth := 0;
    i.done := FALSE;
    WHILE node # NIL DO
      order := i.table.keyCompare(key, node.key);
      IF order = 0 THEN
        Push(i, node);
        RETURN;
      ELSIF order < 0 THEN
        IF i.up THEN Push(i, node) END;
        node := node.left;
      ELSE
        IF NOT i.up THEN Push(i, node) END;
        node := node.right;
      END;
    END;
  END IterSeek;

BEGIN
END SortedTable.
