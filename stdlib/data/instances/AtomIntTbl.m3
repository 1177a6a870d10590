MODULE AtomIntTbl = Table(Atom, Integer) END AtomIntTbl.
