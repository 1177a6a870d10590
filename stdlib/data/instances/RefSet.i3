INTERFACE RefSet = Set(Refany) END RefSet.
