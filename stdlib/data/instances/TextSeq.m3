MODULE TextSeq = Sequence(Text, TextSeq, TextSeqRep) END TextSeq.
