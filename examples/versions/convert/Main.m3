(* Tells `tenure db upgrade` how the new fields of a book follow from the old ones. *)
MODULE Main;

IMPORT DatabaseConverter, FloatMode, Fmt, Lex, Scan, Text;

PROCEDURE Convert(book: DatabaseConverter.Object) RAISES {DatabaseConverter.Refused} =
  VAR author := book.get("author");  comma := Text.FindChar(author, ',');
  BEGIN
    IF comma < 0 THEN
      book.put("family", author);
      book.put("given", "");
    ELSE
      book.put("family", Text.Sub(author, 0, comma));
      book.put("given", Text.Sub(author, comma + 2));
    END;
    TRY
      book.put("cents", Fmt.Int(ROUND(Scan.Real(book.get("price")) * 100.0)));
    EXCEPT
    | Lex.Error, FloatMode.Trap =>
      RAISE DatabaseConverter.Refused("a price is not a number: " & book.get("price"));
    END;
  END Convert;

BEGIN
  DatabaseConverter.Register("Book.T", Convert);
  DatabaseConverter.Run();
END Main.
