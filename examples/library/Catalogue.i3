(* A catalogue of characters with an index of the words in their names and notes. Everything here is
   ordinary Modula-3; that a catalogue may live in a database is nowhere to be seen. *)
INTERFACE Catalogue;

IMPORT RefList;

TYPE
  Entry = REF RECORD
    code: CARDINAL;   (* the code point *)
    category: TEXT;   (* two letters: "Lu" is an upper-case letter *)
    name: TEXT;       (* in upper case *)
    value: TEXT;      (* what the character counts, "1/4"; "" if it is no number *)
    note: TEXT;       (* the user's; "" if there is none *)
  END;

  T <: Public;
  Public = OBJECT METHODS
    (* Makes it empty. *)
    init(): T;

    (* Adds e, or puts it in the place of the entry with its code. *)
    add(e: Entry);

    (* The entry with this code; NIL if there is none. *)
    find(code: CARDINAL): Entry;

    (* The entries that have all these words, in any case, in their names or notes, by code. *)
    search(READONLY words: ARRAY OF TEXT): RefList.T;

    (* Replaces the note of e, and finds it by the words of the new one from now on. *)
    setNote(e: Entry; note: TEXT);

    size(): CARDINAL;
    wordCount(): CARDINAL;
  END;

END Catalogue.
