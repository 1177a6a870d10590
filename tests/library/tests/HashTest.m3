MODULE HashTest;

IMPORT Hash, Hex, Password, RandomBytes, RuntimeError, Test, Text, TextRd;

PROCEDURE TestReadersAndTexts(t: Test.T) RAISES ANY =
  VAR long := "0123456789";
  BEGIN
    FOR i := 1 TO 14 DO long := long & long END;
    FOR kind := FIRST(Hash.Kind) TO LAST(Hash.Kind) DO
      t.equalText(Hex.Encode(Hash.OfReader(kind, TextRd.New(long))), Hex.Encode(Hash.OfText(kind, long)));
    END;
  END TestReadersAndTexts;

PROCEDURE TestAnEndedHashMayBeginAnew(t: Test.T) RAISES ANY =
  VAR h := NEW(Hash.T).init(Hash.Kind.SHA1);
  BEGIN
    EVAL h.result();
    EVAL t.fails(PutEnded, RuntimeError.T.AssertFailed);
    h := h.init(Hash.Kind.SHA256);
    h.putChars(ARRAY OF CHAR{'a', 'b', 'c'});
    t.equalText(h.result(), Hash.OfText(Hash.Kind.SHA256, "abc"));
  END TestAnEndedHashMayBeginAnew;

PROCEDURE PutEnded() RAISES ANY =
  VAR h := NEW(Hash.T).init(Hash.Kind.SHA1);
  BEGIN
    EVAL h.result();
    h.put("a");
  END PutEnded;

PROCEDURE TestEqualTexts(t: Test.T) RAISES ANY =
  BEGIN
    t.check(Hash.Equal("abc", "abc"));
    t.check(Hash.Equal("", ""));
    t.check(NOT Hash.Equal("abc", "abd"));
    t.check(NOT Hash.Equal("abc", "ab"));
  END TestEqualTexts;

PROCEDURE TestRandomBytesDiffer(t: Test.T) RAISES ANY =
  VAR a := RandomBytes.New(16);  b := RandomBytes.New(16);
  BEGIN
    t.equalInt(Text.Length(a), 16);
    t.check(NOT Text.Equal(a, b));
    t.equalText(RandomBytes.New(0), "");
  END TestRandomBytesDiffer;

PROCEDURE TestStoredPasswords(t: Test.T) RAISES ANY =
  VAR stored := Password.ToStore("secret");
  BEGIN
    t.check(Password.Check("secret", stored));
    t.check(NOT Password.Check("Secret", stored));
    t.check(NOT Text.Equal(stored, Password.ToStore("secret")), "each has its own salt");
    t.check(NOT Password.Check("secret", Text.Sub(stored, 0, Text.Length(stored) - 1)));
    t.check(NOT Password.Check("secret", ""));
    t.check(NOT Password.Check("secret", W"\x20AC"));
  END TestStoredPasswords;

BEGIN
END HashTest.
