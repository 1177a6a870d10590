MODULE RefSetList = SetList(Refany, RefSet, RefList) END RefSetList.
