MODULE IntSetList = SetList(Integer, IntSet, IntList) END IntSetList.
