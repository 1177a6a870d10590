MODULE AtomTextTbl = Table(Atom, Text) END AtomTextTbl.
