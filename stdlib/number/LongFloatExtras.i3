INTERFACE LongFloatExtras = FloatExtras(LongReal) END LongFloatExtras.
