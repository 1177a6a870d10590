MODULE Arithmetic;
PROCEDURE Init(self, e: Err): Err = BEGIN self.parent := e; RETURN self END Init;
PROCEDURE Throw(self: Err) RAISES {Error} = BEGIN RAISE Error(self) END Throw;
PROCEDURE Name(<*UNUSED*> self: Err): TEXT = BEGIN RETURN "error" END Name;
PROCEDURE DivName(<*UNUSED*> self: ErrDivisionByZero): TEXT = BEGIN RETURN "division by zero" END DivName;
BEGIN END Arithmetic.
