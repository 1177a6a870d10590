(* Square roots of Type.T, which is a floating-point type. *)
GENERIC INTERFACE Sqrt(Type);

IMPORT FloatMode;

(* Correctly rounded. *)
PROCEDURE Sqrt(x: Type.T): Type.T RAISES {FloatMode.Trap};

END Sqrt.
