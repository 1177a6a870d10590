INTERFACE IntSeq = Sequence(Integer) END IntSeq.
