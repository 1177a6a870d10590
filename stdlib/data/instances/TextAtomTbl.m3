MODULE TextAtomTbl = Table(Text, Atom) END TextAtomTbl.
