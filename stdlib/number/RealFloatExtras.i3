INTERFACE RealFloatExtras = FloatExtras(Real) END RealFloatExtras.
