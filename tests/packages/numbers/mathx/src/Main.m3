MODULE Main;
IMPORT LRPoly AS P, LRVector AS V, LRComplex AS C, LRComplexPoly AS CP, RVector, IO, Arithmetic, RComplex, EComplex, LongRealBasic AS B, RealBasic;
VAR p := P.FromArray(ARRAY OF LONGREAL{1.0D0, 2.0D0, 1.0D0}); q := P.FromArray(P.TBody{1.0D0, 1.0D0}); qr: P.QuotRem;
<*FATAL Arithmetic.Error*>
BEGIN
  IO.Put(B.Fmt(P.Eval(p, 3.0D0)) & " " & P.Fmt(P.Mul(p, q)) & "\n");
  qr := P.DivMod(p, q); IO.Put(P.Fmt(qr.quot) & "r " & P.Fmt(qr.rem) & "\n");
  IO.Put(C.Fmt(C.Mul(C.I, C.I)) & C.Fmt(C.Div(C.One, C.I)) & CP.Fmt(CP.Mul(CP.One, CP.FromArray(CP.TBody{C.I, C.One}))) & "\n");
  IO.Put(RComplex.Fmt(RComplex.I) & EComplex.Fmt(EComplex.One) & RealBasic.Fmt(RVector.Inner(RVector.Map(ARRAY OF REAL{1.0, 2.0}, RealBasic.Neg), RVector.FromArray(RVector.TBody{3.0, 4.0}))) & "\n");
  TRY EVAL V.Inner(V.New(2), V.New(3)) EXCEPT Arithmetic.Error(e) => TYPECASE e OF Arithmetic.ErrIndexOutOfRange(x) => IO.PutInt(x.i); IO.Put(e.name()) ELSE END END;
  TRY EVAL P.DivMod(p, P.Zero) EXCEPT Arithmetic.Error(e) => IO.Put(e.name() & "\n") END;
END Main.
