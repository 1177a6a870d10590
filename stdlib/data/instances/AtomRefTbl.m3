MODULE AtomRefTbl = Table(Atom, Refany) END AtomRefTbl.
