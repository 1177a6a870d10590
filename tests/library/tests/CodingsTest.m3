MODULE CodingsTest;

IMPORT Base64, Hex, Test, Text, Texts, Url;

TYPE
  Alphabet = Base64.Alphabet;

(* What is decoded, or why it is not. *)
PROCEDURE OfHex(t: TEXT): TEXT =
  BEGIN
    TRY RETURN Hex.Decode(t) EXCEPT Hex.Error (why) => RETURN why END;
  END OfHex;

PROCEDURE Of64(t: TEXT; alphabet := Alphabet.Standard; padded := TRUE; blanks := FALSE): TEXT =
  BEGIN
    TRY RETURN Base64.Decode(t, alphabet, padded, blanks) EXCEPT Base64.Error (why) => RETURN why END;
  END Of64;

(* The parts of a URL with blanks between them, or why it is none. *)
PROCEDURE Parts(t: TEXT): TEXT =
  PROCEDURE Or(part: TEXT): TEXT =
    BEGIN
      IF part = NIL THEN RETURN "-" END;
      RETURN part;
    END Or;
  BEGIN
    TRY
      WITH url = Url.Parse(t) DO
        RETURN Texts.Join(ARRAY OF TEXT{Or(url.scheme), Or(url.user), Or(url.host), Or(url.port), url.path,
                                        Or(url.query), Or(url.fragment)}, " ");
      END;
    EXCEPT
    | Url.Error (why) => RETURN why;
    END;
  END Parts;

PROCEDURE TestHex(t: Test.T) =
  BEGIN
    t.equalText(Hex.Encode("\000\377Az"), "00ff417a");
    t.equalText(OfHex("4a4B"), "JK");
    t.equalText(OfHex(""), "");
    t.equalText(OfHex("4"), "character 0 is half of a byte: another digit must follow");
    t.equalText(OfHex("41g"), "character 2 is not a hexadecimal digit: 'g'");
    t.equalText(OfHex("41" & Text.FromWideChar(VAL(16_3A9, WIDECHAR)) & "0"),
                "character 2 is not a hexadecimal digit: '" & Text.FromWideChar(VAL(16_3A9, WIDECHAR)) & "'");
  END TestHex;

PROCEDURE TestBase64(t: Test.T) =
  CONST  (* RFC 4648, section 10 *)
    Plain = ARRAY OF TEXT{"", "f", "fo", "foo", "foob", "fooba", "foobar"};
    Coded = ARRAY OF TEXT{"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  BEGIN
    FOR i := 0 TO LAST(Plain) DO
      t.equalText(Base64.Encode(Plain[i]), Coded[i]);
      t.equalText(Of64(Coded[i]), Plain[i]);
    END;
    t.equalText(Base64.Encode("foobar", line := 3), "Zm9\nvYm\nFy");
    t.equalText(Of64(" Zm9\r\nvYm\n\tFy\n", blanks := TRUE), "foobar");
    t.equalText(Of64("-_8", Alphabet.Url, padded := FALSE), "\373\377");
    t.equalText(Of64("-_8="), "character 0 is not one of Base64: '-'");
    t.equalText(Of64("Zm9\nv"), "character 3 is not one of Base64: '\\n'");
    t.equalText(Of64("Zh=="), "character 1 has bits that belong to no byte");
    t.equalText(Of64("Zg="), "the text ends at character 3 without the = that fill its last four characters");
    t.equalText(Of64("Zg=", padded := FALSE),
                "the text ends at character 3 without the = that fill its last four characters");
    t.equalText(Of64("Zm9v="), "character 4 is a = that does not fill four characters");
    t.equalText(Of64("Zm8=="), "character 4 is a = that does not fill four characters");
    t.equalText(Of64("Zg==Zg=="), "character 4 stands behind the end, which is a =");
    t.equalText(Of64("Zm9vY", padded := FALSE), "character 4 is alone: it has only six bits of a byte");
  END TestBase64;

PROCEDURE TestUrls(t: Test.T) =
  BEGIN
    t.equalText(Parts("http://u:p@h.org:80/a/b?c=d#e"), "http u:p h.org 80 /a/b c=d e");
    t.equalText(Parts("mailto:ada@example.org"), "mailto - - - ada@example.org - -");
    t.equalText(Parts("//[::1]:8/"), "- - [::1] 8 / - -");
    t.equalText(Parts("x?#"), "- - - - x  ");
    t.equalText(Parts("a b"), "character 1 may not stand in the path of a URL: ' '");
    t.equalText(Parts("/a?b%2"), "character 4 is a % without two hexadecimal digits");
    t.equalText(Parts("http://h:8o/"), "character 10 may not stand in the port of a URL: 'o'");
    t.equalText(Parts("http://[::1/"), "character 7 is a bracket that is not closed");
    t.equalText(Parts("http://[::1]8/"), "character 12 must be the colon in front of a port");
    t.equalText(Parts("1a:b"), "character 0 must be the letter with which a scheme begins (a path whose first part has"
                               & " a colon begins with ./)");
  END TestUrls;

PROCEDURE TestQueries(t: Test.T) RAISES {Url.Error} =
  VAR query := Url.ParseQuery("a=1&b=%26+x&&a=2&c");
  PROCEDURE Bad() RAISES {Url.Error} = BEGIN EVAL Url.ParseQuery("a=1&b=%4") END Bad;
  BEGIN
    t.equalInt(NUMBER(query^), 4);
    t.equalText(Url.Get(query, "a"), "1");
    t.equalText(Url.Get(query, "b"), "& x");
    t.equalText(Url.Get(query, "c"), "");
    t.check(Url.Get(query, "d") = NIL);
    t.equalText(Url.FromQuery(query^), "a=1&b=%26+x&a=2&c=");
    t.equalInt(NUMBER(Url.ParseQuery(NIL)^), 0);
    EVAL t.raises(Bad, "Url.Error");
    t.equalText(Url.Encode("\303\244/ ~"), "%C3%A4%2F%20~");
    t.equalText(Url.Encode("a/b", Url.Unreserved + SET OF CHAR{'/'}), "a/b");
  END TestQueries;

BEGIN
END CodingsTest.
