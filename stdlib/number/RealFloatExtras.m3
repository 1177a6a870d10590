MODULE RealFloatExtras = FloatExtras(Real, RealFloat) END RealFloatExtras.
