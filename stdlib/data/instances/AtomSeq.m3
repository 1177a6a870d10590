MODULE AtomSeq = Sequence(Atom, AtomSeq, AtomSeqRep) END AtomSeq.
