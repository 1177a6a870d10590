MODULE AtomList = List(Atom) END AtomList.
