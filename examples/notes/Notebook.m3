MODULE Notebook;

IMPORT ASCII, Fmt, IntArraySort, IntIntTbl, IntRefBPlusTree, IntSeq, Text, TextIntBPlusTree;

TYPE
  (* A change of one note; next is the change before it. *)
  Change = REF RECORD
    number: CARDINAL;
    before, after: TEXT;  (* NIL: there was no such note, or there is none any more *)
    next: Change;
  END;

REVEAL
  T = Public BRANDED "Notebook.T" OBJECT
      notes: IntRefBPlusTree.T;      (* from number to TEXT *)
      words: TextIntBPlusTree.T;     (* from Key(word, number) to number *)
      next: CARDINAL := 1;           (* the number of the next note *)
      done, undone: Change := NIL;   (* the last one first *)
    OVERRIDES
      init := Init;
      add := Add;
      text := TextOf;
      change := ChangeText;
      remove := Remove;
      all := All;
      find := Find;
      undo := Undo;
      redo := Redo;
    END;

PROCEDURE Init(t: T): T =
  BEGIN
    t.notes := NEW(IntRefBPlusTree.T).init();
    t.words := NEW(TextIntBPlusTree.T).init();
    RETURN t;
  END Init;

PROCEDURE Add(t: T; text: TEXT): CARDINAL =
  VAR number := t.next;
  BEGIN
    INC(t.next);
    Do(t, NEW(Change, number := number, before := NIL, after := text));
    RETURN number;
  END Add;

PROCEDURE TextOf(t: T; number: CARDINAL): TEXT =
  VAR found: REFANY := NIL;
  BEGIN
    EVAL t.notes.get(number, found);
    RETURN found;
  END TextOf;

PROCEDURE ChangeText(t: T; number: CARDINAL; text: TEXT): BOOLEAN =
  VAR before := TextOf(t, number);
  BEGIN
    IF before = NIL THEN RETURN FALSE END;
    Do(t, NEW(Change, number := number, before := before, after := text));
    RETURN TRUE;
  END ChangeText;

PROCEDURE Remove(t: T; number: CARDINAL): BOOLEAN =
  BEGIN
    RETURN ChangeText(t, number, NIL);
  END Remove;

PROCEDURE Do(t: T; change: Change) =
  BEGIN
    Set(t, change.number, change.after);
    change.next := t.done;
    t.done := change;
    t.undone := NIL;
  END Do;

PROCEDURE Undo(t: T): BOOLEAN =
  VAR change := t.done;
  BEGIN
    IF change = NIL THEN RETURN FALSE END;
    Set(t, change.number, change.before);
    t.done := change.next;
    change.next := t.undone;
    t.undone := change;
    RETURN TRUE;
  END Undo;

PROCEDURE Redo(t: T): BOOLEAN =
  VAR change := t.undone;
  BEGIN
    IF change = NIL THEN RETURN FALSE END;
    Set(t, change.number, change.after);
    t.undone := change.next;
    change.next := t.done;
    t.done := change;
    RETURN TRUE;
  END Redo;

(* Makes text the text of the note, or removes the note if text is NIL, and keeps the index right. *)
PROCEDURE Set(t: T; number: CARDINAL; text: TEXT) =
  VAR old := TextOf(t, number);  at: CARDINAL := 0;  word: TEXT;  ignored: REFANY;  n: INTEGER;
  BEGIN
    IF old # NIL THEN
      WHILE NextWord(old, at, word) DO EVAL t.words.delete(Key(word, number), n) END;
      EVAL t.notes.delete(number, ignored);
    END;
    IF text # NIL THEN
      at := 0;
      WHILE NextWord(text, at, word) DO EVAL t.words.put(Key(word, number), number) END;
      EVAL t.notes.put(number, text);
    END;
  END Set;

(* A word has no blank, so the keys of a word stand together, ordered by number. *)
PROCEDURE Key(word: TEXT; number: CARDINAL): TEXT =
  BEGIN
    RETURN word & " " & Fmt.Pad(Fmt.Int(number), 19, '0');
  END Key;

PROCEDURE All(t: T): IntSeq.T =
  VAR
    result := NEW(IntSeq.T).init();
    notes := t.notes.iterateOrdered();
    number: INTEGER;
    text: REFANY;
  BEGIN
    WHILE notes.next(number, text) DO result.addhi(number) END;
    RETURN result;
  END All;

PROCEDURE Find(t: T; start: TEXT): IntSeq.T =
  VAR
    lower := Lower(start);
    seen := NEW(IntIntTbl.Default).init();
    words := t.words.iterateOrdered();
    key: TEXT;
    number: INTEGER;
  BEGIN
    words.seek(lower);
    WHILE words.next(key, number) AND Text.Equal(Text.Sub(key, 0, Text.Length(lower)), lower) DO
      EVAL seen.put(number, 0);
    END;
    RETURN Sorted(seen);
  END Find;

PROCEDURE Sorted(numbers: IntIntTbl.T): IntSeq.T =
  VAR
    array := NEW(REF ARRAY OF INTEGER, numbers.size());
    all := numbers.iterate();
    ignored: INTEGER;
  BEGIN
    FOR i := 0 TO LAST(array^) DO EVAL all.next(array[i], ignored) END;
    IntArraySort.Sort(array^);
    RETURN NEW(IntSeq.T).fromArray(array^);
  END Sorted;

PROCEDURE Lower(t: TEXT): TEXT =
  VAR chars := NEW(REF ARRAY OF CHAR, Text.Length(t));
  BEGIN
    Text.SetChars(chars^, t);
    FOR i := 0 TO LAST(chars^) DO chars[i] := ASCII.Lower[chars[i]] END;
    RETURN Text.FromChars(chars^);
  END Lower;

(* Sets word to the next word of text at or behind position at, in lower case, and moves at behind
   it. FALSE at the end. *)
PROCEDURE NextWord(text: TEXT; VAR at: CARDINAL; VAR word: TEXT): BOOLEAN =
  VAR start: CARDINAL;
  BEGIN
    WHILE at < Text.Length(text) AND NOT Text.GetChar(text, at) IN ASCII.AlphaNumerics DO INC(at) END;
    start := at;
    WHILE at < Text.Length(text) AND Text.GetChar(text, at) IN ASCII.AlphaNumerics DO INC(at) END;
    word := Lower(Text.Sub(text, start, at - start));
    RETURN at > start;
  END NextWord;

BEGIN
END Notebook.
