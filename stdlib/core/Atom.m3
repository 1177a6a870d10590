MODULE Atom;

IMPORT Text, Word;

REVEAL
  T = BRANDED Brand OBJECT
    text: TEXT;
    hash: Word.T;
    next: T := NIL;  (* in its chain *)
  END;

TYPE
  Chains = REF ARRAY OF T;

VAR
  (* All atoms, in chains by hash. The number of chains is a power of two. *)
  chains: Chains := NEW(Chains, 128);
  count: CARDINAL := 0;

PROCEDURE FromText(t: TEXT): T =
  VAR hash := Text.Hash(t);  atom: T;
  BEGIN
    atom := chains[Word.And(hash, LAST(chains^))];
    WHILE atom # NIL DO
      IF atom.hash = hash AND Text.Equal(atom.text, t) THEN RETURN atom END;
      atom := atom.next;
    END;
    IF count >= 2 * NUMBER(chains^) THEN Grow() END;
    WITH chain = chains[Word.And(hash, LAST(chains^))] DO
      chain := NEW(T, text := t, hash := hash, next := chain);
      INC(count);
      RETURN chain;
    END;
  END FromText;

PROCEDURE Grow() =
  VAR old := chains;  atom, next: T;
  BEGIN
    chains := NEW(Chains, 4 * NUMBER(old^));
    FOR i := 0 TO LAST(old^) DO
      atom := old[i];
      WHILE atom # NIL DO
        next := atom.next;
        WITH chain = chains[Word.And(atom.hash, LAST(chains^))] DO
          atom.next := chain;
          chain := atom;
        END;
        atom := next;
      END;
    END;
  END Grow;

PROCEDURE ToText(a: T): TEXT =
  BEGIN
    RETURN a.text;
  END ToText;

PROCEDURE Equal(a1, a2: T): BOOLEAN =
  BEGIN
    RETURN a1 = a2;
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
