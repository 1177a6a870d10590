INTERFACE AtomIntTbl = Table(Atom, Integer) END AtomIntTbl.
