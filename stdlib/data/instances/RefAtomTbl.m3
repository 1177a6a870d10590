MODULE RefAtomTbl = Table(Refany, Atom) END RefAtomTbl.
