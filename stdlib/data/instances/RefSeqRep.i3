INTERFACE RefSeqRep = SequenceRep(Refany, RefSeq) END RefSeqRep.
