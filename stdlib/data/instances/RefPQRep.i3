INTERFACE RefPQRep = PQueueRep(RefPQ) END RefPQRep.
