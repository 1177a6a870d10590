(* golden: run, with lib/Check *)
(* RTTypeFP, RTProcedure. *)
UNSAFE MODULE Main;

IMPORT Check, Fingerprint, Fmt, RTProcedure, RTType, RTTypeFP, RuntimeError;

TYPE
  A = OBJECT n: INTEGER END;
  B = A OBJECT END;
  P = PROCEDURE(n: INTEGER; base: Fmt.Base := 10): TEXT;

PROCEDURE Own() =
  BEGIN
  END Own;

VAR
  p: P;

BEGIN
  FOR tc := 0 TO RTType.MaxTypecode() DO
    Check.Int(RTTypeFP.FromFingerprint(RTTypeFP.ToFingerprint(tc)), tc, "a type");
  END;
  Check.That(RTTypeFP.ToFingerprint(TYPECODE(A)) # RTTypeFP.ToFingerprint(TYPECODE(B)), "A # B");
  Check.Int(RTTypeFP.FromFingerprint(Fingerprint.FromText("no type")), RTType.NoSuchType, "none");
  p := LOOPHOLE(RTProcedure.FromFingerprint(Fingerprint.FromText("Fmt.Int")), P);
  Check.Text(p(255, 16), "ff", "a procedure that was found");
  Check.That(RTProcedure.ToFingerprint(LOOPHOLE(p, ADDRESS)) = Fingerprint.FromText("Fmt.Int"),
             "ToFingerprint");
  Check.That(RTProcedure.ToFingerprint(LOOPHOLE(Own, ADDRESS)) = Fingerprint.FromText("Main.Own"),
             "an own procedure");
  Check.That(RTProcedure.FromFingerprint(Fingerprint.FromText("Fmt.None")) = NIL, "none");
  TRY
    EVAL RTProcedure.ToFingerprint(ADR(p));
    Check.That(FALSE, "no procedure");
  EXCEPT
  | RuntimeError.E => Check.That(TRUE, "");
  END;
  Check.That(TRUE, "");
END Main.
