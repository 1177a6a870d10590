INTERFACE RealSqrt = Sqrt(RealType) END RealSqrt.
