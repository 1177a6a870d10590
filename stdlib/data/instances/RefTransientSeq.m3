MODULE RefTransientSeq = Sequence(RootTransient, RefanyTransient, RefTransientSeq, RefTransientSeqRep)
END RefTransientSeq.
