(* Hash tables. Key needs T, Brand, Equal and Hash, Value needs T and Brand; neither T is an open
   array. A table must not change while an iterator over it is in use, with two exceptions for a
   Default: entries may be deleted, and existing keys may get new values.

   In a Default, get, put and delete take constant time on average, and iterating takes time in proportion
   to size(), in whatever order the keys come: also in the order of an iterator over another table, and also keys
   chosen by someone who knows this module. Not keys with equal hashes, each of which costs as much as there are of
   them. Texts with equal hashes can be found by a search, since Text.Hash is the same in every run; where strangers
   choose the keys and that matters, use a sorted table.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, TextIntTbl;
       VAR ages := NEW(TextIntTbl.Default).init();  age: INTEGER;
       BEGIN
         EVAL ages.put("Ada", 36);
         EVAL ages.put("Grace", 85);
         IF ages.get("Ada", age) THEN IO.Put("Ada is " & Fmt.Int(age) & "\n") END;
         IF NOT ages.get("Alan", age) THEN IO.Put("nobody knows Alan\n") END;
       END Main.

   It prints

       Ada is 36
       nobody knows Alan
*)
GENERIC INTERFACE Table(Key, Value);

IMPORT Word;

CONST
  Brand = "(Table " & Key.Brand & " " & Value.Brand & ")";
  DefaultBrand = "(Default " & Brand & ")";

TYPE
  T = OBJECT METHODS
    (* Returns whether k has a value; if so, sets v to it. *)
    get(READONLY k: Key.T; VAR v: Value.T): BOOLEAN;

    (* Makes v the value of k; returns whether k had a value before. *)
    put(READONLY k: Key.T; READONLY v: Value.T): BOOLEAN;

    (* Takes k out; returns whether k had a value; if so, sets v to it. *)
    delete(READONLY k: Key.T; VAR v: Value.T): BOOLEAN;

    size(): CARDINAL;

    (* An iterator over all entries, in some order. *)
    iterate(): Iterator;
  END;

  Iterator = OBJECT METHODS
    (* Starts again. *)
    init(): Iterator;

    (* Sets k and v to the next entry; FALSE at the end, after which next must not be called
       again. *)
    next(VAR k: Key.T; VAR v: Value.T): BOOLEAN;
  END;

  Default <: T OBJECT METHODS
    (* Makes the table empty, with room for sizeHint entries. *)
    init(sizeHint: CARDINAL := 0): Default;

    (* May be overridden, both together; the defaults are Key.Equal and Key.Hash. *)
    keyEqual(READONLY k1, k2: Key.T): BOOLEAN;
    keyHash(READONLY k: Key.T): Word.T;
  END;

END Table.
