INTERFACE Arithmetic;
TYPE Err = BRANDED "Arith.Err" OBJECT parent: Err := NIL METHODS init(e: Err := NIL): Err := Init; throw() RAISES {Error} := Throw; name(): TEXT := Name END;
  ErrDivisionByZero = Err BRANDED OBJECT OVERRIDES name := DivName END;
  ErrIndexOutOfRange = Err BRANDED OBJECT i: INTEGER END;
EXCEPTION Error(Err);
PROCEDURE Init(self: Err; e: Err): Err;
PROCEDURE Throw(self: Err) RAISES {Error};
PROCEDURE Name(self: Err): TEXT;
PROCEDURE DivName(self: ErrDivisionByZero): TEXT;
END Arithmetic.
