INTERFACE RefTransientSeqRep = SequenceRep(RootTransient, RefanyTransient, RefTransientSeq) END RefTransientSeqRep.
