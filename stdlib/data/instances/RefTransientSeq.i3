INTERFACE RefTransientSeq = Sequence(RootTransient, RefanyTransient) END RefTransientSeq.
