MODULE IntSeq = Sequence(Integer, IntSeq, IntSeqRep) END IntSeq.
