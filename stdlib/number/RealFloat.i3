INTERFACE RealFloat = Float(Real) END RealFloat.
