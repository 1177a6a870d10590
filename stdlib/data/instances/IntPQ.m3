MODULE IntPQ = PQueue(Integer, IntPQ, IntPQRep) END IntPQ.
