MODULE LongFloatExtras = FloatExtras(LongReal, LongFloat) END LongFloatExtras.
