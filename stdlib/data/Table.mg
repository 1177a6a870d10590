GENERIC MODULE Table(Key, Value);

IMPORT Word;

TYPE
  Entry = REF RECORD
    key: Key.T;
    value: Value.T;
    hash: Word.T;
    next: Entry;  (* in its chain *)
  END;

  Chains = REF ARRAY OF Entry;

  Iter = Iterator OBJECT
      table: Default;
      chain: CARDINAL := 0;  (* the chain that comes after entry's *)
      entry: Entry := NIL;   (* the next one, if it is not NIL *)
      done := FALSE;
    OVERRIDES
      init := IterInit;
      next := IterNext;
    END;

REVEAL
  Default = T OBJECT METHODS
      init(sizeHint: CARDINAL := 0): Default;
      keyEqual(READONLY k1, k2: Key.T): BOOLEAN;
      keyHash(READONLY k: Key.T): Word.T;
    END BRANDED DefaultBrand OBJECT
      chains: Chains := NIL;  (* their number is a power of two *)
      count: CARDINAL := 0;
    OVERRIDES
      init := Init;
      keyEqual := KeyEqual;
      keyHash := KeyHash;
      get := Get;
      put := Put;
      delete := Delete;
      size := Size;
      iterate := Iterate;
    END;

CONST
  MinChains = 8;

PROCEDURE Init(t: Default; sizeHint: CARDINAL): Default =
  VAR n: CARDINAL := MinChains;
  BEGIN
    WHILE n < sizeHint DO n := 2 * n END;
    t.chains := NEW(Chains, n);
    t.count := 0;
    RETURN t;
  END Init;

PROCEDURE KeyEqual(<*UNUSED*> t: Default; READONLY k1, k2: Key.T): BOOLEAN =
  BEGIN
    RETURN Key.Equal(k1, k2);
  END KeyEqual;

PROCEDURE KeyHash(<*UNUSED*> t: Default; READONLY k: Key.T): Word.T =
  BEGIN
    RETURN Key.Hash(k);
  END KeyHash;

(* The chain for a hash. Multiplying spreads keys that differ only in their high bits, or by a
   multiple of the number of chains. *)
PROCEDURE ChainOf(t: Default; hash: Word.T): CARDINAL =
  BEGIN
    RETURN Word.And(Word.RightShift(Word.Times(hash, 16_9E3779B97F4A7C15), 24),
                    LAST(t.chains^));
  END ChainOf;

PROCEDURE Find(t: Default; READONLY k: Key.T; hash: Word.T): Entry =
  VAR entry := t.chains[ChainOf(t, hash)];
  BEGIN
    WHILE entry # NIL AND NOT (entry.hash = hash AND t.keyEqual(entry.key, k)) DO
      entry := entry.next;
    END;
    RETURN entry;
  END Find;

PROCEDURE Get(t: Default; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR entry := Find(t, k, t.keyHash(k));
  BEGIN
    IF entry = NIL THEN RETURN FALSE END;
    v := entry.value;
    RETURN TRUE;
  END Get;

PROCEDURE Put(t: Default; READONLY k: Key.T; READONLY v: Value.T): BOOLEAN =
  VAR hash := t.keyHash(k);  entry := Find(t, k, hash);  chain: CARDINAL;
  BEGIN
    IF entry # NIL THEN
      entry.value := v;
      RETURN TRUE;
    END;
    IF t.count >= NUMBER(t.chains^) THEN Resize(t, 2 * NUMBER(t.chains^)) END;
    chain := ChainOf(t, hash);
    t.chains[chain] := NEW(Entry, key := k, value := v, hash := hash, next := t.chains[chain]);
    INC(t.count);
    RETURN FALSE;
  END Put;

PROCEDURE Delete(t: Default; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR hash := t.keyHash(k);  chain := ChainOf(t, hash);  entry := t.chains[chain];
      previous: Entry := NIL;
  BEGIN
    WHILE entry # NIL AND NOT (entry.hash = hash AND t.keyEqual(entry.key, k)) DO
      previous := entry;
      entry := entry.next;
    END;
    IF entry = NIL THEN RETURN FALSE END;
    IF previous = NIL THEN t.chains[chain] := entry.next ELSE previous.next := entry.next END;
    v := entry.value;
    DEC(t.count);
    IF 4 * t.count < NUMBER(t.chains^) AND NUMBER(t.chains^) > MinChains THEN
      Resize(t, NUMBER(t.chains^) DIV 2);
    END;
    RETURN TRUE;
  END Delete;

PROCEDURE Resize(t: Default; n: CARDINAL) =
  VAR old := t.chains;  entry, next: Entry;  chain: CARDINAL;
  BEGIN
    t.chains := NEW(Chains, n);
    FOR i := 0 TO LAST(old^) DO
      entry := old[i];
      WHILE entry # NIL DO
        next := entry.next;
        chain := ChainOf(t, entry.hash);
        entry.next := t.chains[chain];
        t.chains[chain] := entry;
        entry := next;
      END;
    END;
  END Resize;

PROCEDURE Size(t: Default): CARDINAL =
  BEGIN
    RETURN t.count;
  END Size;

PROCEDURE Iterate(t: Default): Iterator =
  BEGIN
    RETURN NEW(Iter, table := t).init();
  END Iterate;

PROCEDURE IterInit(i: Iter): Iterator =
  BEGIN
    i.chain := 0;
    i.entry := NIL;
    i.done := FALSE;
    RETURN i;
  END IterInit;

PROCEDURE IterNext(i: Iter; VAR k: Key.T; VAR v: Value.T): BOOLEAN =
  BEGIN
    <*ASSERT NOT i.done WITH "Table: the iterator has come to its end"*>
    WHILE i.entry = NIL DO
      IF i.chain = NUMBER(i.table.chains^) THEN
        i.done := TRUE;
        RETURN FALSE;
      END;
      i.entry := i.table.chains[i.chain];
      INC(i.chain);
    END;
    k := i.entry.key;
    v := i.entry.value;
    i.entry := i.entry.next;
    RETURN TRUE;
  END IterNext;

BEGIN
END Table.
