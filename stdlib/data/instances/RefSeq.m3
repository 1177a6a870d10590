MODULE RefSeq = Sequence(Refany, RefSeq, RefSeqRep) END RefSeq.
