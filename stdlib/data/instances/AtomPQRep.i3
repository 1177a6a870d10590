INTERFACE AtomPQRep = PQueueRep(AtomPQ) END AtomPQRep.
