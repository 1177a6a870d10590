INTERFACE AtomAtomTbl = Table(Atom, Atom) END AtomAtomTbl.
