INTERFACE AtomList = List(Atom) END AtomList.
