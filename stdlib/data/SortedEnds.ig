(* The first and last entries of sorted tables and B+ trees, and the entries nearest to a key. SortedTbl is an instance
   of SortedTable(Key, Table(Key, Value)); a B+ tree is one of its T.

   Example:

       MODULE Main;
       IMPORT Fmt, IntTextBPlusTree, IO, SortedIntTextEnds;
       VAR queue := NEW(IntTextBPlusTree.T).init();  key: INTEGER;  what: TEXT;
       BEGIN
         FOR i := 1 TO 5 DO EVAL queue.put(10 * i, "job " & Fmt.Int(i)) END;
         IF SortedIntTextEnds.DeleteFirst(queue, key, what) THEN IO.Put(what & "\n") END;
         IF SortedIntTextEnds.AtMost(queue, 39, key, what) THEN IO.Put(what & "\n") END;
         IF NOT SortedIntTextEnds.AtLeast(queue, 51, key, what) THEN IO.Put("none\n") END;
       END Main.

   It prints

       job 1
       job 3
       none

   Each procedure returns FALSE, and leaves key and value, if there is no such entry. Each takes as long as a
   look-up. *)
GENERIC INTERFACE SortedEnds(Key, Value, SortedTbl);

(* The entry with the least, or the greatest, key. *)
PROCEDURE First(t: SortedTbl.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN;
PROCEDURE Last(t: SortedTbl.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN;

(* The same, and then t has the entry no more. *)
PROCEDURE DeleteFirst(t: SortedTbl.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN;
PROCEDURE DeleteLast(t: SortedTbl.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN;

(* The entry with the least key that is not less than `bound`; with the greatest key that is not greater. *)
PROCEDURE AtLeast(t: SortedTbl.T; READONLY bound: Key.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN;
PROCEDURE AtMost(t: SortedTbl.T; READONLY bound: Key.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN;

END SortedEnds.
