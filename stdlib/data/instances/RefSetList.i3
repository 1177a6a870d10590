INTERFACE RefSetList = SetList(RefSet) END RefSetList.
