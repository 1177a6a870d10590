INTERFACE TextSeq = Sequence(Text) END TextSeq.
