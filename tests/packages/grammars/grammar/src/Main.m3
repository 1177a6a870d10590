MODULE Main;

IMPORT Bundle, Expr, Fmt, GrammarBundle, IO, Machine;

CONST Starts = Expr.Left[LAST(Expr.Left)] = FIRST(Expr.Symbol);

BEGIN
  IO.Put(Fmt.Int(NUMBER(Expr.Left)) & " productions, " & Fmt.Int(NUMBER(Expr.Symbol))
           & " symbols, " & Fmt.Int(Expr.NonTerminals) & " of them to be replaced\n");
  IO.Put(Fmt.Bool(Starts) & " " & Fmt.Int(Machine.Bits - BITSIZE(INTEGER)) & " " & Machine.Name & "\n");
  IO.Put(Bundle.Get(GrammarBundle.Get(), "note.txt"))
END Main.
