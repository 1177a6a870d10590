INTERFACE CharSeq = Sequence(Char) END CharSeq.
