INTERFACE TextPQRep = PQueueRep(TextPQ) END TextPQRep.
