INTERFACE AtomSetList = SetList(AtomSet) END AtomSetList.
