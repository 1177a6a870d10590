(* golden: run, -w *)
(* The statements that choose and repeat. *)
MODULE Main;

IMPORT IO;

TYPE Colour = {Red, Green, Blue};

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

PROCEDURE Line() =
  BEGIN
    IO.Put(".\n");
  END Line;

PROCEDURE Kind(n: INTEGER): TEXT =
  BEGIN
    CASE n OF
    | 0 => RETURN "zero";
    | 1, 3, 5, 7, 9 => RETURN "odd";
    | 2, 4, 6, 8 => RETURN "even";
    | 10 .. 99 => RETURN "two digits";
    | 100 .. LAST(INTEGER) => RETURN "big";
    | -1000000 .. -1 => RETURN "negative";
    ELSE RETURN "very negative";
    END;
  END Kind;

VAR n := 0;  calls := 0;

PROCEDURE Next(): INTEGER =
  BEGIN
    INC(calls);
    RETURN calls;
  END Next;

BEGIN
  FOR i := 1 TO 5 DO Int(i) END; Line();
  FOR i := 5 TO 1 BY -2 DO Int(i) END; Line();
  FOR i := 1 TO 10 BY 4 DO Int(i) END; Line();
  FOR i := 3 TO 2 DO Int(i) END; Line();
  FOR i := LAST(INTEGER) - 1 TO LAST(INTEGER) DO Int(i) END; Line();
  FOR i := LAST(INTEGER) - 5 TO LAST(INTEGER) BY 4 DO Int(i) END; Line();
  FOR i := FIRST(INTEGER) + 1 TO FIRST(INTEGER) BY -1 DO Int(i) END; Line();
  FOR b := FALSE TO TRUE DO Int(ORD(b)) END; Line();
  FOR c := FIRST(Colour) TO LAST(Colour) DO Int(ORD(c)) END; Line();
  FOR c := 'a' TO 'e' BY 2 DO IO.PutChar(c) END; Line();
  n := 3;
  FOR i := 1 TO n DO n := 0; Int(i) END; Line();
  FOR i := Next() TO Next() + 1 DO Int(i) END; Int(calls); Line();
  n := 2;
  FOR i := 10 TO 0 BY -n * 2 DO Int(i) END; Line();
  WHILE n < 100 DO n := n * n END; Int(n); Line();
  REPEAT DEC(n, 100) UNTIL n < 0; Int(n); Line();
  LOOP
    INC(n, 7);
    IF n > 20 THEN EXIT END;
    LOOP INC(n); EXIT END;
  END;
  Int(n); Line();
  FOR i := -2 TO 12 BY 3 DO IO.Put(Kind(i) & ", ") END;
  IO.Put(Kind(100) & ", " & Kind(FIRST(INTEGER)) & ", " & Kind(-1000000) & "\n");
  IF n = 1 THEN Int(1) ELSIF n > 0 AND n DIV 0 = 1 OR TRUE THEN Int(2) ELSE Int(3) END;
END Main.
(* expect: 1 2 3 4 5 . *)
(* expect: 5 3 1 . *)
(* expect: 1 5 9 . *)
(* expect: . *)
(* expect: 9223372036854775806 9223372036854775807 . *)
(* expect: 9223372036854775802 9223372036854775806 . *)
(* expect: -9223372036854775807 -9223372036854775808 . *)
(* expect: 0 1 . *)
(* expect: 0 1 2 . *)
(* expect: ace. *)
(* expect: 1 2 3 . *)
(* expect: 1 2 3 2 . *)
(* expect: 10 6 2 . *)
(* expect: 256 . *)
(* expect: -44 . *)
(* expect: 27 . *)
(* expect: negative, odd, even, odd, two digits, big, very negative, negative *)
(* expect-status: 4 *)
(* expect-stderr: IntegerDivideByZero *)
