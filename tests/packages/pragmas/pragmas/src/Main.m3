<*NOWARN*> UNSAFE MODULE Main;
IMPORT CLib, Spec, IO, M3toC, Fmt;
<*LINE 100 "Main.src"*>
PROCEDURE S(t: TEXT): INTEGER =
  VAR s := M3toC.CopyTtoS(t);
  BEGIN TRY RETURN CLib.atoi(s) FINALLY M3toC.FreeCopiedS(s) END END S;
BEGIN
  IO.Put(Fmt.Int(CLib.abs(-5)) & Fmt.Int(S("42")) & Fmt.LongReal(CLib.AToF(M3toC.SharedTtoS("2.5"))) & Fmt.Char(VAL(CLib.toupper(ORD('q')), CHAR)) & "\n");
  IO.Put(Fmt.Int(Spec.Abs(-7)) & Fmt.Bool(CLib.environ # NIL) & "\n");
  Spec.Old();
  TRY Spec.Raise() EXCEPT Spec.Imp(n) => IO.PutInt(n + Spec.v) END;
  IO.Put("\n");
END Main.
