INTERFACE AtomSeq = Sequence(Atom) END AtomSeq.
