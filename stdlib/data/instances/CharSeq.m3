MODULE CharSeq = Sequence(Char, CharSeq, CharSeqRep) END CharSeq.
