MODULE AtomAtomTbl = Table(Atom, Atom) END AtomAtomTbl.
