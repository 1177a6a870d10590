INTERFACE AtomSet = Set(Atom) END AtomSet.
