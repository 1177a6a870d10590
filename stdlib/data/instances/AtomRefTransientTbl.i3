INTERFACE AtomRefTransientTbl = Table(RootTransient, Atom, RefanyTransient) END AtomRefTransientTbl.
