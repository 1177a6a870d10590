INTERFACE RefSeq = Sequence(Refany) END RefSeq.
