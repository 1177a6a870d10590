INTERFACE TextSetList = SetList(TextSet) END TextSetList.
