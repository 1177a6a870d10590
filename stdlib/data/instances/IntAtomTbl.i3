INTERFACE IntAtomTbl = Table(Integer, Atom) END IntAtomTbl.
