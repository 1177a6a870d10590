(* LONGREAL under the names that generics want. *)
INTERFACE LongrealType;

IMPORT LongReal;

TYPE
  T = LongReal.T;

CONST
  Brand = LongReal.Brand;
  Equal = LongReal.Equal;
  Hash = LongReal.Hash;
  Compare = LongReal.Compare;

END LongrealType.
