(* Hash tables from TEXT to INTEGER. A table must not change while an iterator over it is in use. *)
INTERFACE TextIntTbl;

IMPORT Integer, Text, Word;

CONST
  Brand = "(Table " & Text.Brand & " " & Integer.Brand & ")";
  DefaultBrand = "(Default " & Brand & ")";

TYPE
  T = OBJECT METHODS
    (* Whether k has a value; if so, v is set to it. *)
    get(READONLY k: TEXT; VAR v: INTEGER): BOOLEAN;

    (* Makes v the value of k; whether k had one before. *)
    put(READONLY k: TEXT; READONLY v: INTEGER): BOOLEAN;

    (* Takes k out; whether it had a value, which v is then set to. *)
    delete(READONLY k: TEXT; VAR v: INTEGER): BOOLEAN;

    size(): CARDINAL;

    (* Over all entries, in some order. *)
    iterate(): Iterator;
  END;

  Iterator = OBJECT METHODS
    (* Starts again. *)
    init(): Iterator;

    (* The next entry; FALSE when there is none, after which it may not be called again. *)
    next(VAR k: TEXT; VAR v: INTEGER): BOOLEAN;
  END;

  Default <: T OBJECT METHODS
    (* Makes it empty, with room for sizeHint entries. *)
    init(sizeHint: CARDINAL := 0): Default;

    (* May be overridden, both together; by default those of Text. *)
    keyEqual(READONLY k1, k2: TEXT): BOOLEAN;
    keyHash(READONLY k: TEXT): Word.T;
  END;

END TextIntTbl.
