MODULE IEEESpecial;

IMPORT ExtendedRep, LongRealRep, RealRep, Word;

CONST
  (* The bits above the fraction, without and with the sign; the first bit of the fraction. *)
  RealInf = Word.Shift(16_FF, RealRep.FractionBits);
  RealSign = Word.Shift(1, 31);
  RealQuiet = Word.Shift(1, RealRep.FractionBits - 1);
  LongInf = Word.Shift(16_7FF, LongRealRep.FractionBits);
  LongSign = Word.Shift(1, 63);
  LongQuiet = Word.Shift(1, LongRealRep.FractionBits - 1);

BEGIN
  RealPosInf := RealRep.FromBits(RealInf);
  RealNegInf := RealRep.FromBits(Word.Or(RealInf, RealSign));
  RealNan := RealRep.FromBits(Word.Or(RealInf, RealQuiet));
  LongPosInf := LongRealRep.FromBits(LongInf);
  LongNegInf := LongRealRep.FromBits(Word.Or(LongInf, LongSign));
  LongNan := LongRealRep.FromBits(Word.Or(LongInf, LongQuiet));
  ExtdPosInf := ExtendedRep.FromBits(LongInf);
  ExtdNegInf := ExtendedRep.FromBits(Word.Or(LongInf, LongSign));
  ExtdNan := ExtendedRep.FromBits(Word.Or(LongInf, LongQuiet));
END IEEESpecial.
