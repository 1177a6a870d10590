MODULE AtomSet = Set(Atom) END AtomSet.
