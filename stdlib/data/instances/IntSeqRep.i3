INTERFACE IntSeqRep = SequenceRep(Integer, IntSeq) END IntSeqRep.
