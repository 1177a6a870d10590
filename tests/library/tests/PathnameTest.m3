MODULE PathnameTest;

IMPORT Pathname, Test;

PROCEDURE TestPartsOfAName(t: Test.T) =
  BEGIN
    t.equalText(Pathname.Last("a/b/c.txt"), "c.txt");
    t.equalText(Pathname.Prefix("a/b/c.txt"), "a/b");
    t.equalText(Pathname.Base("a/b/c.txt"), "a/b/c");
    t.equalText(Pathname.LastBase("a/b/c.txt"), "c");
    t.equalText(Pathname.LastExt("a/b/c.txt"), "txt");
    t.equalText(Pathname.LastExt("a/b/c"), "");
    t.equalText(Pathname.LastBase(".profile"), ".profile");
  END TestPartsOfAName;

PROCEDURE TestJoin(t: Test.T) =
  BEGIN
    t.equalText(Pathname.Join("a", "b", "c"), "a/b.c");
    t.equalText(Pathname.Join(NIL, "b", "c"), "b.c");
    t.equalText(Pathname.Join("/", "b", NIL), "/b");
    t.equalText(Pathname.ReplaceExt("a/b.c", "o"), "a/b.o");
  END TestJoin;

PROCEDURE TestAbsolute(t: Test.T) =
  BEGIN
    t.check(Pathname.Absolute("/a/b"));
    t.check(NOT Pathname.Absolute("a/b"));
    t.check(Pathname.Valid("a/b"));
  END TestAbsolute;

PROCEDURE TestComposeIsTheInverseOfDecompose(t: Test.T) RAISES {Pathname.Invalid} =
  CONST Names = ARRAY OF TEXT{"/", "/a", "/a/b.c", "a", "a/b", "../x"};
  BEGIN
    FOR i := 0 TO LAST(Names) DO
      t.equalText(Pathname.Compose(Pathname.Decompose(Names[i])), Names[i]);
    END;
  END TestComposeIsTheInverseOfDecompose;

BEGIN
END PathnameTest.
