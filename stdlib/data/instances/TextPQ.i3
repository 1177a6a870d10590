INTERFACE TextPQ = PQueue(Text) END TextPQ.
