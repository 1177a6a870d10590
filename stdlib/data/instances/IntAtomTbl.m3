MODULE IntAtomTbl = Table(Integer, Atom) END IntAtomTbl.
