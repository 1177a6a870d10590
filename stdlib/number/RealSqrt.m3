MODULE RealSqrt = Sqrt(RealType, RealFloat) END RealSqrt.
