MODULE LongSqrt = Sqrt(LongrealType, LongFloat) END LongSqrt.
