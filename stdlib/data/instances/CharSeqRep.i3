INTERFACE CharSeqRep = SequenceRep(Char, CharSeq) END CharSeqRep.
