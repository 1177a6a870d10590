INTERFACE TextSeqRep = SequenceRep(Text, TextSeq) END TextSeqRep.
