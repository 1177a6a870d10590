INTERFACE ExprF;
IMPORT Expr, Wr, Thread;
TYPE Op = {Add, Sub, Mul, Div, Neg};
REVEAL Expr.T = BRANDED "Expr.T" OBJECT METHODS eval(): LONGREAL RAISES {Expr.Bad} := NIL; print(wr: Wr.T) RAISES {Wr.Failure, Thread.Alerted} END;
TYPE
  Num = Expr.T BRANDED "Expr.Num" OBJECT val: LONGREAL END;
  Bin = Expr.T BRANDED "Expr.Bin" OBJECT op: Op; l, r: Expr.T END;
CONST OpName = ARRAY Op OF TEXT {" + ", " - ", " * ", " / ", "-"};
END ExprF.
