INTERFACE LongFloat = Float(LongReal) END LongFloat.
