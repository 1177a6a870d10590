MODULE Atom;

IMPORT Random, Text, TextRep, Word;

REVEAL
  T = BRANDED Brand OBJECT
    text: TEXT;
    hash: Word.T;
  END;

TYPE
  (* What is stored moves to its database, and cannot be read after the database is closed: an atom
     with its text, a text that ToText has returned, and the caller's text. So the table has texts of
     its own, which nobody else gets, and no part of the table is stored. *)
  Entry = <*TRANSIENT*> REF RECORD
    text: TEXT;
    hash: Word.T;
    atom: T;
    next: Entry := NIL;  (* in its chain *)
  END;
  Chains = <*TRANSIENT*> REF ARRAY OF Entry;

VAR
  mu := NEW(MUTEX);  (* guards the table *)
  (* All atoms, in chains by hash. The number of chains is a power of two. *)
  chains: Chains := NEW(Chains, 128);
  count: CARDINAL := 0;
  (* Another number in each run, so that nobody can choose texts that come into one chain. *)
  factor := Word.Or(NEW(Random.Default).init().integer(), 1);

(* The number of the chain for this hash. *)
<*INLINE*>
PROCEDURE ChainOf(hash: Word.T): CARDINAL =
  BEGIN
    RETURN Word.And(Word.RightShift(Word.Times(hash, factor), 32), LAST(chains^));
  END ChainOf;

PROCEDURE FromText(t: TEXT): T =
  VAR hash := Text.Hash(t);  entry: Entry;  atom: T;
  BEGIN
    LOCK mu DO
      entry := Find(t, hash);
      IF entry = NIL THEN entry := Add(t, hash) END;
      atom := entry.atom;
    END;
    (* Without the lock, because reading a stored text may wait. *)
    IF IsReadable(atom, hash) THEN RETURN atom END;
    LOCK mu DO
      IF entry.atom = atom THEN entry.atom := NEW(T, text := Copy(entry.text), hash := hash) END;
      RETURN entry.atom;
    END;
  END FromText;

(* The entry of t's atom; NIL if t has no atom yet. *)
PROCEDURE Find(t: TEXT; hash: Word.T): Entry =
  VAR entry := chains[ChainOf(hash)];
  BEGIN
    WHILE entry # NIL AND NOT (entry.hash = hash AND Text.Equal(entry.text, t)) DO
      entry := entry.next;
    END;
    RETURN entry;
  END Find;

PROCEDURE Add(t: TEXT; hash: Word.T): Entry =
  VAR own := Copy(t);
  BEGIN
    IF count >= 2 * NUMBER(chains^) THEN Grow() END;
    WITH chain = chains[ChainOf(hash)] DO
      chain := NEW(Entry, text := own, hash := hash, atom := NEW(T, text := Copy(own), hash := hash),
                   next := chain);
      INC(count);
      RETURN chain;
    END;
  END Add;

(* Not after the atom's database has been closed. *)
PROCEDURE IsReadable(atom: T; hash: Word.T): BOOLEAN =
  VAR readable := FALSE;
  BEGIN
    TRY
      readable := atom.hash = hash;
    EXCEPT
    ELSE  (* A RETURN in the TRY would also run this ELSE. *)
    END;
    RETURN readable;
  END IsReadable;

PROCEDURE Copy(t: TEXT): TEXT =
  BEGIN
    RETURN TextRep.Copy(t, 0, Text.Length(t));
  END Copy;

PROCEDURE Grow() =
  VAR old := chains;  entry, next: Entry;
  BEGIN
    chains := NEW(Chains, 4 * NUMBER(old^));
    FOR i := 0 TO LAST(old^) DO
      entry := old[i];
      WHILE entry # NIL DO
        next := entry.next;
        WITH chain = chains[ChainOf(entry.hash)] DO
          entry.next := chain;
          chain := entry;
        END;
        entry := next;
      END;
    END;
  END Grow;

PROCEDURE ToText(a: T): TEXT =
  VAR text := a.text;  entry: Entry;
  BEGIN
    IF NOT IsReadableText(text) THEN
      (* A caller of ToText has stored the text, and the atom is in no database, or in another one. *)
      LOCK mu DO
        entry := chains[ChainOf(a.hash)];
        WHILE entry # NIL AND entry.atom # a DO entry := entry.next END;
        IF entry # NIL THEN text := Copy(entry.text) END;
      END;
    END;
    RETURN text;
  END ToText;

(* Not after the text's database has been closed. *)
PROCEDURE IsReadableText(text: TEXT): BOOLEAN =
  VAR readable := FALSE;
  BEGIN
    TRY
      readable := Text.Length(text) # LAST(CARDINAL);  (* a comparison that reads the text *)
    EXCEPT
    ELSE  (* as in IsReadable *)
    END;
    RETURN readable;
  END IsReadableText;

PROCEDURE Equal(a1, a2: T): BOOLEAN =
  BEGIN
    RETURN a1 = a2 OR
           a1 # NIL AND a2 # NIL AND a1.hash = a2.hash AND Text.Equal(ToText(a1), ToText(a2));
  END Equal;

PROCEDURE Hash(a: T): INTEGER =
  BEGIN
    RETURN a.hash;
  END Hash;

PROCEDURE Compare(<*UNUSED*> a1, a2: T): [-1..1] =
  BEGIN
    <*ASSERT FALSE WITH "Atom.Compare: atoms have no order"*>
  END Compare;

BEGIN
END Atom.
