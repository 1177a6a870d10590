MODULE RealFloat = Float(Real, RealRep) END RealFloat.
