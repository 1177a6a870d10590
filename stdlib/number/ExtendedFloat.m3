MODULE ExtendedFloat = Float(Extended, ExtendedRep) END ExtendedFloat.
