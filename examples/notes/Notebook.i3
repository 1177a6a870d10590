(* Notes with numbers, an index of their words, and undo. Nothing here knows of databases: a notebook
   persists when a database's root reaches it, with its index and what can be undone. *)
INTERFACE Notebook;

IMPORT IntSeq;

TYPE
  T <: Public;
  Public = OBJECT METHODS
    init(): T;

    (* Adds a note and returns its number. *)
    add(text: TEXT): CARDINAL;

    (* The text of a note; NIL if there is none. *)
    text(number: CARDINAL): TEXT;

    (* Replaces the text of a note. FALSE: there is no such note. *)
    change(number: CARDINAL; text: TEXT): BOOLEAN;

    remove(number: CARDINAL): BOOLEAN;

    (* The numbers of all notes in ascending order. *)
    all(): IntSeq.T;

    (* The numbers of the notes that have a word which begins with `start`, in any case; each number
       once, in ascending order. *)
    find(start: TEXT): IntSeq.T;

    (* Takes back the last change, or does again what was taken back. FALSE: there is nothing to take
       back, or nothing to do again. A new change forgets what could be done again. *)
    undo(): BOOLEAN;
    redo(): BOOLEAN;
  END;

END Notebook.
