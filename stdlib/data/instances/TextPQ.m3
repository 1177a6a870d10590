MODULE TextPQ = PQueue(Text, TextPQ, TextPQRep) END TextPQ.
