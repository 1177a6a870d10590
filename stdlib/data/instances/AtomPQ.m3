MODULE AtomPQ = PQueue(Atom, AtomPQ, AtomPQRep) END AtomPQ.
