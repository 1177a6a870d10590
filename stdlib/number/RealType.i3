(* REAL under the names that generics want. *)
INTERFACE RealType;

IMPORT Real;

TYPE
  T = Real.T;

CONST
  Brand = Real.Brand;
  Equal = Real.Equal;
  Hash = Real.Hash;
  Compare = Real.Compare;

END RealType.
