INTERFACE RefPQ = PQueue(Refany) END RefPQ.
