(* A long text that is edited again and again: pieces of pieces, put together with others. *)
UNSAFE MODULE TextEditingTest;

IMPORT Test, Fmt, RTHeapRep, Random, Text;
FROM RT0 IMPORT Typecode;

CONST
  Lines = 4000;
  Edits = 300;
  WordLength = 4;

TYPE
  Model = ARRAY [0..200000] OF CHAR;  (* what the text should be *)

  Summing = RTHeapRep.RefVisitor OBJECT
      bytes: CARDINAL := 0;
    OVERRIDES
      visit := Add;
    END;

VAR
  model: REF Model;
  length: CARDINAL := 0;

PROCEDURE Add(s: Summing; <*UNUSED*> tc: Typecode; <*UNUSED*> r: REFANY; size: CARDINAL): BOOLEAN =
  BEGIN
    INC(s.bytes, size);
    RETURN TRUE;
  END Add;

PROCEDURE HeapBytes(): CARDINAL =
  VAR summing := NEW(Summing);
  BEGIN
    RTHeapRep.VisitAllRefs(summing);
    RETURN summing.bytes;
  END HeapBytes;

PROCEDURE Document(): TEXT =
  VAR document := "";  line: TEXT;
  BEGIN
    length := 0;
    FOR i := 1 TO Lines DO
      line := "line of text number " & Fmt.Int(i) & "\n";
      document := document & line;
      Text.SetChars(SUBARRAY(model^, length, Text.Length(line)), line);
      INC(length, Text.Length(line));
    END;
    RETURN document;
  END Document;

PROCEDURE Insert(t: TEXT; at: CARDINAL): TEXT =
  BEGIN
    SUBARRAY(model^, at + WordLength, length - at) := SUBARRAY(model^, at, length - at);
    Text.SetChars(SUBARRAY(model^, at, WordLength), "word");
    INC(length, WordLength);
    RETURN Text.Sub(t, 0, at) & "word" & Text.Sub(t, at);
  END Insert;

PROCEDURE Delete(t: TEXT; at: CARDINAL): TEXT =
  BEGIN
    SUBARRAY(model^, at, length - at - WordLength) :=
        SUBARRAY(model^, at + WordLength, length - at - WordLength);
    DEC(length, WordLength);
    RETURN Text.Sub(t, 0, at) & Text.Sub(t, at + WordLength);
  END Delete;

PROCEDURE TestEditedTextKeepsNoFormerText(t: Test.T) =
  VAR
    random := NEW(Random.Default).init(TRUE);
    document: TEXT;
    before, after: CARDINAL;
    at: CARDINAL;
  BEGIN
    model := NEW(REF Model);
    document := Document();
    before := HeapBytes();
    FOR i := 1 TO Edits DO
      at := random.integer(0, length - WordLength - 1);
      IF i MOD 3 = 0 THEN document := Delete(document, at) ELSE document := Insert(document, at) END;
    END;
    after := HeapBytes();
    (* The text has some 100 KB. If each edit kept the text before it, the edits would keep megabytes. *)
    t.check(after < before + 1000000,
            "bytes after the edits: " & Fmt.Int(after) & ", before them: " & Fmt.Int(before));
    t.equalInt(Text.Length(document), length, "length");
    t.check(Text.Equal(document, Text.FromChars(SUBARRAY(model^, 0, length))), "characters");
    FOR i := 0 TO length - 1 BY 97 DO
      t.check(Text.GetChar(document, i) = model[i], "character " & Fmt.Int(i));
    END;
    model := NIL;
  END TestEditedTextKeepsNoFormerText;

BEGIN
END TextEditingTest.
