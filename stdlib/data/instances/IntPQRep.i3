INTERFACE IntPQRep = PQueueRep(IntPQ) END IntPQRep.
