(* Hash tables. Key needs T, Brand, Equal and Hash, Value needs T and Brand; neither T is an open
   array. A table must not change while an iterator over it is in use; but from a Default entries may be
   deleted, and keys that it has may be put. *)
GENERIC INTERFACE Table(Key, Value);

IMPORT Word;

CONST
  Brand = "(Table " & Key.Brand & " " & Value.Brand & ")";
  DefaultBrand = "(Default " & Brand & ")";

TYPE
  T = OBJECT METHODS
    (* Whether k has a value; if so, v is set to it. *)
    get(READONLY k: Key.T; VAR v: Value.T): BOOLEAN;

    (* Makes v the value of k; whether k had one before. *)
    put(READONLY k: Key.T; READONLY v: Value.T): BOOLEAN;

    (* Takes k out; whether it had a value, which v is then set to. *)
    delete(READONLY k: Key.T; VAR v: Value.T): BOOLEAN;

    size(): CARDINAL;

    (* Over all entries, in some order. *)
    iterate(): Iterator;
  END;

  Iterator = OBJECT METHODS
    (* Starts again. *)
    init(): Iterator;

    (* The next entry; FALSE when there is none, after which it may not be called again. *)
    next(VAR k: Key.T; VAR v: Value.T): BOOLEAN;
  END;

  Default <: T OBJECT METHODS
    (* Makes it empty, with room for sizeHint entries. *)
    init(sizeHint: CARDINAL := 0): Default;

    (* May be overridden, both together; by default those of Key. *)
    keyEqual(READONLY k1, k2: Key.T): BOOLEAN;
    keyHash(READONLY k: Key.T): Word.T;
  END;

END Table.
