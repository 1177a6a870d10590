MODULE RefPQ = PQueue(Refany, RefPQ, RefPQRep) END RefPQ.
