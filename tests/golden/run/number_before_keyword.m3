(* golden: run *)
(* A keyword may follow a number directly, also where the two look like a number of another language
   (language.md 1.8); a convention pragma begins a declaration in a block among statements (26). *)
MODULE Main;
IMPORT IO;
VAR n := 0;
BEGIN
  CASE 0OF 0 => INC(n) ELSE END;
  FOR i := 1TO 10BY 3DO INC(n, i) END;
  IF n = 23THEN n := 24DIV 2 END;
  <*CALLBACK*> PROCEDURE Local (x: INTEGER) = BEGIN INC(n, x) END Local;
  BEGIN
    Local(100);
  END;
  IO.PutInt(n); IO.Put("\n");
END Main.
(* expect: 112 *)
