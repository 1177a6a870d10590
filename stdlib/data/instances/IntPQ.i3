INTERFACE IntPQ = PQueue(Integer) END IntPQ.
