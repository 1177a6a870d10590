INTERFACE LongSqrt = Sqrt(LongrealType) END LongSqrt.
