INTERFACE AtomRefTbl = Table(Atom, Refany) END AtomRefTbl.
