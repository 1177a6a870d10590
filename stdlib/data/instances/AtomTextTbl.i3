INTERFACE AtomTextTbl = Table(Atom, Text) END AtomTextTbl.
