INTERFACE Emit;
IMPORT AST, Wr, Thread;
FROM Wr IMPORT Failure; FROM Thread IMPORT Alerted;
PROCEDURE Tree(n: AST.NODE; wr: Wr.T; indent := 0) RAISES {Failure, Alerted};
END Emit.
