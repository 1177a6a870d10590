UNSAFE MODULE Database;

IMPORT RTDatabase, Text, TextRep, Transaction, Word;

REVEAL
  T = Public BRANDED "Database.T" OBJECT
      handle: ADDRESS;  (* the run time's *)
    OVERRIDES
      getRoot := GetRoot;
      setRoot := SetRoot;
      bind := Bind;
      unbind := Unbind;
      lookup := Lookup;
      close := Close;
    END;

TYPE
  (* What the database's root really is from the first bind on; the user's root is in it. *)
  Roots = BRANDED "Database.Roots" REF RECORD
      root: REFANY := NIL;
      names: INTEGER := 0;
      buckets: REF ARRAY OF Name;
    END;
  Name = BRANDED "Database.Name" REF RECORD
      text: TEXT;
      object: REFANY;
      next: Name;
    END;

CONST
  FirstBuckets = 16;

PROCEDURE Create(name: TEXT) RAISES {DatabaseExists, Transaction.TransactionInProgress} =
  VAR chars := NameChars(name);  status := RTDatabase.Create(chars^);
  BEGIN
    IF status = RTDatabase.DatabaseExists THEN RAISE DatabaseExists END;
    Check(status);
  END Create;

PROCEDURE Open(name: TEXT): T
  RAISES {DatabaseNotFound, DatabaseOpen, Transaction.TransactionInProgress} =
  VAR chars := NameChars(name);  handle: ADDRESS := NIL;
      status := RTDatabase.Open(chars^, handle);
  BEGIN
    IF status = RTDatabase.DatabaseNotFound THEN RAISE DatabaseNotFound END;
    IF status = RTDatabase.DatabaseOpen THEN RAISE DatabaseOpen END;
    Check(status);
    RETURN NEW(T, handle := handle);
  END Open;

(* Between the two steps another program may make the database, or delete it. *)
PROCEDURE OpenOrCreate(name: TEXT): T RAISES {DatabaseOpen, Transaction.TransactionInProgress} =
  BEGIN
    LOOP
      TRY
        RETURN Open(name);
      EXCEPT
      | DatabaseNotFound =>
        TRY Create(name) EXCEPT DatabaseExists => (* open it *) END;
      END;
    END;
  END OpenOrCreate;

PROCEDURE Delete(name: TEXT)
  RAISES {DatabaseNotFound, DatabaseOpen, Transaction.TransactionInProgress} =
  VAR chars := NameChars(name);  status := RTDatabase.Delete(chars^);
  BEGIN
    IF status = RTDatabase.DatabaseNotFound THEN RAISE DatabaseNotFound END;
    IF status = RTDatabase.DatabaseOpen THEN RAISE DatabaseOpen END;
    Check(status);
  END Delete;

(* The run time says what else is wrong with a name. *)
PROCEDURE NameChars(name: TEXT): REF ARRAY OF CHAR =
  BEGIN
    IF NOT TextRep.IsForC(name) THEN
      RAISE Failure("the name of a database has a NUL or a character beyond \\377: " & name);
    END;
    RETURN TextRep.Chars(name);
  END NameChars;

PROCEDURE GetRoot(db: T): REFANY =
  VAR root := StoredRoot(db);
  BEGIN
    TYPECASE root OF
    | NULL => RETURN NIL;
    | Roots (roots) => RETURN roots.root;
    ELSE RETURN root;
    END;
  END GetRoot;

PROCEDURE SetRoot(db: T; object: REFANY) =
  VAR root := StoredRoot(db);
  BEGIN
    TYPECASE root OF
    | NULL => CheckAccess(RTDatabase.SetRoot(db.handle, object));
    | Roots (roots) => roots.root := object;
    ELSE CheckAccess(RTDatabase.SetRoot(db.handle, object));
    END;
  END SetRoot;

PROCEDURE StoredRoot(db: T): REFANY =
  VAR root: REFANY := NIL;
  BEGIN
    CheckAccess(RTDatabase.GetRoot(db.handle, root));
    RETURN root;
  END StoredRoot;

PROCEDURE Bind(db: T; name: TEXT; object: REFANY) RAISES {NameInUse} =
  VAR stored := StoredRoot(db);  roots: Roots := NIL;  at: INTEGER;
  BEGIN
    TYPECASE stored OF
    | NULL =>
    | Roots (r) => roots := r;
    ELSE
    END;
    IF roots = NIL THEN
      roots := NEW(Roots, root := stored, buckets := NEW(REF ARRAY OF Name, FirstBuckets));
      CheckAccess(RTDatabase.SetRoot(db.handle, roots));
    END;
    IF Find(roots, name) # NIL THEN RAISE NameInUse END;
    IF roots.names >= NUMBER(roots.buckets^) THEN Grow(roots) END;
    at := Bucket(roots, name);
    (* A copy: the caller's text may lie in another database, and would move to this one if it lies in none. *)
    roots.buckets[at] := NEW(Name, text := TextRep.Copy(name, 0, Text.Length(name)), object := object,
                             next := roots.buckets[at]);
    INC(roots.names);
  END Bind;

PROCEDURE Unbind(db: T; name: TEXT) RAISES {NameNotFound} =
  VAR roots := RootsOf(db);  at := Bucket(roots, name);  entry := roots.buckets[at];  before: Name := NIL;
  BEGIN
    WHILE entry # NIL AND NOT Text.Equal(entry.text, name) DO
      before := entry;
      entry := entry.next;
    END;
    IF entry = NIL THEN RAISE NameNotFound END;
    IF before = NIL THEN
      roots.buckets[at] := entry.next;
    ELSE
      before.next := entry.next;
    END;
    DEC(roots.names);
  END Unbind;

PROCEDURE Lookup(db: T; name: TEXT): REFANY RAISES {NameNotFound} =
  VAR entry := Find(RootsOf(db), name);
  BEGIN
    IF entry = NIL THEN RAISE NameNotFound END;
    RETURN entry.object;
  END Lookup;

PROCEDURE RootsOf(db: T): Roots RAISES {NameNotFound} =
  VAR root := StoredRoot(db);
  BEGIN
    TYPECASE root OF
    | NULL => RAISE NameNotFound;
    | Roots (roots) => RETURN roots;
    ELSE RAISE NameNotFound;
    END;
  END RootsOf;

PROCEDURE Find(roots: Roots; name: TEXT): Name =
  VAR entry := roots.buckets[Bucket(roots, name)];
  BEGIN
    WHILE entry # NIL AND NOT Text.Equal(entry.text, name) DO entry := entry.next END;
    RETURN entry;
  END Find;

(* The hash is stored, in that it orders the table: it must stay what it is. FNV-1a of 32 bits, over
   the characters' numbers. *)
PROCEDURE Bucket(roots: Roots; name: TEXT): INTEGER =
  VAR hash: Word.T := 16_811C9DC5;
  BEGIN
    FOR i := 0 TO Text.Length(name) - 1 DO
      hash := Word.And(Word.Times(Word.Xor(hash, ORD(Text.GetWideChar(name, i))), 16_01000193),
                       16_FFFFFFFF);
    END;
    RETURN hash MOD NUMBER(roots.buckets^);
  END Bucket;

PROCEDURE Grow(roots: Roots) =
  VAR old := roots.buckets;  entry, next: Name;  at: INTEGER;
  BEGIN
    roots.buckets := NEW(REF ARRAY OF Name, 2 * NUMBER(old^));
    FOR i := 0 TO LAST(old^) DO
      entry := old[i];
      WHILE entry # NIL DO
        next := entry.next;
        at := Bucket(roots, entry.text);
        entry.next := roots.buckets[at];
        roots.buckets[at] := entry;
        entry := next;
      END;
    END;
  END Grow;

PROCEDURE Checkpoint() =
  BEGIN
  END Checkpoint;

PROCEDURE Close(db: T) RAISES {Transaction.TransactionInProgress} =
  BEGIN
    Check(RTDatabase.Close(db.handle));
    db.handle := NIL;
  END Close;

PROCEDURE Check(status: INTEGER) RAISES {Transaction.TransactionInProgress} =
  BEGIN
    IF status = RTDatabase.TransactionInProgress THEN
      RAISE Transaction.TransactionInProgress;
    END;
    CheckAccess(status);
  END Check;

PROCEDURE CheckAccess(status: INTEGER) =
  BEGIN
    IF status # RTDatabase.Ok THEN RTDatabase.Raise(status) END;
  END CheckAccess;

BEGIN
END Database.
