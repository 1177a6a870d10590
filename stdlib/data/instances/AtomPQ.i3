INTERFACE AtomPQ = PQueue(Atom) END AtomPQ.
