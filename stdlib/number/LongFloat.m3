MODULE LongFloat = Float(LongReal, LongRealRep) END LongFloat.
