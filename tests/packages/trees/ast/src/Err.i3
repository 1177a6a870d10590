INTERFACE Err;
IMPORT AST, Wr;
TYPE Severity = {Info, Warning, Error, Fatal};
PROCEDURE Report(n: AST.NODE; s: Severity := Severity.Error; READONLY t: ARRAY OF TEXT);
PROCEDURE SetWriter(wr: Wr.T := NIL): Wr.T;
PROCEDURE Count(s: Severity): CARDINAL;
TYPE Handler = OBJECT next: Handler := NIL METHODS handle(n: AST.NODE; s: Severity; msg: TEXT): BOOLEAN END;
PROCEDURE Push(h: Handler);
END Err.
