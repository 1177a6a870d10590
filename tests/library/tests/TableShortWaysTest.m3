(* Tables call Key.Hash and Key.Equal directly only if keyHash and keyEqual are not overridden, and put new entries
   where deleted ones were. Text.Hash has the same value in every run and for every representation. *)
MODULE TableShortWaysTest;

IMPORT Test, Fmt, IntIntTbl, Text, TextIntTbl, Word;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

TYPE
  (* Keys that differ only in the case of letters are one. *)
  Folded = TextIntTbl.Default OBJECT
      hashes := 0;
    OVERRIDES
      keyHash := HashFolded;
      keyEqual := EqualFolded;
    END;

  (* Every key has the same hash. *)
  Crowded = IntIntTbl.Default OBJECT OVERRIDES keyHash := SameHash END;

  (* Overrides nothing. *)
  Named = TextIntTbl.Default OBJECT name: TEXT END;

PROCEDURE Fold(t: TEXT): TEXT =
  VAR u := "";  c: CHAR;
  BEGIN
    FOR i := 0 TO Text.Length(t) - 1 DO
      c := Text.GetChar(t, i);
      IF 'a' <= c AND c <= 'z' THEN c := VAL(ORD(c) - 32, CHAR) END;
      u := u & Text.FromChar(c);
    END;
    RETURN u;
  END Fold;

PROCEDURE HashFolded(t: Folded; READONLY k: TEXT): Word.T =
  BEGIN
    INC(t.hashes);
    RETURN Text.Hash(Fold(k));
  END HashFolded;

PROCEDURE EqualFolded(<*UNUSED*> t: Folded; READONLY a, b: TEXT): BOOLEAN =
  BEGIN
    RETURN Text.Equal(Fold(a), Fold(b));
  END EqualFolded;

PROCEDURE SameHash(<*UNUSED*> t: Crowded; <*UNUSED*> READONLY k: INTEGER): Word.T =
  BEGIN
    RETURN 7;
  END SameHash;

PROCEDURE Overridden() =
  VAR t: TextIntTbl.T := NEW(Folded).init();  v := 0;
  BEGIN
    test.check(NOT t.put("One", 1), "new");
    test.check(t.put("oNE", 2), "the same in another case");
    test.equalInt(t.size(), 1, "one entry");
    test.check(t.get("ONE", v) AND v = 2, "get");
    test.equalInt(NARROW(t, Folded).hashes, 3, "one hash for each operation");
    test.check(t.delete("one", v) AND v = 2 AND t.size() = 0, "delete");
    t := NEW(Named, name := "x").init();
    test.check(NOT t.put("One", 1) AND NOT t.put("oNE", 2) AND t.get("On" & "e", v) AND v = 1, "not overridden");
  END Overridden;

(* Searches go on behind deleted entries; new entries take their slots, so the table does not grow. *)
PROCEDURE Deleted(t: IntIntTbl.T; what: TEXT) =
  VAR v := 0;
  BEGIN
    FOR i := 0 TO 39 DO test.check(NOT t.put(i, i), what & ": new") END;
    FOR round := 1 TO 1000 DO
      FOR i := 10 TO 12 DO test.check(t.delete(i, v) AND v = i, what & ": delete") END;
      test.check(NOT t.get(11, v) AND t.get(39, v) AND v = 39, what & ": behind deleted ones");
      test.check(t.put(39, 39) AND t.size() = 37, what & ": put behind deleted ones");
      FOR i := 12 TO 10 BY -1 DO test.check(NOT t.put(i, i), what & ": again") END;
      test.equalInt(t.size(), 40, what & ": size");
    END;
    FOR i := 0 TO 39 DO test.check(t.get(i, v) AND v = i, what & ": all") END;
  END Deleted;

PROCEDURE Hashes() =
  VAR tree := "";  wide := Text.Sub("xab" & Text.FromWideChar(W'\x0100'), 1, 2);
  BEGIN
    test.equalText(Fmt.Unsigned(Text.Hash("")), "cbf29ce484222325", "the hash of no characters");
    test.equalText(Fmt.Unsigned(Text.Hash("a")), "af63dc4c8601ec8c", "of one");
    test.equalText(Fmt.Unsigned(Text.Hash("foobar")), "85944171f73967e8", "of six");
    test.equalInt(Text.Hash(wide), Text.Hash("ab"), "of wide ones that could be narrow");
    test.equalText(Fmt.Unsigned(Text.Hash(Text.FromWideChar(W'\x0141'))), "908a307b5a158b7", "of a wide one");
    FOR i := 1 TO 300 DO tree := tree & "foobar" & Fmt.Int(i) END;
    FOR i := 1 TO 300 DO tree := Text.Sub(tree, 1) & "x" END;
    WITH chars = NEW(REF ARRAY OF CHAR, Text.Length(tree)) DO
      Text.SetChars(chars^, tree);
      test.equalInt(Text.Hash(tree), Text.Hash(Text.FromChars(chars^)), "of a tree");
    END;
  END Hashes;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    Overridden();
    Deleted(NEW(IntIntTbl.Default).init(), "spread");
    Deleted(NEW(Crowded).init(), "crowded");
    Hashes();
  END TestAll;

BEGIN
END TableShortWaysTest.
