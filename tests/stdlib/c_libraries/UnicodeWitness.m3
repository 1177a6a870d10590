(* "FORM BYTES" with 0 to 3 for the forms: the bytes of the normal form; "fold BYTES", "valid BYTES";
   "code NUMBER": the category, upper, lower and title case, and the width. *)
MODULE UnicodeWitness EXPORTS Main;

IMPORT Fmt, Scan, Text, Unicode, Utf8, Witness;

PROCEDURE Answer(READONLY w: Witness.Words): TEXT RAISES ANY =
  BEGIN
    IF Text.Equal(w[0], "fold") THEN RETURN Witness.Hex(Unicode.Fold(Witness.Bytes(w[1]))) END;
    IF Text.Equal(w[0], "valid") THEN RETURN Fmt.Int(Utf8.FirstInvalid(Witness.Bytes(w[1]))) END;
    IF Text.Equal(w[0], "code") THEN
      WITH c = Scan.Int(w[1]) DO
        RETURN Fmt.FN("%s %s %s %s %s",
                      ARRAY OF TEXT{Fmt.Int(ORD(Unicode.CategoryOf(c))), Fmt.Int(Unicode.Upper(c)),
                                    Fmt.Int(Unicode.Lower(c)), Fmt.Int(Unicode.Title(c)),
                                    Fmt.Int(Unicode.WidthOf(c))});
      END;
    END;
    RETURN Witness.Hex(Unicode.Normalize(Witness.Bytes(w[1]), VAL(Scan.Int(w[0]), Unicode.Form)));
  END Answer;

BEGIN
  Witness.Run(Answer);
END UnicodeWitness.
