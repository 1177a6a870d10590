(* Infinities and quiet NaNs. *)
INTERFACE IEEESpecial;

VAR (*CONST*)
  RealNegInf, RealPosInf, RealNan: REAL;
  LongNegInf, LongPosInf, LongNan: LONGREAL;
  ExtdNegInf, ExtdPosInf, ExtdNan: EXTENDED;

END IEEESpecial.
