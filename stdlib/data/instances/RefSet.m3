MODULE RefSet = Set(Refany) END RefSet.
