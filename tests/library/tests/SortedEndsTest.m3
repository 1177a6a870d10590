MODULE SortedEndsTest;

IMPORT Database, Fmt, IntTextBPlusTree, SortedIntTextEnds, SortedIntTextTbl, SortedTextRefPrefix, SortedTextRefTbl, Test,
       Text, TextRefBPlusTree, Transaction;

(* The entries k -> "k" for even k from 0 to 2 * n - 2, and then none. *)
PROCEDURE CheckEnds(t: Test.T; table: SortedIntTextTbl.T; n: CARDINAL) =
  VAR key := -7;  value := "none";

  PROCEDURE Found(found: BOOLEAN; expected: INTEGER) =
    BEGIN
      t.check(found);
      t.equalInt(key, expected);
      t.equalText(value, Fmt.Int(expected));
    END Found;

  PROCEDURE Missing(found: BOOLEAN) =
    BEGIN
      t.check(NOT found AND key = -7 AND Text.Equal(value, "none"));
    END Missing;

  BEGIN
    Missing(SortedIntTextEnds.First(table, key, value));
    Missing(SortedIntTextEnds.DeleteLast(table, key, value));
    FOR i := 0 TO n - 1 DO EVAL table.put(2 * i, Fmt.Int(2 * i)) END;
    Missing(SortedIntTextEnds.AtMost(table, -1, key, value));
    Missing(SortedIntTextEnds.AtLeast(table, 2 * n - 1, key, value));
    Found(SortedIntTextEnds.First(table, key, value), 0);
    Found(SortedIntTextEnds.Last(table, key, value), 2 * n - 2);
    FOR i := 0 TO 2 * n - 2 DO
      Found(SortedIntTextEnds.AtLeast(table, i, key, value), i + i MOD 2);
      Found(SortedIntTextEnds.AtMost(table, i, key, value), i - i MOD 2);
    END;
    FOR i := 0 TO n DIV 2 - 1 DO
      Found(SortedIntTextEnds.DeleteFirst(table, key, value), 2 * i);
      Found(SortedIntTextEnds.DeleteLast(table, key, value), 2 * (n - 1 - i));
    END;
    t.equalInt(table.size(), n MOD 2);
  END CheckEnds;

PROCEDURE TestEnds(t: Test.T) =
  BEGIN
    CheckEnds(t, NEW(SortedIntTextTbl.Default).init(), 101);
    CheckEnds(t, NEW(IntTextBPlusTree.T).init(2), 101);
    CheckEnds(t, NEW(IntTextBPlusTree.T).init(), 1000);
  END TestEnds;

PROCEDURE TestPrefixes(t: Test.T) =
  CONST Keys = ARRAY OF TEXT{"", "a", "ab", "aba", "abb", "ac", "b", "b\377", "b\377\377", "c"};

  PROCEDURE Below(table: SortedTextRefTbl.T; prefix: TEXT): TEXT =
    VAR result := "";  entries := SortedTextRefPrefix.Iterate(table, prefix);  key: TEXT;  value: REFANY;
    BEGIN
      WHILE entries.next(key, value) DO
        t.check(value = key);
        result := result & key & ",";
      END;
      t.check(NOT entries.next(key, value));
      RETURN result;
    END Below;

  PROCEDURE Check(table: SortedTextRefTbl.T) =
    BEGIN
      t.equalText(Below(table, ""), "");
      FOR i := LAST(Keys) TO 0 BY -1 DO EVAL table.put(Keys[i], Keys[i]) END;
      t.equalText(Below(table, "ab"), "ab,aba,abb,");
      t.equalText(Below(table, "b"), "b,b\377,b\377\377,");
      t.equalText(Below(table, "b\377"), "b\377,b\377\377,");
      t.equalText(Below(table, "bb"), "");
      t.equalText(Below(table, "d"), "");
      t.equalText(Below(table, ""), ",a,ab,aba,abb,ac,b,b\377,b\377\377,c,");
    END Check;

  BEGIN
    Check(NEW(SortedTextRefTbl.Default).init());
    Check(NEW(TextRefBPlusTree.T).init(2));
  END TestPrefixes;

PROCEDURE TestOpenOrCreate(t: Test.T) RAISES ANY =
  VAR name := t.directory() & "/store";  db := Database.OpenOrCreate(name);  tr := NEW(Transaction.T);
  PROCEDURE Again() RAISES ANY = BEGIN EVAL Database.OpenOrCreate(name) END Again;
  BEGIN
    tr.begin();
    t.check(db.getRoot() = NIL);
    db.setRoot("kept");
    tr.commit();
    EVAL t.raises(Again, "Database.DatabaseOpen");
    db.close();
    db := Database.OpenOrCreate(name);
    tr.begin();
    t.equalText(db.getRoot(), "kept");
    tr.commit();
    db.close();
    db := Database.OpenOrCreate(name & ":second");
    db.close();
  END TestOpenOrCreate;

BEGIN
END SortedEndsTest.
