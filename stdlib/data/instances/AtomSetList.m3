MODULE AtomSetList = SetList(Atom, AtomSet, AtomList) END AtomSetList.
