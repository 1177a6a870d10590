(* Hash tables from INTEGER to INTEGER. A table must not change while an iterator over it is in
   use. *)
INTERFACE IntIntTbl;

IMPORT Integer, Word;

CONST
  Brand = "(Table " & Integer.Brand & " " & Integer.Brand & ")";
  DefaultBrand = "(Default " & Brand & ")";

TYPE
  T = OBJECT METHODS
    (* Whether k has a value; if so, v is set to it. *)
    get(READONLY k: INTEGER; VAR v: INTEGER): BOOLEAN;

    (* Makes v the value of k; whether k had one before. *)
    put(READONLY k: INTEGER; READONLY v: INTEGER): BOOLEAN;

    (* Takes k out; whether it had a value, which v is then set to. *)
    delete(READONLY k: INTEGER; VAR v: INTEGER): BOOLEAN;

    size(): CARDINAL;

    (* Over all entries, in some order. *)
    iterate(): Iterator;
  END;

  Iterator = OBJECT METHODS
    (* Starts again. *)
    init(): Iterator;

    (* The next entry; FALSE when there is none, after which it may not be called again. *)
    next(VAR k: INTEGER; VAR v: INTEGER): BOOLEAN;
  END;

  Default <: T OBJECT METHODS
    (* Makes it empty, with room for sizeHint entries. *)
    init(sizeHint: CARDINAL := 0): Default;

    (* May be overridden, both together; by default those of Integer. *)
    keyEqual(READONLY k1, k2: INTEGER): BOOLEAN;
    keyHash(READONLY k: INTEGER): Word.T;
  END;

END IntIntTbl.
