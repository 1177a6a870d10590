(* What a line becomes, and where a load goes on. *)
MODULE LinesTest EXPORTS Main;

IMPORT Places, Text, TextRd;

<*FATAL ANY*>

CONST
  File = "7,Paris,France\n12,Oslo,Norway\n3,Paris,USA\n";

VAR
  places := Places.New();
  rd := NEW(TextRd.T).init(File);

PROCEDURE IsMalformed(line: TEXT): BOOLEAN =
  BEGIN
    TRY
      Places.AddLine(places, line);
      RETURN FALSE;
    EXCEPT
    | Places.Malformed => RETURN TRUE;
    END;
  END IsMalformed;

BEGIN
  <*ASSERT Places.AddLines(places, rd, 2) AND places.lines = 2*>
  (* Another run reads the file from its beginning. *)
  rd := NEW(TextRd.T).init(File);
  Places.Skip(places, rd);
  <*ASSERT NOT Places.AddLines(places, rd, 100) AND places.lines = 3*>

  <*ASSERT Text.Equal(Places.Find(places, 12).name, "Oslo")*>
  <*ASSERT Places.Find(places, 13) = NIL*>
  <*ASSERT Places.FindCountry(places, "France").places.get(0) = 7*>
  <*ASSERT Places.FindCountry(places, "Spain") = NIL*>

  <*ASSERT IsMalformed("") AND IsMalformed("1,Paris") AND IsMalformed("x,Paris,France")*>
  <*ASSERT IsMalformed("-1,Paris,France") AND IsMalformed("7,Lyon,France")*>
END LinesTest.
