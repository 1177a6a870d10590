MODULE TextListSort = ListSort(Text) END TextListSort.
