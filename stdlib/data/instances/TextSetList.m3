MODULE TextSetList = SetList(Text, TextSet, TextList) END TextSetList.
