INTERFACE AtomSeqRep = SequenceRep(Atom, AtomSeq) END AtomSeqRep.
