(* The result of a line, and the place where a load goes on. *)
MODULE PlacesTest;

IMPORT Places, Test, TextRd;

CONST
  File = "7,Paris,France\n12,Oslo,Norway\n3,Paris,USA\n";
  Malformed = ARRAY OF TEXT{"", "1,Paris", "x,Paris,France", "-1,Paris,France", "7,Lyon,France"};

VAR
  places: Places.T;
  line: TEXT;

PROCEDURE SetUp(t: Test.T) RAISES ANY =
  BEGIN
    places := Places.New();
    t.check(NOT Places.AddLines(places, TextRd.New(File), 100));
  END SetUp;

PROCEDURE TestFindsByNumberAndByCountry(t: Test.T) =
  BEGIN
    t.equalText(Places.Find(places, 12).name, "Oslo");
    t.check(Places.Find(places, 13) = NIL);
    t.equalInt(Places.FindCountry(places, "France").places.get(0), 7);
    t.check(Places.FindCountry(places, "Spain") = NIL);
  END TestFindsByNumberAndByCountry;

PROCEDURE TestALoadGoesOnBehindWhatIsThere(t: Test.T) RAISES ANY =
  VAR some := Places.New();  rd := TextRd.New(File);
  BEGIN
    t.check(Places.AddLines(some, rd, 2));
    t.equalInt(some.lines, 2);
    rd := TextRd.New(File);  (* another run reads from the beginning *)
    Places.Skip(some, rd);
    t.check(NOT Places.AddLines(some, rd, 100));
    t.equalInt(some.lines, 3);
  END TestALoadGoesOnBehindWhatIsThere;

PROCEDURE TestMalformedLines(t: Test.T) =
  BEGIN
    t.each(NUMBER(Malformed), Row);
  END TestMalformedLines;

PROCEDURE Row(t: Test.T; row: CARDINAL) =
  BEGIN
    line := Malformed[row];
    EVAL t.raises(Add, "Places.Malformed");
    t.equalInt(places.lines, 3);
  END Row;

PROCEDURE Add() RAISES ANY =
  BEGIN
    Places.AddLine(places, line);
  END Add;

BEGIN
END PlacesTest.
