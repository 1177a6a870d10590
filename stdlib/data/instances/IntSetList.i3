INTERFACE IntSetList = SetList(IntSet) END IntSetList.
