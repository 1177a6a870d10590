(* Sorted tables for many entries that are persistent: B+ trees, in which a look-up touches few
   pages. SortedTbl is an instance of SortedTable(Key, Table(Key, Value)).

   Example:

       MODULE Main;
       IMPORT Fmt, IntTextBPlusTree, IO;
       VAR tree := NEW(IntTextBPlusTree.T).init();  key: INTEGER;  value: TEXT;
       BEGIN
         FOR i := 1 TO 1000 DO EVAL tree.put(i, "number " & Fmt.Int(i)) END;
         WITH all = tree.iterateOrdered() DO
           all.seek(998);
           WHILE all.next(key, value) DO IO.Put(value & "\n") END;
         END;
       END Main.

   It prints

       number 998
       number 999
       number 1000
*)
GENERIC INTERFACE BPlusTree(Key, Value, SortedTbl);

CONST
  Brand = "(BPlusTree " & Key.Brand & " " & Value.Brand & ")";

TYPE
  T <: Public;
  Public = SortedTbl.T OBJECT METHODS
    (* Makes the tree empty. Each node except the root has at least n and fewer than 2 * n
       entries; n is at least 2. With n = 128, a node takes half a page of 8 KB. *)
    init(n := 128): T;

    (* May be overridden; by default Key.Compare. *)
    keyCompare(READONLY k1, k2: Key.T): [-1..1];
  END;

  (* The iterator that iterate and iterateOrdered return. To visit a range of keys, seek to its
     first key and go on, in either direction. *)
  Iterator <: IteratorPublic;
  IteratorPublic = SortedTbl.Iterator OBJECT METHODS
    (* Starts again. *)
    reset();
  END;

(* Fills t with the entries (keys[i], values[i]), in time linear in their number and in full
   nodes. The keys must be in ascending order, and there must be as many values as keys;
   otherwise it is a checked run-time error. *)
PROCEDURE Load(t: T; READONLY keys: ARRAY OF Key.T; READONLY values: ARRAY OF Value.T);

(* A checked run-time error if the tree is not well formed: for tests. *)
PROCEDURE Validate(t: T);

END BPlusTree.
