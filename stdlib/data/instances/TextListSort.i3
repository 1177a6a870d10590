INTERFACE TextListSort = ListSort(Text, TextList) END TextListSort.
