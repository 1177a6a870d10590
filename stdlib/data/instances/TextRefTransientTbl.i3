INTERFACE TextRefTransientTbl = Table(RootTransient, Text, RefanyTransient) END TextRefTransientTbl.
