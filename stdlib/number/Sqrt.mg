(* Float is the instance of Float for Type. *)
GENERIC MODULE Sqrt(Type, Float);

IMPORT FloatMode;

PROCEDURE Sqrt(x: Type.T): Type.T RAISES {FloatMode.Trap} =
  BEGIN
    RETURN Float.Sqrt(x);
  END Sqrt;

BEGIN
END Sqrt.
