MODULE IntRefTransientTbl = Table(RootTransient, Integer, RefanyTransient) END IntRefTransientTbl.
