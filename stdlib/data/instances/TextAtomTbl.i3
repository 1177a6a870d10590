INTERFACE TextAtomTbl = Table(Text, Atom) END TextAtomTbl.
