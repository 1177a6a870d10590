MODULE Catalogue;

IMPORT ASCII, IntRefTbl, RefList, Text, TextRefTbl;

REVEAL
  T = Public BRANDED "Catalogue.T" OBJECT
      byCode: IntRefTbl.Default;   (* to Entry *)
      byWord: TextRefTbl.Default;  (* to RefList.T of Entry, each at most once *)
    OVERRIDES
      init := Init;
      add := Add;
      find := Find;
      search := Search;
      setNote := SetNote;
      size := Size;
      wordCount := WordCount;
    END;

CONST
  (* The characters of words; all other characters separate words. *)
  WordChars = ASCII.AlphaNumerics;

PROCEDURE Init(t: T): T =
  BEGIN
    t.byCode := NEW(IntRefTbl.Default).init();
    t.byWord := NEW(TextRefTbl.Default).init();
    RETURN t;
  END Init;

PROCEDURE Add(t: T; e: Entry) =
  VAR old := Find(t, e.code);
  BEGIN
    IF old # NIL THEN
      Drop(t, old, old.name);
      Drop(t, old, old.note);
    END;
    EVAL t.byCode.put(e.code, e);
    Index(t, e, e.name);
    Index(t, e, e.note);
  END Add;

PROCEDURE Find(t: T; code: CARDINAL): Entry =
  VAR found: REFANY := NIL;
  BEGIN
    EVAL t.byCode.get(code, found);
    RETURN found;
  END Find;

(* Sets word to the next word of text at or after position at, in upper case, and moves at behind
   it. FALSE at the end. *)
PROCEDURE NextWord(text: TEXT; VAR at: CARDINAL; VAR word: TEXT): BOOLEAN =
  VAR start: CARDINAL;
  BEGIN
    WHILE at < Text.Length(text) AND NOT Text.GetChar(text, at) IN WordChars DO INC(at) END;
    start := at;
    WHILE at < Text.Length(text) AND Text.GetChar(text, at) IN WordChars DO INC(at) END;
    word := Upper(Text.Sub(text, start, at - start));
    RETURN at > start;
  END NextWord;

PROCEDURE Upper(t: TEXT): TEXT =
  VAR chars := NEW(REF ARRAY OF CHAR, Text.Length(t));
  BEGIN
    Text.SetChars(chars^, t);
    FOR i := 0 TO LAST(chars^) DO chars[i] := ASCII.Upper[chars[i]] END;
    RETURN Text.FromChars(chars^);
  END Upper;

PROCEDURE WithWord(t: T; word: TEXT): RefList.T =
  VAR found: REFANY := NIL;
  BEGIN
    EVAL t.byWord.get(word, found);
    RETURN found;
  END WithWord;

(* Enters e in the index for each word of text. *)
PROCEDURE Index(t: T; e: Entry; text: TEXT) =
  VAR at: CARDINAL := 0;  word: TEXT;  list: RefList.T;
  BEGIN
    WHILE NextWord(text, at, word) DO
      list := WithWord(t, word);
      IF NOT RefList.Member(list, e) THEN
        EVAL t.byWord.put(word, RefList.Cons(e, list));
      END;
    END;
  END Index;

(* The opposite. *)
PROCEDURE Drop(t: T; e: Entry; text: TEXT) =
  VAR at: CARDINAL := 0;  word: TEXT;  rest: RefList.T;  ignored: REFANY;
  BEGIN
    WHILE NextWord(text, at, word) DO
      rest := Without(WithWord(t, word), e);
      IF rest = NIL THEN
        EVAL t.byWord.delete(word, ignored);
      ELSE
        EVAL t.byWord.put(word, rest);
      END;
    END;
  END Drop;

PROCEDURE Without(list: RefList.T; e: Entry): RefList.T =
  VAR previous: RefList.T := NIL;  cell := list;
  BEGIN
    WHILE cell # NIL AND cell.head # e DO
      previous := cell;
      cell := cell.tail;
    END;
    IF cell = NIL THEN RETURN list END;
    IF previous = NIL THEN RETURN cell.tail END;
    previous.tail := cell.tail;
    RETURN list;
  END Without;

PROCEDURE Has(e: Entry; word: TEXT): BOOLEAN =
  BEGIN
    RETURN HasWord(e.name, word) OR HasWord(e.note, word);
  END Has;

PROCEDURE HasWord(text, word: TEXT): BOOLEAN =
  VAR at: CARDINAL := 0;  other: TEXT;
  BEGIN
    WHILE NextWord(text, at, other) DO
      IF Text.Equal(word, other) THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END HasWord;

PROCEDURE Search(t: T; READONLY words: ARRAY OF TEXT): RefList.T =
  VAR candidates, result: RefList.T := NIL;  all: BOOLEAN;
  BEGIN
    IF NUMBER(words) = 0 THEN RETURN NIL END;
    candidates := WithWord(t, Upper(words[0]));
    WHILE candidates # NIL DO
      all := TRUE;
      FOR i := 1 TO LAST(words) DO
        IF all AND NOT Has(candidates.head, Upper(words[i])) THEN all := FALSE END;
      END;
      IF all THEN result := Insert(candidates.head, result) END;
      candidates := candidates.tail;
    END;
    RETURN result;
  END Search;

(* Returns list, which is sorted by code, with e inserted. *)
PROCEDURE Insert(e: Entry; list: RefList.T): RefList.T =
  VAR cell, previous: RefList.T;
  BEGIN
    IF list = NIL OR NARROW(list.head, Entry).code > e.code THEN RETURN RefList.Cons(e, list) END;
    previous := list;
    cell := list.tail;
    WHILE cell # NIL AND NARROW(cell.head, Entry).code <= e.code DO
      previous := cell;
      cell := cell.tail;
    END;
    previous.tail := RefList.Cons(e, cell);
    RETURN list;
  END Insert;

PROCEDURE SetNote(t: T; e: Entry; note: TEXT) =
  BEGIN
    Drop(t, e, e.note);
    e.note := note;
    (* A word of the old note may also occur in the name. *)
    Index(t, e, e.name);
    Index(t, e, note);
  END SetNote;

PROCEDURE Size(t: T): CARDINAL =
  BEGIN
    RETURN t.byCode.size();
  END Size;

PROCEDURE WordCount(t: T): CARDINAL =
  BEGIN
    RETURN t.byWord.size();
  END WordCount;

BEGIN
END Catalogue.
