(* A catalogue of characters with an index of the words in their names and notes. This interface
   is ordinary Modula-3: nothing in it shows that a catalogue may live in a database. *)
INTERFACE Catalogue;

IMPORT RefList;

TYPE
  Entry = REF RECORD
    code: CARDINAL;   (* the code point *)
    category: TEXT;   (* two letters: "Lu" is an upper-case letter *)
    name: TEXT;       (* in upper case *)
    value: TEXT;      (* the character's numeric value, "1/4"; "" if it has none *)
    note: TEXT;       (* the user's note; "" without a note *)
  END;

  T <: Public;
  Public = OBJECT METHODS
    (* Makes it empty. *)
    init(): T;

    (* Adds e, or replaces the entry with e's code. *)
    add(e: Entry);

    (* The entry with this code; NIL if the catalogue has none. *)
    find(code: CARDINAL): Entry;

    (* The entries that have all these words, in any case, in their names or notes, by code. *)
    search(READONLY words: ARRAY OF TEXT): RefList.T;

    (* Replaces the note of e. Searches then find e by the words of the new note. *)
    setNote(e: Entry; note: TEXT);

    size(): CARDINAL;
    wordCount(): CARDINAL;
  END;

END Catalogue.
