INTERFACE ExtendedFloat = Float(Extended) END ExtendedFloat.
