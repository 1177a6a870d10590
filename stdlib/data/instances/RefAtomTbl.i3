INTERFACE RefAtomTbl = Table(Refany, Atom) END RefAtomTbl.
