(* golden: run, with lib/Check *)
(* RTProcedureSRC: procedures by code addresses. *)
UNSAFE MODULE Main;

IMPORT Check, M3toC, RTProcedure, RTProcedureSRC, Text;

PROCEDURE Own(n: INTEGER): INTEGER =
  BEGIN
    RETURN n * 3 + LAST(INTEGER) DIV (n + 7);
  END Own;

VAR
  code: RTProcedure.Proc;
  file, name: RTProcedureSRC.Name;
  global: INTEGER;

BEGIN
  Check.That(RTProcedureSRC.NumProcedures() > 20, "the number of procedures");
  Check.That(Own(1) > 3, "the procedure is used");
  FOR inside := 0 TO 4 BY 4 DO
    RTProcedureSRC.FromPC(LOOPHOLE(Own, ADDRESS) + inside, code, file, name);
    Check.That(code = LOOPHOLE(Own, ADDRESS), "the procedure");
    Check.Text(M3toC.CopyStoT(LOOPHOLE(name, UNTRACED REF [-128 .. 127])), "Main.Own", "its name");
    WITH path = M3toC.CopyStoT(LOOPHOLE(file, UNTRACED REF [-128 .. 127])) DO
      Check.Text(Text.Sub(path, MAX(0, Text.Length(path) - 3)), ".m3", "its file");
    END;
  END;
  RTProcedureSRC.FromPC(ADR(global), code, file, name);
  Check.That(code = NIL AND file = NIL AND name = NIL, "data are no code");
  Check.Done();
END Main.
(* expect: all checks hold *)
